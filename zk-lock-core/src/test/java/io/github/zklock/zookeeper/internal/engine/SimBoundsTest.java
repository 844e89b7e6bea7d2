package io.github.zklock.zookeeper.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.function.UnaryOperator;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Shows that the assumptions of docs/internals/session-proof.md are needed: beyond each bound, there are schedules in
 * which two holders are valid at once. Within the bounds, {@link SimulationTest} finds none.
 */
@Tag("long-simulation")
class SimBoundsTest {

    private static final long SCHEDULES = 30_000;
    private static final long FIRST_SEED = 5_002_500;
    /** Few schedules depend on the margin: one is soon after this seed. */
    private static final long FIRST_SEED_OF_DRIFT = 5_192_680;

    @Test
    void pingsMayNotBeFurtherApartThanAThirdOfTheTimeout() {
        assertThat(violationsBeyond(
                        FIRST_SEED,
                        plan -> plan.withConditions(
                                plan.conditions()
                                        .withPingStall(plan.conditions().least() * SimPlan.TICK),
                                plan.members())))
                .isTrue();
    }

    @Test
    void clocksMayNotDriftByMoreThanTheMargin() {
        assertThat(violationsBeyond(
                        FIRST_SEED_OF_DRIFT,
                        plan -> plan.withConditions(
                                plan.conditions(),
                                plan.members().stream()
                                        .map(member -> member.withDrift(-125_000))
                                        .toList())))
                .isTrue();
    }

    /**
     * Whether a client was valid beside another holder, or without a node. The search ends with the first such schedule.
     * Each first seed is shortly before a known one; the other schedules are a reserve for changes of the planner.
     */
    private static boolean violationsBeyond(long firstSeed, UnaryOperator<SimPlan> bound) {
        try (SimSilence engine = new SimSilence()) {
            return LongStream.range(firstSeed, firstSeed + SCHEDULES)
                    .mapToObj(seed -> SimResult.of(bound.apply(SimPlanner.plan(seed, SimKinds.EXCLUSIVE)), false))
                    .filter(result -> result.violation() != null
                            && result.violation().check().matches("K1|K4|K5"))
                    .peek(result ->
                            System.out.println("seed=" + result.plan().seed() + " violates " + result.violation()))
                    .findFirst()
                    .isPresent();
        }
    }
}
