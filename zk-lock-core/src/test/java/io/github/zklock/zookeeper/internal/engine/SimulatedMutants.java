package io.github.zklock.zookeeper.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A short simulation for mutation tests, which end at the first violation: {@code -Dmutation.schedules} is the number
 * of schedules.
 */
@Tag("simulation-run")
class SimulatedMutants {

    @Test
    void noScheduleViolatesAnyCheck() {
        try (SimSilence engine = new SimSilence()) {
            LongStream.rangeClosed(1, Long.getLong("mutation.schedules", 0))
                    .forEach(SimulatedMutants::assertThatNoCheckIsViolated);

            assertThat(engine.errors()).isEmpty();
        }
    }

    private static void assertThatNoCheckIsViolated(long seed) {
        assertThat(SimResult.of(SimPlanner.plan(seed, SimKinds.ALL), false).violation())
                .as("seed %d", seed)
                .isNull();
    }
}
