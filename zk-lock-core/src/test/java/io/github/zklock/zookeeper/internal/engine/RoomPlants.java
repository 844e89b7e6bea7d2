package io.github.zklock.zookeeper.internal.engine;

import io.github.zklock.zookeeper.internal.engine.Plant.Edit;
import java.util.List;
import java.util.stream.Stream;

/**
 * Bugs that the simulation finds rarely or not at all: an alarm that is not armed again, a comparison after an answer
 * that is left out, a check without which a method does too much.
 */
final class RoomPlants {

    private static final List<RoomPlant> OF_LOCAL_QUEUES = List.of(
            inQueue(
                    "lockIsNotAcquiredAgainByASeatBehindWhichOthersMayWait",
                    "idle seat used again by an old view",
                    new Edit("LocalQueue.isOutdated", "!watch().isLive()", "watch() == null")),
            inQueue(
                    "attemptAsksWhetherOthersWaitBehindTheSeatThatLingers",
                    "try served by an idle seat by an old view",
                    Edit.delete("LocalQueue.enterOnlyAsking", "&& (seats.idle().isEmpty() || watch().isLive())")),
            inQueue(
                    "seatDoesNotLingerIfItsFolderCannotBeWatched",
                    "lingering although the folder cannot be watched",
                    Edit.delete("LocalQueue.mayLinger", "&& !watch.isWithoutArrivals()")),
            inQueue(
                    "seatInUseLosesItsMarkWhenAnotherProcessArrivesAndLeavesAfterItsTurn",
                    "lingering although another process waits",
                    Edit.delete("LocalQueue.mayLinger", "&& !contention.isShownBy(watch)")),
            inQueue(
                    "lingerBeginsAnewWithEachUse",
                    "linger alarm not armed again after a reuse",
                    Edit.delete("SeatUse.armLingerEnd", "armLingerEnd(left, lingeredLong);")),
            inQueue(
                    "lingerEndsAfterAUseThatLastedLongerThanALinger",
                    "linger alarm not armed again after it has gone off during a use",
                    Edit.delete("SeatUse.armLingerEnd", "lingerEnd = null;")),
            inQueue(
                    "lingerEndsAfterAUseThatLastedLongerThanALinger",
                    "linger that ends during a use",
                    new Edit("SeatUse.armLingerEnd", "if (idle)", "if (handOff != null)"),
                    new Edit("LocalQueue.linger", "!used.isInUse() && seats.contains(used)", "seats.contains(used)")),
            inQueue(
                    "lingerBeginsAnewWithEachUse",
                    "linger that counts from its first use",
                    new Edit("SeatUse.linger", "if (!idle)", "if (idleSince == 0)")),
            inQueue(
                    "noAlarmIsLeftOfASeatThatLingered",
                    "linger alarm of a seat that has left",
                    Edit.delete("LocalQueue.dismiss", "used.endLinger();")),
            inQueue(
                    "seatInUseLosesItsMarkWhenAnotherProcessArrivesAndLeavesAfterItsTurn",
                    "mark of a seat in use kept when others wait",
                    Edit.delete("Contention.viewChanged", "head.seat().markIdle(false);")),
            inQueue(
                    "seatInLongUseLosesItsMark",
                    "mark of a seat kept in a long use",
                    Edit.delete("LocalQueue.tick", "seats.marked().forEach(SeatUse::unmarkLongUse);")),
            inQueue(
                    "seatInLongUseLosesItsMark",
                    "turns not compared at the next tick",
                    Edit.delete("SeatUse.unmarkLongUse", "givenAtLastTick = given;")),
            inQueue(
                    "processLooksForOthersAgainAndAgainWhileItHandsTheLockOn",
                    "alarm of a look not armed again",
                    Edit.delete("Contention.lookWhenDue", "nextLook = null;")),
            inQueue(
                    "processGivesTheLockAwayAfterTheTurnInWhichItFoundOthers",
                    "others found by a look that nobody makes room for",
                    Edit.delete("Contention.giveWayIfShownBy", "rounds.next();")),
            inQueue(
                    "processLooksForOthersAgainAndAgainWhileItHandsTheLockOn",
                    "answer to a look not waited for any more",
                    Edit.delete("Contention.listed", "lookUnderWay = 0;")),
            inQueue(
                    "processLooksForOthersAgainAfterALookThatWasDenied",
                    "no further look after one that was denied",
                    Edit.delete("LocalQueue.unreadable", "contention.listingFailed();")),
            inQueue(
                    "processDoesNotLookForOthersWhileItsSeatWaits",
                    "look without a seat at the head",
                    Edit.delete("LocalQueue.dismiss", "contention.cancelLook();")),
            inQueue(
                    "deadlineThatPassesAtTheGrantChangesNothing",
                    "deadline of a claim that is answered",
                    Edit.delete("LocalQueue.expire", "if (!claim.isOpen()) { return; }")),
            inQueue(
                    "attemptAsksAgainIfItWasNotAnsweredInTime",
                    "try without an answer not asked again",
                    new Edit("Askers.answered", "case UNKNOWN -> ask(claim, session);", "case UNKNOWN -> {}")),
            inQueue(
                    "attemptThatWasWithdrawnDoesNotQueue",
                    "answer to a try that was withdrawn",
                    Edit.delete("Askers.answered", "if (!claims.contains(claim)) { continue; }")),
            inQueue(
                    "attemptsOfManyCallersShareAQuestionThatIsAskedAfterThem",
                    "tries that share the next question not asked for",
                    Edit.delete("Askers.ask", "ask(next, session, asking);")),
            inQueue(
                    "attemptsAreAskedForAnewOnTheNextConnection",
                    "questions of a lost connection counted on the next one",
                    Edit.delete("Askers.askAll", "round = new Round();")),
            inQueue(
                    "attemptQueuesBehindASeatThatLingersElsewhereAndWatchesIt",
                    "idle seat in front not watched",
                    Edit.delete("Askers.waitsForIdleSeats", "idle.watch();")),
            inQueue(
                    "withdrawnAttemptBehindASeatThatLingersHasNoTimeLimit",
                    "time limit of a try that was withdrawn",
                    Edit.delete("Askers.remove", "idle.end();")),
            ofIdleSeats(
                    "seatWithoutAMarkIsInUseAndLaterAnswersDoNotCount",
                    "answers after the end of a try",
                    Edit.delete("IdleSeats.answered", "if (state == State.OVER) { return; }")),
            ofIdleSeats(
                    "seatIsReadAgainIfThereWasNoAnswerInTime",
                    "idle seat not read again without an answer",
                    Edit.delete("IdleSeats.answered", "askAgain(seat);")),
            ofIdleSeats(
                    "seatThatIsWatchedIsWatchedAgainIfThereWasNoAnswerInTime",
                    "idle seat read without a watch after an unknown answer",
                    new Edit("IdleSeats.askAgain", "state == State.WATCHING", "state == State.OVER")),
            ofIdleSeats(
                    "seatIsWatchedAgainAfterEachChangeAndInUseWhenItsMarkIsGone",
                    "idle seat not watched again after a change",
                    Edit.delete("IdleSeats.happened", "watch(seat);")),
            ofIdleSeats(
                    "seatIsWatchedAgainAfterEachChangeAndInUseWhenItsMarkIsGone",
                    "mark that is gone not noticed",
                    Edit.delete("IdleSeats.answered", "else { idle.remove(seat); }")),
            ofIdleSeats(
                    "deletedSeatBlocksNothing",
                    "deleted seat that still blocks",
                    new Edit("IdleSeats.answered", "watches.remove(seat); idle.add(seat);", "watches.remove(seat);")),
            ofIdleSeats(
                    "seatThatMayNotBeReadIsInUse",
                    "seat that may not be read and stays unknown",
                    new Edit("IdleSeats.answered", "default -> { unknown.remove(seat);", "default -> {")),
            ofIdleSeats(
                    "timeIsLimitedAndTheWatchesEndWithIt",
                    "time of a try not limited",
                    new Edit(
                            "IdleSeats.decide",
                            "limit = time.after(Nanos.of(PATIENCE), () -> { end(); owner.timeIsOver(); });",
                            "")),
            ofIdleSeats(
                    "nothingIsReportedAfterTheEnd",
                    "time limit of a try that has ended",
                    Edit.delete("IdleSeats.end", "limit.cancel();")),
            ofIdleSeats(
                    "nothingIsReportedAfterTheEnd",
                    "watches of a try that has ended",
                    Edit.delete(
                            "IdleSeats.end",
                            "watches.forEach((seat, watch) -> session.unwatch(pathOf(seat), watch));")),
            ofClaims(
                    "longWaitIsReportedNearItsEndAndEndsInTime",
                    "deadline not armed after the report near its end",
                    Edit.delete(
                            "Claim.armDeadline", "deadline = time.after(Math.max(0, due - time.nanoTime()), end);")),
            ofClaims(
                    "waitEndsOnceAlthoughItIsArmedTwice",
                    "deadline armed twice",
                    Edit.delete("Claim.armDeadline", "|| deadline != null")),
            ofClaims(
                    "answeredClaimHasNoDeadline",
                    "deadline kept after the answer",
                    Edit.delete("Claim.become", "deadline.cancel();")),
            ofTurns(
                    "limitThatWasMovedCountsOnce",
                    "limit that was moved and takes its turn at the first instant",
                    Edit.delete("Turn.limit", "endLimit(limit);")),
            ofTurns(
                    "limitThatHasEndedWhenItsAlarmGoesOffTakesNothing",
                    "limit that has ended and takes its turn",
                    new Edit("Turn.limit", "if (!limit.isOver()) { action.run(); }", "action.run();")),
            ofTurns(
                    "limitThatHasEndedIsNotArmed",
                    "limit armed after its end",
                    Edit.delete("Turn.limit", "&& !limit.isOver()")),
            ofTurns(
                    "turnThatWasLostHasNoLimit",
                    "limit of a turn that is over",
                    Edit.delete("Turn.limit", "state.get() == LockState.HELD &&")),
            ofTurns(
                    "noLimitIsLeftOfATurnThatIsOver",
                    "limits kept after the turn",
                    Edit.delete("Turn.endLimits", "limit.disarm();")),
            inStrictPlan(
                    "requestIsMissingASeatUntilItHasOne",
                    "two seats for one request under strict",
                    Edit.delete("StrictPlan.added", "missing.remove(seeker.place);")),
            inStrictPlan(
                    "usedSeatServesNobodyElseAndIsNotNeededAfterItsTurn",
                    "seat that leaves while its turn lasts",
                    Edit.delete("StrictPlan.began", "unneeded.remove(use);")));

