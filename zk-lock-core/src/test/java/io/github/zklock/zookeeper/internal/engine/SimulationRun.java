package io.github.zklock.zookeeper.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The long run, outside the default build: {@code -Dsimulation.schedules=N} runs N schedules from {@code
 * -Dsimulation.seed=N}, of the locks that {@code -Dsimulation.kinds} names; with a seed alone that one schedule is
 * replayed and told; {@code -Dsimulation.errors=N} runs N schedules in which Errors hit the engines; {@code
 * -Dsimulation.planted=all} hunts for the planted bugs, from the seed if one is given, and {@code
 * -Dsimulation.planted=NAME} for one of them.
 */
@Tag("simulation-run")
class SimulationRun {

    private static final long FIRST_SEED = 1_000_000_000L;

    @Test
    void noScheduleViolatesAnyCheck() throws InterruptedException {
        long schedules = Long.getLong("simulation.schedules", 0);
        assumeTrue(schedules > 0, "no -Dsimulation.schedules");
        long seed = Long.getLong("simulation.seed", FIRST_SEED);
        SimKinds kinds = SimKinds.asked();
        Progress progress = new Progress(schedules);

        SimReport report;
        List<String> failures;
        try (SimSilence engine = new SimSilence()) {
            report = new SimReport(new SimRunner(kinds, seed, schedules).run(progress::tell), kinds, seed);
            failures = new ArrayList<>(report.failures());
            failures.addAll(engine.errorsBut(report.overtakenNodes()));
        }
        List<String> hollowness = report.hollowness();
        failures.forEach(System.out::println);
        hollowness.forEach(reason -> System.out.println("hollow: " + reason));
        System.out.println(report.closingLine());
        assertThat(failures).isEmpty();
        assertThat(hollowness).isEmpty();
    }

    @Test
    void aSeedIsReplayed() {
        Long seed = Long.getLong("simulation.seed");
        assumeTrue(
                seed != null
                        && Long.getLong("simulation.schedules") == null
                        && Long.getLong("simulation.errors") == null
                        && System.getProperty("simulation.planted") == null,
                "no -Dsimulation.seed alone");

        SimResult result = SimResult.of(SimPlanner.plan(seed, SimKinds.asked()), true);

        SimReport.story(result).forEach(System.out::println);
        if (result.violation() != null) {
            System.out.println("shrunk:");
            SimReport.story(SimShrinker.shrink(result)).forEach(System.out::println);
        }
        assertThat(result.violation()).isNull();
    }

    @Test
    void errorsInTheEngineViolateNoCheck() throws Exception {
        long schedules = Long.getLong("simulation.errors", 0);
        assumeTrue(schedules > 0, "no -Dsimulation.errors");
        long seed = Long.getLong("simulation.seed", FIRST_SEED);

        List<String> wrong;
        try (SimSilence engine = new SimSilence()) {
            wrong = SimErrorRun.run(SimKinds.asked().name(), seed, schedules);
        }

        wrong.forEach(System.out::println);
        assertThat(wrong).isEmpty();
    }

    @Test
    void plantedBugsAreFound() throws InterruptedException {
        String planted = System.getProperty("simulation.planted");
        assumeTrue(planted != null, "no -Dsimulation.planted");
        List<SimPlant> plants = SimPlants.ALL.stream()
                .filter(plant ->
                        planted.equals("all") || planted.equals(plant.bug().id()))
                .toList();

        List<String> lines;
        try (SimSilence engine = new SimSilence()) {
            lines = SimPlantRunner.hunt(plants, Long.getLong("simulation.seed", FIRST_SEED));
        }

        lines.forEach(System.out::println);
        assertThat(lines).as("bugs of this name").isNotEmpty().allMatch(SimPlantRunner::isFound);
    }

    /** Says how far it is, for those who wait. */
    private static final class Progress {
        private final long all;
        private final long begun = System.nanoTime();

        Progress(long all) {
            this.all = all;
        }

        void tell(long done) {
            long seconds = (System.nanoTime() - begun) / 1_000_000_000L;
            System.out.println("simulated " + done + " of " + all + " schedules in " + seconds + " s");
        }
    }
}
