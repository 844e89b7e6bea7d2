package io.github.zklock.zookeeper.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import io.github.zklock.zookeeper.internal.engine.SimPlants.Plant;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.platform.launcher.Launcher;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

/** Bugs in rooms that the simulation does not play. The tests of the room, run on classes with the bug, have to fail. */
@Tag("planted-bugs")
class PlantedRoomsTest {

    private static final String ROOMS = PlantCompiler.PACKAGE + ".internal.";
    private static final String LEADER = ROOMS + "leader.CandidateTest";
    private static final String ORDER = ROOMS + "order.NestedOrderTest";
    private static final String LEADER_MODEL = ROOMS + "leader.CandidateModelTest";
    private static final String JOB = ROOMS + "job.JobTest";
    private static final String RECORDS = ROOMS + "job.RunRecordsTest";
    private static final String JOB_MODEL = ROOMS + "job.JobModelTest";
    private static final String SEARCH = ROOMS + "deadlock.DeadlockSearchTest";
    private static final String SUSPECTS = ROOMS + "deadlock.SuspectsTest";

    private record Planted(Plant plant, String test) {

        static Planted in(String file, String name, String snippet, String replacement, String test) {
            return new Planted(new Plant(name, file, snippet, replacement), test);
        }

        @Override
        public String toString() {
            return plant.name();
        }
    }

    /** The tests that are known to pass without a bug. */
    private static final Set<String> cleanTests = new HashSet<>();