    private static final List<RoomPlant> OF_SEATS = List.of(
            ofMarks(
                    "markThatChangesDuringAWriteIsWrittenBehindIt",
                    "idle mark not compared again after its write",
                    Edit.delete("IdleMark.written", "write();")),
            ofMarks(
                    "markThatChangesDuringAWriteIsWrittenBehindIt",
                    "two writes of a mark at once",
                    Edit.delete("IdleMark.write", "!writing &&")),
            ofMarks(
                    "markThatChangesDuringAWriteIsWrittenBehindIt",
                    "no further write of a mark after the first one",
                    Edit.delete("IdleMark.written", "writing = false;")),
            ofMarks(
                    "nothingIsWrittenAfterTheEnd",
                    "mark written after the end of its seat",
                    Edit.delete("IdleMark.end", "latest.drop();")),
            ofEnds(
                    "markOfASeatThatHasLeftIsNotWritten",
                    "mark of a seat that has left not ended",
                    Edit.delete("Seat.end", "endIdleMark();")),
            ofEnds(
                    "markIsNotWrittenToANodeThatIsBeingReplaced",
                    "mark of a node that is being replaced",
                    Edit.delete("Seat.markIdle", "&& downgrade == null")),
            ofEnds(
                    "nodeThatIsCreatedForASeatThatHasLeftIsDeleted",
                    "create of a seat that has left taken for its own",
                    Edit.delete(
                            "Seat.createAnswered",
                            "if (state == State.LEFT) { createAnsweredTooLate(outcome, node); return; }")),
            ofEnds(
                    "nodeThatIsCreatedForASeatThatHasLeftIsDeleted",
                    "name of a node that was created too late forgotten",
                    Edit.delete("Seat.createAnsweredTooLate", "deletion.setName(SeatName.ofPath(node.path()));")),
            ofEnds(
                    "nothingIsDeletedIfTheCreateOfASeatThatHasLeftWasRejected",
                    "deletion expected of a node that was not created",
                    Edit.delete("Seat.createAnsweredTooLate", "deletions.finish(deletion);")),
            ofEnds(
                    "seatThatLeavesWhileItsNodeIsSearchedForDoesNotFindIt",
                    "search for the node of a seat that has left",
                    Edit.delete("Seat.end", "lookup.drop();")),
            ofEnds(
                    "missingFolderIsMadeAndTheNodeRequestedAgain",
                    "node not requested again after its folder",
                    Edit.delete("Seat.makeFolder", "create();")),
            ofEnds(
                    "folderThatMayNotBeMadeDoesNotMatterToASeatThatExists",
                    "folder of a seat that exists",
                    new Edit(
                            "Seat.madeFolder",
                            "isWithoutNode() && outcome == Outcome.ACCESS_DENIED",
                            "outcome == Outcome.ACCESS_DENIED")),
            ofEnds(
                    "seatThatExistsIsNotRequestedAgain",
                    "seat that exists requested again",
                    new Edit("Seat.createIfAbsent", "isAbsent()", "!hasLeft()")),
            ofEnds(
                    "seatThatHasLeftDoesNotBecomeTheHead",
                    "seat that has left at the head",
                    new Edit("Seat.becomeHead", "state == State.WAITING", "state != State.HEAD")),
            ofEnds(
                    "endIsReportedOnce",
                    "end of a seat reported twice",
                    new Edit("Seat.vanished", "state != State.LEFT", "deletion != null")),
            ofEnds(
                    "endIsReportedOnce",
                    "end of a session reported to a seat that has left",
                    new Edit("Seat.sessionEnded", "state != State.LEFT", "!reason.isEmpty()")),
            ofEnds(
                    "endIsReportedOnce",
                    "refusal of a seat that has left",
                    new Edit("Seat.refuse", "state != State.LEFT", "refusal != null")),
            ofEnds(
                    "seatThatHasLeftReportsNoEnd",
                    "seat that leaves twice",
                    new Edit("Seat.leave", "state != State.LEFT", "deletion != null")),
            ofEnds(
                    "downgradeThatIsRejectedIsNotAttemptedAgain",
                    "downgrade attempted again after a rejection",
                    Edit.delete("Seat.downgrade", "&& !staysWriter")),
            ofEnds(
                    "writerBecomesAReaderInOneTransaction",
                    "downgrade begun twice",
                    Edit.delete("Seat.downgrade", "&& isAlone()")),
            ofEnds(
                    "seatThatLeavesDuringItsDowngradeIsDeletedByEitherName",
                    "answer to a downgrade that was given up",
                    Edit.delete("Downgrade.answered", "if (over) { return; }")),
            ofEnds(
                    "downgradeThatWasGivenUpIsNotRepeated",
                    "search of a downgrade that was given up",
                    Edit.delete("Downgrade.abandon", "lookup.drop();")),
            ofEnds(
                    "seatThatLeavesDuringItsDowngradeIsDeletedByEitherName",
                    "seat that leaves during its downgrade deleted by its old name",
                    Edit.delete("Seat.end", "deletion.ofUnknownName();")),
            ofEnds(
                    "downgradeOfAnUnknownOutcomeIsRepeatedIfTheWriterIsStillThere",
                    "downgrade not repeated",
                    Edit.delete("Downgrade.found", "begin();")),
            ofEnds(
                    "downgradeOfAnUnknownOutcomeIsDoneIfTheReaderIsThere",
                    "downgrade of an unknown outcome not searched for",
                    new Edit(
                            "Downgrade.found",
                            "children.contains(reader.node())",
                            "children.contains(writer.node()) && children.contains(reader.node())")),
            inWatch(
                    "seatsThatComeToTheHeadDuringAQuestionShareTheNextOneUnlessTheyHaveLeft",
                    "seats at the head not confirmed after a question",
                    Edit.delete("HeadCheck.answered", "confirmNext();")),
            inWatch(
                    "seatsThatComeToTheHeadDuringAQuestionShareTheNextOneUnlessTheyHaveLeft",
                    "seats that have left confirmed",
                    Edit.delete("HeadCheck.confirmNext", "unconfirmed.removeIf(seat -> !owner.isOwn(seat));")),
            inWatch(
                    "viewIsListedAgainIfTheListingIsAnsweredBeforeTheWatchIsSet",
                    "view not listed again behind its watch",
                    Edit.delete("FolderWatch.armed", "listing = listings.request();")),
            inWatch(
                    "ownerIsToldThatArrivalsAreNotSeenAnyMore",
                    "owner not told that arrivals are not seen any more",
                    Edit.delete("QueueWatch.FolderEvents.flooded", "owner.viewChanged();")),
            inQueue(
                    "seatDoesNotLingerIfItsFolderCannotBeWatched",
                    "owner not told that the folder cannot be watched",
                    Edit.delete("QueueWatch.FolderEvents.refused", "owner.viewChanged();")),
            inWatch(
                    "writerThatGoesBeforeTheWatchIsRefusedHasTheQueueListed",
                    "queue not listed after a watch that was refused",
                    Edit.delete("QueueWatch.FolderEvents.refused", "else { look(); }")),
            inWatch(
                    "queueIsListedEachSessionTimeoutWhileASeatWaits",
                    "queue not listed each session timeout",
                    Edit.delete("QueueWatch.tick", "look();")),
            inWatch(
                    "folderIsWatchedForAWholeTickAfterItHadToBe",
                    "watch of a folder that nobody needs kept",
                    Edit.delete("FolderWatch.tick", "end();")),
            inWatch(
                    "seatCreatedBeforeTheViewIsLiveIsNotTrusted",
                    "seats added to a view that is not live",
                    new Edit("FolderWatch.seatEvent", "state == State.LIVE", "isOn()")),
            inWatch(
                    "folderIsNotWatchedForOneSeatBehindAnother",
                    "folder watched for one seat",
                    Edit.delete("ViewCosts.isLiveCheaper", "runs > 1 &&")),
            inWatch(
                    "folderIsWatchedIfTheListedNamesCostMoreThanEvents",
                    "listed names for nothing",
                    Edit.delete("ViewCosts.isLiveCheaper", "+ runs * view.size() / NAMES_PER_EVENT")),
            inWatch(
                    "folderIsNotWatchedForSeatsThatDoNotWait",
                    "folder watched for seats that do not wait",
                    Edit.delete("QueueWatch.follow", "first != null &&")),
            inWatch(
                    "seatThatWasLeftIsHiddenUntilItIsForgotten",
                    "seat that was left shown by the next listing",
                    new Edit("QueueWatch.listed", "view.replace(children, leaving);", "view.replace(children);")),
            inWatch(
                    "missedEventsEndTheLiveViewUntilItIsWatchedAndListedAgain",
                    "folder not watched again after missed events",
                    Edit.delete("FolderWatch.happened", "arm();")),
            inWatch(
                    "folderThatIsDeletedIsListed",
                    "folder that was deleted not listed",
                    Edit.delete("FolderWatch.happened", "listings.request();")),
            inDeletions(
                    "deletionThatIsRefusedIsReportedAndTriedAgainAfterAPause",
                    "deletion not attempted again after a refusal",
                    Edit.delete("Deletions.deleted", "attempt(deletion, on);")),
            inDeletions(
                    "deletionThatWasRefusedIsNotTriedAgainOnASessionThatHasEnded",
                    "deletion attempted on a session that has ended",
                    Edit.delete("Deletions.deleted", "session == on &&")),
            inDeletions(
                    "nodeThatHasMeanwhileAnotherNameIsLookedForAgain",
                    "node that has another name by now taken for deleted",
                    new Edit("Deletions.deleteFound", "attempt(deletion, on);", "deleted(deletion, on, outcome);")),
            inDeletions(
                    "nothingIsDeletedAfterTheEnd",
                    "deletion begun after the end",
                    Edit.delete("Deletions.begin", "return;")),
            inDeletions(
                    "nothingIsDeletedAfterTheEnd",
                    "deletion expected after the end",
                    new Edit("Deletions.expect", "if (abandoned)", "if (whenEmpty == null)")),
            inDeletions(
                    "deletionIsAttemptedOnceOnEachSession",
                    "deletion attempted twice on one session",
                    new Edit("Deletions.continueOn", "session != next", "next != null")),
            inDeletions(
                    "observerOfADeletionThatHasEndedIsToldAtOnce",
                    "observer of a deletion that has ended not told",
                    new Edit("Deletion.observe", "if (finished)", "if (finished && bytes < 0)")),
            inDeletions(
                    "nodeThatIsGoneGivesItsBytesBackOnce",
                    "bytes of a node given back twice",
                    new Edit("Deletion.finish", "if (!finished)", "if (observers != null)")),
            new RoomPlant(
                    new Plant(
                            "late downgrade taken for a rejected one",
                            Edit.delete("Downgrade.answered", ", NODE_EXISTS")),
                    "seat.SeatEndTest",
                    "downgradeWhoseFirstAttemptIsExecutedLateIsDone"),
            new RoomPlant(
                    new Plant(
                            "lost downgrade forgotten by the sweep",
                            Edit.delete("PinnedSession.replace", "mayCreateLate |= outcome.isUnknown();")),
                    "seat.SeatEndTest",
                    "downgradeWhoseFirstAttemptIsExecutedLateIsDone"),
            new RoomPlant(
                    new Plant(
                            "seat in doubt only after the pause",
                            new Edit("PinnedSession.create", "noting, true", "noting, false")),
                    "seat.SeatTest",
                    "seatIsInDoubtAtOnceAndLookedUpAfterAPause"),
            new RoomPlant(
                    new Plant(
                            "lookup of a seat that has left",
                            new Edit("Seat.lookUpIfInDoubt", "state == State.IN_DOUBT", "owner != null")),
                    "seat.SeatTest",
                    "seatThatLeavesDuringThePauseIsSearchedForOnceByItsDeletion"),
            new RoomPlant(
                    new Plant(
                            "task of the client that no thread can be started for",
                            new Edit("Threads.client", "task -> begin(client, task)", "client")),
                    "runtime.ThreadsTest",
                    "aTaskForTheClientWaitsUntilAThreadCanBeStarted"),
            inStrictPlan(
                    "eachRequestWhoseSeatIsAtTheHeadIsAtTheHead",
                    "request at the head by any seat",
                    new Edit("StrictPlan.isAtHead", "own.seat().isHead()", "own.seat() != null")),
            new RoomPlant(
                    new Plant(
                            "late tasks left at the end",
                            new Edit("Threads.hasLate", "!late.isEmpty()", "late.size() < 0")),
                    "runtime.ThreadsTest",
                    "aTaskForTheClientIsStartedAlsoAfterTheEnd"),
            new RoomPlant(
                    new Plant(
                            "watches in front taken for set on a new connection",
                            new Edit(
                                    "QueueWatch.connectionRestored",
                                    "fronts.end(); folderWatch.arm();",
                                    "folderWatch.arm();")),
                    "seat.QueueWatchTest",
                    "watchesOfSeatsInFrontAreSetAgainAlthoughTheFolderWasToBeWatchedWhenTheConnectionReturned"),
            new RoomPlant(
                    new Plant(
                            "late task left when no thread starts it any more",
                            new Edit("Threads.begin", "!watched", "late.size() < 0")),
                    "runtime.ThreadsTest",
                    "aTaskRunsOnItsCallerIfNoThreadCanBeStartedAfterTheLastThreadHasEnded"),
            new RoomPlant(
                    new Plant(
                            "loop with two owners after a failed hand-over",
                            new Edit("Loop.isRelieved", "return !taken.compareAndSet(false, true);", "return false;")),
                    "runtime.LoopTest",
                    "aHandOverThatFailsAlthoughItRunsMakesNoSecondOwner"),
            new RoomPlant(
                    new Plant(
                            "step scheduled again each second",
                            new Edit("Threads.schedule", "steps.getQueue().contains(task.scheduled)", "nanos < 0")),
                    "runtime.ThreadsTest",
                    "aStepIsScheduledOnceHoweverLongNoThreadCanBeStarted"),
            new RoomPlant(
                    new Plant(
                            "step that runs twice",
                            new Edit("Threads.Task.run", "compareAndSet(false, true)", "compareAndSet(false, false)")),
                    "runtime.ThreadsTest",
                    "aStepRunsOnceAlthoughItsThreadCouldNotBeStarted"),
            new RoomPlant(
                    new Plant(
                            "questions of jobs kept over an outage",
                            new Edit("RunRecords.withdrawing", "request.cancel(false)", "request.isDone()")),
                    "job.JobTest",
                    "aCallThatIsOverWithdrawsItsQuestion"),
            new RoomPlant(
                    new Plant(
                            "claim at the head that counts claims behind it",
                            Edit.delete("Obstacles.block", "&& !isAtHead")),
                    "local.LocalQueueTest",
                    "claimAtTheHeadIsNotToldOfALaterClaimThatWaitsBehindIt"),
            inSweep(
                    "searchForNodesOfThePreviousEngineIsRepeatedWithoutAnAnswer",
                    "nodes of the previous engine not searched for again",
                    Edit.delete("OrphanSweep.sweptAfterFailure", "connected(session);")),
            inSweep(
                    "answerOfASessionThatHasEndedDoesNotCount",
                    "answer of a session that has ended counted",
                    Edit.delete("OrphanSweep.sweptAfterFailure", "if (session.hasEnded() || !due) { return; }")),
            inSweep(
                    "aSessionWithALostCreateIsLookedAfterUntilItEnds",
                    "lost create forgotten by the sweep",
                    Edit.delete("OrphanSweep.tick", "|| mayFindLater(session)")),
            inSweep(
                    "aSessionOfAPreviousEngineIsLookedAfterUntilItEnds",
                    "doubt of the previous engine forgotten by the sweep",
                    Edit.delete("OrphanSweep.mayFindLater", "session == inherited ||")),
            inSweep(
                    "serversThatDoNotSupportTheSearchEndIt",
                    "search that servers do not support",
                    Edit.delete("OrphanSweep.mayFindLater", "supported &&")),
            inSweep(
                    "nodesOfThePreviousEngineAreDeletedAtOnceAndOnce",
                    "sweep of the previous engine that is never done",
                    new Edit("OrphanSweep.sweptAfterFailure", "due = false; Set<String> known", "Set<String> known")),
            inSweep(
                    "nodeThatNoSeatKnowsOfIsDeletedWhenItWasSeenTwice",
                    "suspects of the last sweep not kept",
                    Edit.delete("OrphanSweep.swept", "suspects = unknown;")));

