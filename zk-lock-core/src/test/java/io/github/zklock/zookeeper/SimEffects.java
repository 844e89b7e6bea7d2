package io.github.zklock.zookeeper;

import java.util.Arrays;
import java.util.List;

/**
 * Measures which faults matter: some schedules run once more without one of their faults, and end differently or not. What
 * counts is who was granted the lock, in which order, who was refused and why, and who lost it.
 */
final class SimEffects {

    /** One schedule in so many is measured. */
    static final int SHARE = 16;

    private SimEffects() {}

    static void measure(SimResult result, SimTally total) {
        long seed = result.plan().seed();
        if (result.violation() != null || Math.floorMod(seed, SHARE) != 0) {
            return;
        }
        List<SimFault> faults = Arrays.stream(SimFault.values())
                .filter(fault -> result.plan().includes(fault) && result.tally().count(fault) > 0)
                .toList();
        if (!faults.isEmpty()) {
            SimFault fault = new SimRandom(seed).oneOf(faults);
            SimResult without = SimResult.of(result.plan().without(fault), false);
            total.measured(fault, without.ending() != result.ending());
        }
    }
}