    static Stream<Planted> bugs() {
        return Stream.of(
                Planted.in(
                        "Candidate.java",
                        "two leaders by the old proof",
                        "return !isOver() && held != null && held.isHeld();",
                        "return !isOver() && held != null;",
                        LEADER),
                Planted.in(
                        "Candidate.java",
                        "a pause after stepping down that is ignored",
                        "private void end(String why, Duration pauseAfterwards) {",
                        "private void end(String why, Duration ignored) { Duration pauseAfterwards = Duration.ZERO;",
                        LEADER),
                Planted.in(
                        "Candidate.java",
                        "leadership given up while a task runs",
                        "left = haveTasksEnded() && isReleased();",
                        "left = isReleased();",
                        LEADER_MODEL),
                Planted.in(
                        "RunRecords.java",
                        "window by the local clock",
                        "new Seen(Instant.ofEpochMilli(millis), run)",
                        "new Seen(java.time.Clock.systemUTC().instant(), run)",
                        RECORDS),
                Planted.in(
                        "RunRecords.java",
                        "record of another run replaced",
                        "session.writeRecord(path, data, seen.version(), reply);",
                        "session.writeRecord(path, data, -1, reply);",
                        RECORDS),
                Planted.in(
                        "Job.java",
                        "run begun without a look under the lock",
                        "} else if (isDue(seen)) {\n                    record(handle, seen.run());",
                        "} else if (true) {\n                    record(handle, seen.run());",
                        JOB),
                Planted.in(
                        "RunRecords.java",
                        "two processes that clean at once",
                        "if (outcome == Outcome.OK) {\n                    unanswered = unused.size();",
                        "if (session != null) {\n                    unanswered = unused.size();",
                        RECORDS),
                Planted.in(
                        "RunRecords.java",
                        "record deleted that was written meanwhile",
                        "session.deleteRecord(path, entry.version(),",
                        "session.deleteRecord(path, -1,",
                        JOB_MODEL),
                Planted.in(
                        "RunRecords.java",
                        "begin that is given up and not fenced off",
                        "return fence(job, seen, present, data).thenCompose(fenced -> failed(\"writing\", outcome));",
                        "return failed(\"writing\", outcome);",
                        JOB_MODEL),
                Planted.in(
                        "Job.java",
                        "run of a call that has left and that counts",
                        "shared.underWay().remove(handle);\n                undo(handle, run);",
                        "shared.underWay().remove(handle);\n                release(handle);",
                        JOB_MODEL),
                Planted.in(
                        "RunRecords.java",
                        "undone run that counts",
                        "before == null ? begun.withoutRun() : before.same()",
                        "before == null ? begun.same() : before.same()",
                        JOB_MODEL),
                Planted.in(
                        "Job.java",
                        "run begun although its lock was lost",
                        "if (handle.state().isFinal()) {",
                        "if (handle == null) {",
                        JOB_MODEL),
                Planted.in(
                        "Job.java",
                        "lock kept by a call that has left",
                        "if (!isWanted()) {\n                    release(handle);",
                        "if (!isWanted()) {\n",
                        JOB_MODEL),
                Planted.in(
                        "Job.java",
                        "lock of a look that was not sent",
                        "} catch (RuntimeException | Error failed) {\n                    failUnder(handle, failed);",
                        "} catch (RuntimeException | Error failed) {\n                    fail(failed);",
                        JOB),
                Planted.in(
                        "Job.java",
                        "begin that was cancelled and stays in the queue",
                        "result.whenComplete((handle, failure) -> asked.cancel(false));",
                        "",
                        JOB),
                Planted.in(
                        "Job.java",
                        "success reported although another run had begun",
                        "if (record == null) {\n                                throw",
                        "if (record == null && name() == null) {\n                                throw",
                        JOB),
                Planted.in(
                        "RunRecord.java",
                        "success of an earlier run forgotten by an undo",
                        "number(\"window\"), begun(), succeeded());",
                        "number(\"window\"), begun(), null);",
                        JOB),
                Planted.in(
                        "NestedOrder.java",
                        "contradiction logged each time",
                        "if (opposite.isEmpty() || !fails) {",
                        "if (opposite.isEmpty()) {",
                        ORDER),
                Planted.in(
                        "Suspects.java",
                        "circle not armed again",
                        "        suspects = present;\n",
                        "        suspects = present.isEmpty() ? suspects : present;\n",
                        SUSPECTS),
                Planted.in(
                        "Suspects.java",
                        "circle that was read before its end",
                        "link.version() > before.version() + 1",
                        "link.version() > before.version()",
                        SUSPECTS),
                Planted.in(
                        "DeadlockSearch.java",
                        "later hold of the same seat taken for the same",
                        " && hold.equals(other.hold)",
                        "",
                        SUSPECTS),
                Planted.in(
                        "DeadlockSearch.java",
                        "semaphore stuck by one of its holders",
                        "return !kept.isEmpty() && wait.permits() > of - permits;",
                        "return !kept.isEmpty();",
                        SEARCH),
                Planted.in(
                        "DeadlockSearch.java",
                        "own number of permits counts alone in a circle",
                        ".reduce(wait.of(), Math::min);",
                        ".reduce(wait.of(), (one, other) -> one);",
                        SEARCH),
                Planted.in(
                        "DeadlockSearch.java",
                        "waiting seat taken for a holder",
                        "queue(waiter.wait.lock()).holders()",
                        "queue(waiter.wait.lock()).seats()",
                        SEARCH));
    }

    @Tag("planted-bugs")
    @ParameterizedTest
    @MethodSource("bugs")
    void bugIsFoundByTheTestsOfItsRoom(Planted planted) throws Exception {
        if (!cleanTests.contains(planted.test())) {
            assertThat(failures(Map.of(), planted.test()))
                    .as("failures of %s without the bug", planted.test())
                    .isZero();
            cleanTests.add(planted.test());
        }

        Map<String, byte[]> classes = new PlantCompiler(Path.of("src", "main", "java")).compile(planted.plant());

        assertThat(failures(classes, planted.test()))
                .as("failures of %s", planted.test())
                .isPositive();
    }

    private static long failures(Map<String, byte[]> planted, String test) throws Exception {
        Class<?> tests = new PlantedLoader(planted).loadClass(test);
        LauncherDiscoveryRequest request = LauncherDiscoveryRequestBuilder.request()
                .selectors(selectClass(tests))
                .build();
        SummaryGeneratingListener listener = new SummaryGeneratingListener();
        Launcher launcher = LauncherFactory.create();
        launcher.execute(request, listener);
        TestExecutionSummary summary = listener.getSummary();
        assertThat(summary.getTestsStartedCount()).as("tests of %s", test).isPositive();
        return summary.getTestsFailedCount();
    }
}