    private static final List<RoomPlant> OF_TRANSPORT = List.of(
            inCommit(
                    "aWriteThatCannotBeSentAfterAFailedTransactionIsAnswered",
                    "write that cannot be sent after a failed transaction",
                    new Edit(
                            "GroupCommit.Batch.leaveOneByOne",
                            "() -> written.reply().answered(Outcome.NOT_SENT, null)",
                            "() -> {}")),
            inCommit(
                    "aWriteThatWaitedAndCannotBeSentIsAnswered",
                    "write that waited and cannot be sent",
                    new Edit(
                            "GroupCommit.Batch.leave",
                            "() -> only.reply().answered(Outcome.NOT_SENT, null)",
                            "() -> {}")),
            inCommit(
                    "aListingThatCannotBeSentIsAnswered",
                    "listing that cannot be sent",
                    new Edit("GroupCommit.sendListings", "() -> listed.answered(Outcome.NOT_SENT, null)", "() -> {}")),
            inCommit(
                    "aListingBehindATransactionThatCannotBeSentIsAnsweredOnce",
                    "listing behind a transaction that cannot be sent",
                    new Edit(
                            "GroupCommit.Batch.listAlone",
                            "listings.remove(listed); listed.answered(Outcome.NOT_SENT, null);",
                            "listings.remove(listed);")),
            inCommit(
                    "aListingBehindATransactionThatCannotBeSentIsAnsweredOnce",
                    "listing that could not be sent and is sent again",
                    Edit.delete("GroupCommit.Batch.listAlone", "listings.remove(listed);")),
            inCommit(
                    "listingsThatCannotBeSentTogetherAreSentOneByOne",
                    "listings that cannot be sent together",
                    Edit.delete("GroupCommit.Batch.listTogether", "together.forEach(this::listAlone);")),
            inCommit(
                    "theFailureOfAStrangerDelaysAndDoesNotDecide",
                    "listings of a failed transaction counted",
                    Edit.delete("GroupCommit.Batch.listTogether", "if (failed) { return; }")),
            inCommit(
                    "aListingThatWentAloneBehindAFailedTransactionDoesNotCount",
                    "single listing of a failed transaction counted",
                    new Edit(
                            "GroupCommit.Batch.listAlone",
                            "if (!failed) { listed.answered(outcome, children); }",
                            "listed.answered(outcome, children);")),
            inCommit(
                    "theFailureOfAStrangerDelaysAndDoesNotDecide",
                    "listings not sent again after a failed transaction",
                    Edit.delete("GroupCommit.Batch.leaveOneByOne", "sendListings(listings);")),
            inCommit(
                    "roomOfAWriteThatCannotBeSentIsFreeAgain",
                    "room of a write that could not be sent",
                    new Edit(
                            "GroupCommit.sendAlone",
                            "if (!sent) { arrived(written); window.landed(); }",
                            "if (!sent) { arrived(written); }")),
            inCommit(
                    "roomOfATransactionThatCannotBeSentIsFreeAgain",
                    "room of a transaction that could not be sent",
                    new Edit(
                            "GroupCommit.Batch.leave",
                            "writes.forEach(GroupCommit.this::arrived); window.landed(); }",
                            "writes.forEach(GroupCommit.this::arrived); }")),
            inCommit(
                    "whatWaitsLeavesAfterAnUnknownOutcome",
                    "nothing sent after an unknown outcome",
                    Edit.delete("GroupCommit.answeredInDoubt", "depart();")),
            inCommit(
                    "writesThatWaitLeaveTogetherWithTheirListingsBehind",
                    "nothing sent after an answer",
                    Edit.delete("GroupCommit.sendAlone", "depart();")),
            inCommit(
                    "aSeatIsNotCreatedBeforeOneWhoseTransactionFails",
                    "nothing sent after a failed transaction",
                    new Edit("GroupCommit.Batch.answered", "leaveOneByOne(); depart();", "leaveOneByOne();")),
            inCommit(
                    "whatWaitsIsNotSentOnAnotherSession",
                    "waiting writes sent on another session",
                    Edit.delete("GroupCommit.depart", "dropWaiting();")),
            inCommit(
                    "deletionsThatCanWaitLeaveTogetherWhenTheWritesOfTheirFolderAreAnswered",
                    "deletion that waits for nothing",
                    new Edit("GroupCommit.nowWaiting", "!waitsForOthers(written)", "true")),
            inCommit(
                    "aDeletionThatCanWaitLeavesAtTheNextTickAlthoughNoAnswerArrives",
                    "deletion that waits for an answer that does not arrive",
                    Edit.delete("GroupCommit.tick", "hurryFirst();")),
            inCommit(
                    "aDeletionThatCanWaitForNothingTakesThoseAlongThatWait",
                    "deletion that waits for the writes of another folder",
                    new Edit("GroupCommit.nowWaiting", "!waitsForOthers(written)", "!written.change().canWait()")),
            inCommit(
                    "aDeletionThatWasTakenAlongDoesNotCountAnyMore",
                    "deletion that counts as urgent after it has left",
                    new Edit("GroupCommit.waitingNoMore", "written.urgent", "!written.change().canWait()")),
            inCommit(
                    "aListingTakesTheDeletionsAlongThatWaitBeforeIt",
                    "listing that waits with the deletions before it",
                    Edit.delete("GroupCommit.nowWaiting", "urgent++;")),
            inCommit(
                    "aDeletionDoesNotWaitForAWriteThatCouldNotBeSent",
                    "write that could not be sent under way for ever",
                    new Edit(
                            "GroupCommit.sendAlone",
                            "if (!sent) { arrived(written); window.landed(); }",
                            "if (!sent) { window.landed(); }")),
            inCommit(
                    "aDeletionDoesNotWaitForATransactionThatCouldNotBeSent",
                    "transaction that could not be sent under way for ever",
                    new Edit(
                            "GroupCommit.Batch.leave",
                            "writes.forEach(GroupCommit.this::arrived); window.landed(); }",
                            "window.landed(); }")),
            inCommit(
                    "aDeletionThatNoTransactionHadRoomForDoesNotCountAnyMore",
                    "urgent deletion that counts twice",
                    new Edit("GroupCommit.hurryFirst", "!first.urgent", "true")),
            inCommit(
                    "deletionsThatNoTransactionHasRoomForLeaveInTheNextOneAtOnce",
                    "deletions that wait for the transaction before them",
                    Edit.delete("GroupCommit.Batch.takeWaiting", "hurryFirst();")),
            inCommit(
                    "aDeletionDoesNotWaitForTheRepetitionOfAFailedTransaction",
                    "deletion that waits for the repetition of a transaction",
                    Edit.delete("GroupCommit.Batch.answered", "hurryFirst();")),
            inCommit(
                    "foldersThatCameMeanwhileAreAskedForNext",
                    "folders not asked for after an answer",
                    Edit.delete("GroupCommit.toldOfFolders", "askForFolders();")),
            inCommit(
                    "foldersAreAskedForAgainIfTheQuestionCannotBeSent",
                    "folders not asked for after a question that could not be sent",
                    new Edit("GroupCommit.askForFolders", "() -> asking = false", "() -> {}")),
            inCommit(
                    "aCreateIsNotSentBehindOneThatMayHaveBeenLost",
                    "creates sent behind one that may be lost",
                    new Edit(
                            "GroupCommit.answeredInDoubt",
                            "takeWaitingSeatsIn(folders)",
                            "takeWaitingSeatsIn(Set.of())")),
            inCommit(
                    "afterAFailedTransactionItIsNotKnownWhetherItsFoldersExist",
                    "folders of a failed transaction still known",
                    Edit.delete("GroupCommit.Batch.failedAt", "seatsIn.keySet().forEach(folders::forget);")),
            inCommit(
                    "aTransactionThatCouldNotBeSentHasCreatedNoMarker",
                    "marker of a transaction that could not be sent",
                    new Edit("GroupCommit.Batch.leave", "markerExpected = false;", "")),
            inCommit(
                    "whatWaitsLeavesAfterAnUnknownOutcome",
                    "room of an answer that says nothing",
                    Edit.delete("GroupCommit.landed", "window.landed();")),
            inOutcomes(
                    "rejectionOfALocalSessionIsDistinguished",
                    "rejection of a local session taken for any other",
                    Edit.delete("CuratorSession.outcomeOf", "case EPHEMERALONLOCALSESSION -> Outcome.LOCAL_SESSION;")),
            ofFolders(
                    "folderIsKnownForATime",
                    "folder known for ever",
                    new Edit("FolderMemory.current", "now - known.at() > lastsNanos", "now < known.at()")),
            ofFolders(
                    "oldestNoteIsForgottenFirst",
                    "folder that was noted again forgotten as the oldest",
                    Edit.delete("FolderMemory.note", "seen.remove(folder);")),
            ofFolders(
                    "oldestNoteIsForgottenFirst",
                    "folders never forgotten",
                    new Edit("FolderMemory.seen", "size() > MOST_FOLDERS", "eldest == null")),
            ofWindow(
                    "growsWhileCommitsTakeNoLongerThanTheFastestOne",
                    "window that does not grow",
                    new Edit("CommitWindow.landed", "Math.min(largest, size + 1 / size)", "size")),
            ofWindow(
                    "theFastestCommitIsForgottenAfterAWhile",
                    "fastest commit counted for ever",
                    new Edit("CommitWindow.landed", "now - periodBegan > PERIOD_NANOS", "now < periodBegan")),
            ofWindow(
                    "doesNotShrinkWhereEachCommitIsAloneAndSomeAreSlow",
                    "window that shrinks by one slow commit",
                    new Edit("CommitWindow.landed", "underWay > 1", "underWay > 0")),
            inWire(
                    "aWireThatWasClosedWhileItLookedForASessionIsForgottenByTheClient",
                    "wire that was closed during its search not forgotten",
                    Edit.delete("CuratorWire.pinned", "handle.forget(this);")),
            inWire(
                    "watchOfAFolderThatWasRemovedTellsNothingAndIsNotLeftAtTheServers",
                    "events of a watch that was removed",
                    new Edit("CuratorSession.LoopTreeWatcher.tell", "trees.get(watch) == this", "watch != null")),
            inWire(
                    "removalOfAWatchHidesNoLostConnectionFromTheApplicationAndIsMadeUpForOnTheNextOne",
                    "watch that could not be removed not removed on the next connection",
                    Edit.delete("CuratorSession.LoopEvents.removed", "notRemoved = true;")),
            inWire(
                    "watchOfAFolderTellsThatEventsWereMissedEvenIfAnotherWatchOfTheClientAloneWasToldOfTheLoss",
                    "loss that only another watch was told of",
                    new Edit("CuratorSession.LoopTreeWatcher.connection", "!there || !toldOfLoss", "!there")));

