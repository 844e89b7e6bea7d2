package io.github.zklock.zookeeper.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.zookeeper.internal.runtime.EngineLog;
import io.github.zklock.zookeeper.internal.session.SessionProof;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The engine on a simulated ensemble, through schedules full of faults. */
class SimulationTest {

    private static final SimKinds KINDS = SimKinds.asked();
    private static final long FIRST_SEED = 1;

    @Test
    @Tag("short-simulation")
    void noScheduleViolatesAnyCheck() throws InterruptedException {
        assertThatNoScheduleViolatesAnyCheck(3_000);
    }

    @Test
    @Tag("long-simulation")
    void noScheduleOfManyViolatesAnyCheck() throws InterruptedException {
        assertThatNoScheduleViolatesAnyCheck(20_000);
    }

    /** A suspension stopped both clocks, which is beyond the bounds, and the bucket was polled after it. */
    @Test
    void aSuspensionBeyondTheBoundsIsNoViolation() {
        SimResult result = SimResult.of(SimPlanner.plan(1_700_021_321, SimKinds.EXCLUSIVE), false);

        assertThat(result.violation()).isNull();
    }

    /** A reader that waited for its proof left behind another reader, which did not block it. */
    @Test
    void aLaterReaderIsNotToldOfAReaderThatBlocksNoReader() {
        SimResult result = SimResult.of(SimPlanner.plan(2_000_179_542, SimKinds.ALL), false);

        assertThat(result.violation()).isNull();
    }

    /** A seat of another kind stood behind one that was downgraded. */
    @Test
    void aSeatOfAnotherKindBehindOneThatWasDowngradedIsNotTheFirst() {
        SimResult result = SimResult.of(SimPlanner.plan(2_630_048_995L, SimKinds.ALL), false);

        assertThat(result.violation()).isNull();
    }

    /** A create that counted as lost was executed late, on a session that stays when the registry is closed. */
    @Test
    void aNodeThatIsCreatedAfterTheCloseOfTheRegistryIsDeleted() {
        SimResult result = SimResult.of(SimPlanner.plan(2_400_130_232L, SimKinds.ALL), false);

        assertThat(result.violation()).isNull();
    }

    @Test
    void theSameSeedGivesTheSameTrace() {
        List<Long> once =
                LongStream.range(0, 50).map(SimulationTest::traceOf).boxed().toList();
        List<Long> again =
                LongStream.range(0, 50).map(SimulationTest::traceOf).boxed().toList();

        assertThat(again).isEqualTo(once).doesNotHaveDuplicates();
    }

    @Test
    void aReadableTraceIsOfTheSameSchedule() {
        SimResult told = SimResult.of(SimPlanner.plan(7, KINDS), true);

        assertThat(told.hash()).isEqualTo(traceOf(7));
        assertThat(told.lines()).isNotEmpty();
    }

    @Test
    void anErrorThatAnyRoomLogsIsNoticed() {
        try (SimSilence engine = new SimSilence()) {
            EngineLog.of(SessionProof.class).error("Node /locks/a of no session");

            assertThat(engine.errorsBut(List.of("/locks/b")))
                    .singleElement()
                    .asString()
                    .contains("/locks/a");
            assertThat(engine.errorsBut(List.of("/locks/a"))).isEmpty();
        }
    }

    @Test
    @Tag("short-simulation")
    void errorsInTheEngineViolateNoCheck() throws Exception {
        assertThatErrorsViolateNoCheck(300);
    }

    @Test
    @Tag("long-simulation")
    void errorsInManySchedulesViolateNoCheck() throws Exception {
        assertThatErrorsViolateNoCheck(2_000);
    }

    @Test
    @Tag("planted-bugs")
    void everyPlantedBugIsFound() throws InterruptedException {
        List<String> lines;
        try (SimSilence engine = new SimSilence()) {
            lines = SimPlantRunner.replay(SimPlants.ALL);
        }

        lines.forEach(System.out::println);
        assertThat(lines).hasSameSizeAs(SimPlants.ALL).allMatch(SimPlantRunner::isFound);
    }

    private static void assertThatNoScheduleViolatesAnyCheck(long schedules) throws InterruptedException {
        SimReport report;
        try (SimSilence engine = new SimSilence()) {
            report = new SimReport(new SimRunner(KINDS, FIRST_SEED, schedules).run(progress -> {}), KINDS, FIRST_SEED);
            assertThat(engine.errorsBut(report.overtakenNodes())).isEmpty();
        }

        System.out.println(report.closingLine());
        assertThat(report.failures()).isEmpty();
        assertThat(report.hollowness()).isEmpty();
    }

    private static void assertThatErrorsViolateNoCheck(long schedules) throws Exception {
        List<String> wrong;
        try (SimSilence engine = new SimSilence()) {
            wrong = SimErrorRun.run(KINDS.name(), FIRST_SEED, schedules);
        }

        assertThat(wrong).isEmpty();
    }

    private static long traceOf(long seed) {
        return SimResult.of(SimPlanner.plan(seed, KINDS), false).hash();
    }
}
