package io.github.zklock.zookeeper.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The engine on a simulated ensemble, through schedules full of faults. */
class SimulationTest {

    private static final SimKinds KINDS = SimKinds.asked();
    private static final long SCHEDULES = 20_000;
    private static final long SCHEDULES_WITH_ERRORS = 2_000;
    private static final long SCHEDULES_FOR_PLANTS = 50_000;
    private static final long FIRST_SEED = 1;

    @Test
    void noScheduleViolatesAnyCheck() throws InterruptedException {
        SimReport report;
        try (SimSilence engine = new SimSilence()) {
            report = new SimReport(new SimRunner(KINDS, FIRST_SEED, SCHEDULES).run(progress -> {}), KINDS, FIRST_SEED);
            assertThat(engine.errorsBut(report.overtakenNodes())).isEmpty();
        }

        System.out.println(report.closingLine());
        assertThat(report.failures()).isEmpty();
        assertThat(report.hollowness()).isEmpty();
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
    void errorsInTheEngineViolateNoCheck() throws Exception {
        List<String> wrong;
        try (SimSilence engine = new SimSilence()) {
            wrong = SimErrorRun.run(KINDS.name(), FIRST_SEED, SCHEDULES_WITH_ERRORS);
        }

        assertThat(wrong).isEmpty();
    }

    @Test
    @Tag("planted-bugs")
    void everyPlantedBugIsFound() throws InterruptedException {
        List<String> verdicts;
        try (SimSilence engine = new SimSilence()) {
            verdicts = SimPlanted.hunt(SimPlants.ALL, FIRST_SEED, SCHEDULES_FOR_PLANTS);
        }

        verdicts.forEach(System.out::println);
        assertThat(verdicts).hasSizeGreaterThanOrEqualTo(45).allMatch(verdict -> verdict.contains(": found after"));
    }

    private static long traceOf(long seed) {
        return SimResult.of(SimPlanner.plan(seed, KINDS), false).hash();
    }
}