    private static final List<RoomPlant> OF_SESSIONS = List.of(
            ofBudgets(
                    "registriesOnOneSessionShareItsBytes",
                    "seats of other registries on a session not counted",
                    new Edit("SeatBudget.admits", "all.get() + wanted", "bytes + wanted")),
            ofBudgets(
                    "registryThatLeavesTheSessionTakesNothingOfIt",
                    "seats of a registry that has left the session counted",
                    Edit.delete("SeatBudget.leave", "all.addAndGet(-bytes);")),
            ofBudgets(
                    "registryThatLeavesTheSessionTakesNothingOfIt",
                    "bytes given back twice by a registry that has left the session",
                    new Edit("SeatBudget.add", "if (!left)", "if (all != null)")));

    private static final List<RoomPlant> OF_REPORTS = List.of(
            inNames(
                    "folderWithoutAQueueThatContainsLocksIsNoLock",
                    "folder that only contains locks listed as a lock",
                    Edit.delete("NameWalk.walk", "&& (below.isEmpty() || hasSeats(children))")),
            inNames(
                    "folderWithoutAQueueThatContainsLocksIsNoLock",
                    "lock with a queue not listed because there are locks below it",
                    Edit.delete("NameWalk.walk", "|| hasSeats(children)")),
            inNames(
                    "pagesOfAnySizeShowEachNameOnceAndALockBeforeWhatIsBelowIt",
                    "folder of locks not entered",
                    Edit.delete("NameWalk.walk", "walk(below);")),
            inWire(
                    "timeoutThatTheServersDoNotGrantIsReportedOnce",
                    "session timeout reported although it was granted",
                    Edit.delete("CuratorWire.compareTimeouts", "!granted.equals(requested) &&")),
            inWire(
                    "timeoutThatTheServersDoNotGrantIsReportedOnce",
                    "session timeout reported at each session",
                    Edit.delete("CuratorWire.compareTimeouts", "timeoutTold = true;")));

