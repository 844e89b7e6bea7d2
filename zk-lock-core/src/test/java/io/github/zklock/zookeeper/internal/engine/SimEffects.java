package io.github.zklock.zookeeper.internal.engine;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * Measures which faults matter: some schedules run once more without one of their faults, and end differently or not. What
 * counts is who was granted the lock, in which order, who was refused and why, and who lost it.
 */
final class SimEffects {

    /** One schedule in so many is measured. */
    static final int SHARE = 8;
    /** Of those in which something rare happens. */
    private static final int SHARE_OF_RARE = 4;

    /** These happen seldom: where they do, they are measured. */
    private static final Set<SimFault> RARE = EnumSet.of(SimFault.TOUCHED_IN_VAIN, SimFault.SESSION_REPLACED);

    private SimEffects() {}

    static void measure(SimResult result, SimTally total) {
        long seed = result.plan().seed();
        boolean rare = RARE.stream().anyMatch(fault -> result.tally().count(fault) > 0);
        if (result.violation() != null || Math.floorMod(seed, rare ? SHARE_OF_RARE : SHARE) != 0) {
            return;
        }
        List<SimFault> faults = Arrays.stream(SimFault.values())
                .filter(fault -> result.plan().includes(fault) && result.tally().count(fault) > 0)
                .toList();
        if (!faults.isEmpty()) {
            SimFault fault = chosen(faults, new SimRandom(seed));
            SimResult without = SimResult.of(result.plan().without(fault), false);
            total.measured(fault, without.ending() != result.ending());
            // what is logged of this one is looked at, too
            total.overtakenNodes.addAll(without.tally().overtakenNodes);
        }
    }

    private static SimFault chosen(List<SimFault> faults, SimRandom random) {
        List<SimFault> seldom = faults.stream().filter(RARE::contains).toList();
        return random.oneOf(seldom.isEmpty() ? faults : seldom);
    }
}
