package io.github.zklock.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collections;
import java.util.function.UnaryOperator;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/**
 * That the assumptions of docs/failure-model.md are needed: beyond each bound, schedules are found in which two holders are
 * valid at once, or a lock is not served. Within the bounds, {@link SimulationTest} finds none.
 */
class SimBoundsTest {

    private static final long SCHEDULES = 30_000;
    private static final long FIRST_SEED = 5_000_000;
    /** Few schedules depend on the margin: one is soon after this seed. */
    private static final long FIRST_SEED_OF_DRIFT = 5_028_600;

    @Test
    void bucketsMayNotTakeLongerToCloseThanAQuarterOfTheTimeout() {
        assertThat(violationsBeyond(
                        FIRST_SEED,
                        plan -> plan.withConditions(
                                plan.conditions()
                                        .withExpiryLoop(4
                                                * SimConditions.expiryLoopBound(
                                                        plan.conditions().least())),
                                plan.members())))
                .isTrue();
    }

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

    /** A touch takes up to a tick from the observer to the leader: too much for a session of two ticks. */
    @Test
    void sessionsOfTwoTicksAreNotServedByAnObserver() {
        assertThat(violationsBeyond(
                        FIRST_SEED,
                        "K7",
                        plan -> plan.withConditions(
                                plan.conditions()
                                        .withGranted(Collections.nCopies(SimEnsemble.VOTERS, 2), 2)
                                        .withObserver(2),
                                plan.members())))
                .isTrue();
    }

    private static boolean violationsBeyond(long firstSeed, UnaryOperator<SimPlan> bound) {
        return violationsBeyond(firstSeed, "K1|K4|K5", bound);
    }

    /**
     * Whether one of these checks is violated: by default, whether a client was valid beside another holder, or without a
     * node. The search ends with the first such schedule.
     * Each first seed is shortly before a known one; the other schedules are a reserve for changes of the planner.
     */
    private static boolean violationsBeyond(long firstSeed, String checks, UnaryOperator<SimPlan> bound) {
        try (SimSilence engine = new SimSilence()) {
            return LongStream.range(firstSeed, firstSeed + SCHEDULES)
                    .mapToObj(seed -> SimResult.of(bound.apply(SimPlanner.plan(seed, SimKinds.EXCLUSIVE)), false))
                    .filter(result -> result.violation() != null
                            && result.violation().check().matches(checks))
                    .peek(result ->
                            System.out.println("seed=" + result.plan().seed() + " violates " + result.violation()))
                    .findFirst()
                    .isPresent();
        }
    }
}