    private static final List<RoomPlant> OF_LOAD = List.of(
            inCommit(
                    "aSeatThatIsGivenUpWhileItWaitsIsNotCreated",
                    "seat created although it was given up",
                    new Edit("GroupCommit.Batch.takeWaiting", "!written.isWanted()", "false")),
            inCommit(
                    "manySeatsThatAreGivenUpDoNotHoldUpAnother",
                    "create of a seat that was given up not answered",
                    Edit.delete("GroupCommit.depart", "answerUnsent();")),
            inCommit(
                    "longAccessListsAreNotSentInOneTransaction",
                    "access lists not counted",
                    new Edit("GroupCommit.Batch.bytesOf", "session.accessBytes(written.change().path())", "0")),
            new RoomPlant(
                    new Plant("tick left waiting by an idle loop", Edit.delete("Loop.hasNext", "!urgent.isEmpty() ||")),
                    "runtime.LoopTest",
                    "nothingThatComesAsTheLoopBecomesIdleIsLeftWaiting"),
            new RoomPlant(
                    new Plant(
                            "future left open by an Error of its caller",
                            Edit.delete("CallerFuture.completeAsDecided", "super.cancel(false);")),
                    "runtime.CallerFutureTest",
                    "futureWhoseCallerHasLeftIsCompletedByTheLibraryIfNotByTheCaller"),
            new RoomPlant(
                    new Plant(
                            "request left behind by an engine that was replaced",
                            Edit.delete("EngineKeeper.recover", "claim.isOpen() ||")),
                    "engine.ErrorRecoveryTest",
                    "requestsThatWaitEndWithTheEngine"),
            new RoomPlant(
                    new Plant(
                            "late tick taken for one that has stopped",
                            new Edit("EngineKeeper.look", "!loop.isBehind()", "loop != null")),
                    "engine.ErrorRecoveryTest",
                    "aTickThatWaitsBehindAnswersIsNoReasonToReplaceTheEngine"),
            new RoomPlant(
                    new Plant("lock kept for a caller that has left", Edit.delete("FutureAnswer.complete", "leave();")),
                    "engine.FutureAnswerTest",
                    "grantForACallerThatLeftWithoutAWithdrawalIsGivenBack"),
            new RoomPlant(
                    new Plant(
                            "engine ended although a lost create may be executed",
                            new Edit("Engine.tellIfQuiet", "!mayNodeFollow()", "whenOver != null")),
                    "engine.SimulationTest",
                    "aNodeThatIsCreatedAfterTheCloseOfTheRegistryIsDeleted"),
            new RoomPlant(
                    new Plant("session opened after the close", Edit.delete("LockClient.handle", "|| closed")),
                    "transport.CuratorWireTest",
                    "closedClientOpensNoFurtherSession"),
            new RoomPlant(
                    new Plant(
                            "blocked threads not replaced without their growth thread",
                            Edit.delete("Threads.watching", "callbacks.grow();")),
                    "runtime.ThreadsTest",
                    "blockedThreadsAreReplacedAlthoughTheirGrowthThreadCouldNotBeStarted"),
            inWire(
                    "sessionHasTheServersAndTheChangeRootOfTheClient",
                    "session at the first server only",
                    new Edit("LockClient.open", "ofClient, current", "ofClient, current.replaceAll(\",[^/]*\", \"\")")),
            inWire(
                    "sessionHasTheServersAndTheChangeRootOfTheClient",
                    "session without the change root of the client",
                    new Edit("LockClient.open", "ofClient, current", "ofClient, current.replaceAll(\"/.*\", \"\")")),
            inLoop(
                    "callersThatAskWithoutAPausePileUpLittle",
                    "requests without a pause",
                    new Edit("Loop.pace", "if (waiting.get() >= MANY_TASKS)", "if (waiting.get() < 0)")),
            inLoop(
                    "answersAndRequestsOfCallersTakeTurns",
                    "answers that wait for all requests",
                    Edit.delete("Loop.next", "answersInARow = 0;")),
            ofLimits(
                    "callIsLimitedAfterAPauseWithoutCalls",
                    "function without a limit after a pause",
                    Edit.delete("LimitedCalls.lookAgain", "looking.set(false);")),
            ofLimits(
                    "callIsInterruptedAtItsLimitAndItsResultRefused",
                    "late result of a function accepted",
                    Edit.delete("LimitedCalls.get", "call.refuseIfLate(null);")));

