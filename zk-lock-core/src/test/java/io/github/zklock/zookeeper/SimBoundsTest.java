package io.github.zklock.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/**
 * That the assumptions of docs/failure-model.md are needed: beyond each bound, schedules are found in which two holders are
 * valid at once. Within the bounds, {@link SimulationTest} finds none.
 */
class SimBoundsTest {

    private static final long SCHEDULES = 30_000;
    private static final long FIRST_SEED = 5_000_000;

    @Test
    void bucketsMayNotTakeLongerToCloseThanAQuarterOfTheTimeout() throws InterruptedException {
        assertThat(violationsBeyond(plan -> plan.withConditions(
                        plan.conditions()
                                .withExpiryLoop(4
                                        * SimConditions.expiryLoopBound(
                                                plan.conditions().least())),
                        plan.members())))
                .isTrue();
    }

    @Test
    void pingsMayNotBeFurtherApartThanAThirdOfTheTimeout() throws InterruptedException {
        assertThat(violationsBeyond(plan -> plan.withConditions(
                        plan.conditions().withPingStall(plan.conditions().least() * SimPlan.TICK), plan.members())))
                .isTrue();
    }

    @Test
    void clocksMayNotDriftByMoreThanTheMargin() throws InterruptedException {
        assertThat(violationsBeyond(plan -> plan.withConditions(
                        plan.conditions(),
                        plan.members().stream()
                                .map(member -> member.withDrift(-125_000))
                                .toList())))
                .isTrue();
    }

    /** Whether somebody was valid beside another holder, or without a node. */
    private static boolean violationsBeyond(UnaryOperator<SimPlan> bound) throws InterruptedException {
        try (SimSilence engine = new SimSilence()) {
            return new SimRunner(seed -> bound.apply(SimPlanner.plan(seed, SimKinds.EXCLUSIVE)), FIRST_SEED, SCHEDULES)
                    .run(progress -> {}).failures().stream()
                            .anyMatch(failure -> failure.violation().check().matches("K1|K4|K5"));
        }
    }
}
