package io.github.zklock.zookeeper.internal.engine;

import io.github.zklock.zookeeper.internal.engine.Plant.Edit;
import java.util.List;

/**
 * A bug in a room that the simulation does not play.
 *
 * @param test the class of the room's tests that must find it, below the package of the rooms
 * @param method the test that shows it. If it does not any more, any other one of the class must
 */
record RoomPlant(Plant bug, String test, String method) {

    private static final String LEADER = "leader.CandidateTest";
    private static final String LEADER_MODEL = "leader.CandidateModelTest";
    private static final String RECORDS = "job.RunRecordsTest";
    private static final String JOB = "job.JobTest";
    private static final String JOB_MODEL = "job.JobModelTest";
    private static final String TIMERS = "job.TimersTest";
    private static final String USER_THREADS = "runtime.UserThreadsTest";
    private static final String ORDER = "order.NestedOrderTest";
    private static final String SUSPECTS = "deadlock.SuspectsTest";
    private static final String SEARCH = "deadlock.DeadlockSearchTest";
    private static final String WIRE = "transport.CuratorWireTest";
    private static final String PROBE = "session.ExpiryProbeTest";
    private static final String PROOF = "session.SessionProofEdgesTest";

    static final List<RoomPlant> ALL = List.of(
            new RoomPlant(
                    new Plant("two leaders by the old proof", Edit.delete("Candidate.Term.leads", "&& held.isHeld()")),
                    LEADER,
                    "isNoLeaderWithoutProof"),
            new RoomPlant(
                    new Plant(
                            "a pause after stepping down that is ignored",
                            new Edit("Candidate.Term.end", "pause = pauseAfterwards;", "pause = Duration.ZERO;")),
                    LEADER,
                    "isNoCandidateDuringItsPause"),
            new RoomPlant(
                    new Plant(
                            "leadership given up while a task runs",
                            Edit.delete("Candidate.Term.leave", "haveTasksEnded() &&")),
                    LEADER_MODEL,
                    "candidatesLeadOneAfterTheOther"),
            new RoomPlant(
                    new Plant(
                            "window by the local clock",
                            new Edit(
                                    "RunRecords.look",
                                    "Instant.ofEpochMilli(written.writtenMillis())",
                                    "java.time.Clock.systemUTC().instant()")),
                    RECORDS,
                    "lookAsksForTimeAndRecordInOneRoundTrip"),
            new RoomPlant(
                    new Plant("record of another run replaced", new Edit("RunRecords.replace", "seen.version()", "-1")),
                    RECORDS,
                    "lostWriteThatIsNotWantedAnyMoreIsFencedOff"),
            new RoomPlant(
                    new Plant(
                            "run begun without a look under the lock",
                            new Edit("Job.Begin.lookAgain", "isDue(seen)", "true")),
                    JOB,
                    "lookUnderTheLockFindsTheRunOfAnother"),
            new RoomPlant(
                    new Plant(
                            "run of a fast timer begun early",
                            Edit.delete("Job.Begin.isDue", "&& !shared.fastTimers().contains(name(), counts)")),
                    TIMERS,
                    "runsOfAFastTimerBeginAtLeastAWindowApart"),
            new RoomPlant(
                    new Plant(
                            "call at the begin of a run taken for one of a fast timer",
                            new Edit(
                                    "Job.Begin.notDueWhenCalled",
                                    "counts.plus(window.tolerance()).isBefore(seen.now())",
                                    "true")),
                    TIMERS,
                    "timerThatFiresWithThatOfAnotherProcessIsNotFast"),
            new RoomPlant(
                    new Plant(
                            "timer taken for a fast one for ever",
                            new Edit("FastTimers.contains", "run.equals(runs.get(job))", "runs.containsKey(job)")),
                    TIMERS,
                    "fastTimerIsTakenForOneInItsWindowOnly"),
            new RoomPlant(
                    new Plant(
                            "two processes that clean at once",
                            new Edit("RunRecords.Cleaning.mark", "outcome == Outcome.OK", "session != null")),
                    RECORDS,
                    "processDoesNotRemoveRecordsWhileAnotherOneDoes"),
            new RoomPlant(
                    new Plant(
                            "record deleted that was written meanwhile",
                            new Edit("RunRecords.Cleaning.remove", "node.version()", "-1")),
                    JOB_MODEL,
                    "noRunBeginsInTheWindowOfASuccess"),
            new RoomPlant(
                    new Plant(
                            "begin that is given up and not fenced off",
                            new Edit(
                                    "RunRecords.settle",
                                    "fence(job, seen, present, data).thenCompose(fenced -> failed(\"writing\", outcome))",
                                    "failed(\"writing\", outcome)")),
                    JOB_MODEL,
                    "runsThatCountFromTheirBeginAreAtLeastOneWindowApart"),
            new RoomPlant(
                    new Plant(
                            "run of a call that has left and that counts",
                            new Edit(
                                    "Job.Begin.begun",
                                    "then(undo(handle, run), this::failUnder, none -> {});",
                                    "release(handle);")),
                    JOB_MODEL,
                    "runsThatCountFromTheirBeginAreAtLeastOneWindowApart"),
            new RoomPlant(
                    new Plant(
                            "undone run that counts",
                            new Edit(
                                    "RunRecords.undo",
                                    "before == null ? begun.withoutRun() : before.same()",
                                    "before == null ? begun.same() : before.same()")),
                    JOB_MODEL,
                    "runsThatCountFromTheirBeginAreAtLeastOneWindowApart"),
            new RoomPlant(
                    new Plant(
                            "run begun although its lock was lost",
                            new Edit("Job.Begin.begun", "handle.state().isFinal()", "handle == null")),
                    JOB_MODEL,
                    "noRunBeginsInTheWindowOfASuccess"),
            new RoomPlant(
                    new Plant(
                            "lock kept by a call that has left",
                            Edit.delete("Job.Begin.lookAgain", "release(handle);")),
                    JOB_MODEL,
                    "noRunBeginsInTheWindowOfASuccess"),
            new RoomPlant(
                    new Plant(
                            "lock of a look that was not sent",
                            new Edit("Job.Begin.acquire", "this::failUnder", "this::fail")),
                    JOB,
                    "lockIsReleasedIfTheLookUnderItCannotBeSent"),
            new RoomPlant(
                    new Plant(
                            "begin that was cancelled and stays in the queue",
                            Edit.delete("Job.Begin.leaveQueue", "open.cancel(false);")),
                    JOB,
                    "cancelledBeginLeavesTheQueueOfTheLock"),
            new RoomPlant(
                    new Plant(
                            "begin that leaves the queue after the stages of its caller",
                            new Edit(
                                    "CallerFuture.completeByCaller",
                                    "leaveIfOpen();",
                                    "outcome.compareAndSet(null, LEFT);"),
                            new Edit(
                                    "CallerFuture.completeByCaller",
                                    "&& completion.getAsBoolean();",
                                    "&& completion.getAsBoolean(); leave.run();")),
                    JOB,
                    "aStageThatBlocksAtTheCancellationDoesNotKeepTheRequestInTheQueue"),
            new RoomPlant(
                    new Plant(
                            "step of a job on the threads of users' code",
                            new Edit("Job.undo", "shared.steps()", "shared.callbacks()")),
                    JOB,
                    "stepsDoNotWaitForCodeOfUsers"),
            new RoomPlant(
                    new Plant(
                            "blocked threads that are not replaced",
                            new Edit("UserThreads.grow", "Math.max(base, blocked) + blocked", "base")),
                    USER_THREADS,
                    "aTaskDoesNotWaitForTasksThatBlock"),
            new RoomPlant(
                    new Plant(
                            "success reported although another run had begun",
                            new Edit("Job.succeeded", "record == null", "record == null && name() == null")),
                    JOB,
                    "successIsNotReportedIfAnotherRunHasBegun"),
            new RoomPlant(
                    new Plant(
                            "success of an earlier run forgotten by an undo",
                            new Edit("RunRecord.same", "succeeded()", "null")),
                    JOB,
                    "undoKeepsTheSuccessOfTheRunBefore"),
            new RoomPlant(
                    new Plant("contradiction logged each time", Edit.delete("NestedOrder.check", "|| !fails")),
                    ORDER,
                    "contradictionIsLoggedOnce"),
            new RoomPlant(
                    new Plant(
                            "circle not armed again",
                            new Edit(
                                    "Suspects.confirm",
                                    "suspects = present;",
                                    "suspects = present.isEmpty() ? suspects : present;")),
                    SUSPECTS,
                    "circleThatWasGoneHasToBeConfirmedAnew"),
            new RoomPlant(
                    new Plant(
                            "circle that was read before its end",
                            Edit.delete("Suspects.Suspect.isPublishedAgain", "+ 1")),
                    SUSPECTS,
                    "eachWaitHasToBePublishedAgainAfterTheSecondSearch"),
            new RoomPlant(
                    new Plant(
                            "later hold of the same seat taken for the same",
                            Edit.delete("DeadlockSearch.Link.isSameAs", "&& hold.equals(other.hold)")),
                    SUSPECTS,
                    "laterTurnOfTheSameSeatIsAnotherCircle"),
            new RoomPlant(
                    new Plant(
                            "semaphore stuck by one of its holders",
                            new Edit(
                                    "DeadlockSearch.Reached.isStuckWith",
                                    "!kept.admits(wait.demand())",
                                    "kept.size() > 0")),
                    SEARCH,
                    "requestForPermitsIsStuckOnlyIfAllHoldersAre"),
            new RoomPlant(
                    new Plant(
                            "own number of permits counts alone in a circle",
                            new Edit("Sharers.admits", "smallestNumber(demand.of())", "demand.of()")),
                    SEARCH,
                    "smallestNumberOfPermitsCounts"),
            new RoomPlant(
                    new Plant(
                            "waiting seat taken for a holder",
                            new Edit("DeadlockSearch.findHoldersOfLockOf", ".holders()", ".seats()")),
                    SEARCH,
                    "seatThatOnlyWaitsHoldsNothing"),
            new RoomPlant(
                    new Plant(
                            "session of a client shared at any age",
                            Edit.delete("LockClient.handle", "&& observed.isNewAt(builtAt)")),
                    WIRE,
                    "l36SessionThatIsTooOldToBeProvenAtOnceIsNotUsed"),
            new RoomPlant(
                    new Plant(
                            "session without the credentials of the client",
                            Edit.delete("LockClient.handle", "Credentials.copy(ofClient, own);")),
                    WIRE,
                    "sessionHasTheCredentialsOfTheClient"),
            new RoomPlant(
                    new Plant(
                            "session that goes on after the close of the client",
                            Edit.delete("CuratorSession.liveness", "|| clientIsClosed.getAsBoolean()")),
                    WIRE,
                    "m24SessionIsClosedOnlyAfterTheCloseOfTheClientWasNoticed"),
            new RoomPlant(
                    new Plant(
                            "session left open after the close of the client",
                            Edit.delete("CuratorWire.find", "client.closeOpened();")),
                    WIRE,
                    "m24SessionIsClosedOnlyAfterTheCloseOfTheClientWasNoticed"),
            new RoomPlant(
                    new Plant(
                            "session created before a lapse taken for a later one",
                            Edit.delete("Suspicion.isEndedBy", "&& bucketAfter - since.getAsLong() >= 0")),
                    PROOF,
                    "expiryOfALaterSessionShowsNothingAfterTheNextLapseOnTheSameConnection"),
            new RoomPlant(
                    new Plant(
                            "expiry of another session that outlives a lapse",
                            Edit.delete("Suspicion.begin", "bucketsClosedAt = OptionalLong.empty();")),
                    PROOF,
                    "expiryOfALaterSessionShowsNothingAfterTheNextLapseOnTheSameConnection"),
            new RoomPlant(
                    new Plant(
                            "write from before the expiry of the probe",
                            Edit.delete(
                                    "Suspicion.isSentAfterBuckets", "&& sentAt - bucketsClosedAt.getAsLong() >= 0")),
                    PROOF,
                    "expiryOfALaterSessionShowsNothingAfterTheNextLapseOnTheSameConnection"),
            new RoomPlant(
                    new Plant("probe kept over a later lapse", Edit.delete("ExpiryProbe.begin", "|| useless")),
                    PROBE,
                    "probeThatMayExpireBeforeTheNextLapseIsReplacedAndShowsNothing"),
            new RoomPlant(
                    new Plant(
                            "expiry of a later session by untrusted clocks",
                            new Edit("SessionProof.isSuspicionEndedBy", "isTrusted(createdAfter)", "timeoutNanos > 0")),
                    PROOF,
                    "laterSessionCoversNothingButItsCreationIfTheClockFellBehind"),
            new RoomPlant(
                    new Plant(
                            "probe taken for expired without an answer",
                            new Edit("ExpiryProbe.check", "outcome == Outcome.NO_NODE", "outcome != Outcome.OK")),
                    PROBE,
                    "checkWithoutAnAnswerShowsNothing"),
            new RoomPlant(
                    new Plant(
                            "probe that was never found taken for expired",
                            new Edit("ExpiryProbe.gone", "state != State.PRESENT", "!isCreated()")),
                    PROBE,
                    "probeThatTheSessionHasNeverFoundShowsNothing"),
            new RoomPlant(
                    new Plant(
                            "probe without the credentials of the session",
                            Edit.delete("AbandonedZooKeeper.create", "Credentials.copy(like, handle);")),
                    WIRE,
                    "abandonedSessionIsAuthenticatedLikeTheClient"),
            new RoomPlant(
                    new Plant(
                            "probe at the servers of before",
                            Edit.delete("ObservedZooKeeper.updateServerList", "servers = serversOf(connectString);")),
                    WIRE,
                    "abandonedSessionFollowsTheServersOfTheClient"),
            new RoomPlant(
                    new Plant(
                            "probe that failed is not requested again",
                            Edit.delete("ExpiryProbe.tick", "state == State.FAILED ||")),
                    PROBE,
                    "probeThatWasNotCreatedIsRequestedAtTheNextTickWithALongerTimeout"),
            new RoomPlant(
                    new Plant(
                            "probe that never expires is not replaced",
                            Edit.delete(
                                    "ExpiryProbe.tick",
                                    "|| time.nanoTime() - requestedAt > MOST_TIMEOUTS * session.timeoutNanos()")),
                    PROBE,
                    "probeThatDoesNotExpireIsReplaced"));

    @Override
    public String toString() {
        return bug.name();
    }
}