    static final List<RoomPlant> OF_QUEUES =
            Stream.of(OF_LOCAL_QUEUES, OF_SEATS).flatMap(List::stream).toList();

    static final List<RoomPlant> OF_WIRES = Stream.of(OF_TRANSPORT, OF_SESSIONS, OF_LOAD, OF_REPORTS)
            .flatMap(List::stream)
            .toList();

    private RoomPlants() {}

    private static RoomPlant inQueue(String method, String name, Edit... edits) {
        return new RoomPlant(new Plant(name, edits), "local.LocalQueueTest", method);
    }

    private static RoomPlant ofIdleSeats(String method, String name, Edit... edits) {
        return new RoomPlant(new Plant(name, edits), "local.IdleSeatsTest", method);
    }

    private static RoomPlant ofClaims(String method, String name, Edit... edits) {
        return new RoomPlant(new Plant(name, edits), "local.ClaimTest", method);
    }

    private static RoomPlant ofTurns(String method, String name, Edit... edits) {
        return new RoomPlant(new Plant(name, edits), "local.TurnTest", method);
    }

    private static RoomPlant ofMarks(String method, String name, Edit... edits) {
        return new RoomPlant(new Plant(name, edits), "seat.IdleMarkTest", method);
    }

    private static RoomPlant ofEnds(String method, String name, Edit... edits) {
        return new RoomPlant(new Plant(name, edits), "seat.SeatEndTest", method);
    }

    private static RoomPlant inStrictPlan(String method, String name, Edit... edits) {
        return new RoomPlant(new Plant(name, edits), "local.StrictPlanTest", method);
    }

    private static RoomPlant inWatch(String method, String name, Edit... edits) {
        return new RoomPlant(new Plant(name, edits), "seat.QueueWatchTest", method);
    }

    private static RoomPlant inDeletions(String method, String name, Edit... edits) {
        return new RoomPlant(new Plant(name, edits), "seat.DeletionsTest", method);
    }

    private static RoomPlant inSweep(String method, String name, Edit... edits) {
        return new RoomPlant(new Plant(name, edits), "seat.OrphanSweepTest", method);
    }

    private static RoomPlant inCommit(String method, String name, Edit... edits) {
        return new RoomPlant(new Plant(name, edits), "transport.GroupCommitTest", method);
    }

    private static RoomPlant inLoop(String method, String name, Edit... edits) {
        return new RoomPlant(new Plant(name, edits), "runtime.LoopTest", method);
    }

    private static RoomPlant ofLimits(String method, String name, Edit... edits) {
        return new RoomPlant(new Plant(name, edits), "engine.LimitedCallsTest", method);
    }

    private static RoomPlant inOutcomes(String method, String name, Edit... edits) {
        return new RoomPlant(new Plant(name, edits), "transport.OutcomeTest", method);
    }

    private static RoomPlant ofBudgets(String method, String name, Edit... edits) {
        return new RoomPlant(new Plant(name, edits), "session.SeatBytesTest", method);
    }

    private static RoomPlant ofFolders(String method, String name, Edit... edits) {
        return new RoomPlant(new Plant(name, edits), "transport.FolderMemoryTest", method);
    }

    private static RoomPlant ofWindow(String method, String name, Edit... edits) {
        return new RoomPlant(new Plant(name, edits), "transport.CommitWindowTest", method);
    }

    private static RoomPlant inNames(String method, String name, Edit... edits) {
        return new RoomPlant(new Plant(name, edits), "inspect.NameWalkTest", method);
    }

    private static RoomPlant inWire(String method, String name, Edit... edits) {
        return new RoomPlant(new Plant(name, edits), "transport.CuratorWireTest", method);
    }
}
