package io.github.zklock.zookeeper.internal.engine;

import io.github.zklock.zookeeper.internal.runtime.EngineLog;

/** Looks for the first schedule that shows a bug. Runs inside the class loader that has the bug. */
final class SimHunt {

    private SimHunt() {}

    /**
     * Returns how many schedules it took, the seed of the last one, and what was seen; or {@code not found}.
     *
     * @param kinds the name of the {@link SimKinds} in which to look
     * @param symptom what the violation must speak of
     */
    static String hunt(String kinds, long firstSeed, long schedules, String symptom) {
        for (long i = 0; i < schedules; i++) {
            long errors = EngineLog.errors();
            long seed = firstSeed + i;
            SimResult result = SimResult.of(SimPlanner.plan(seed, SimKinds.valueOf(kinds)), false);
            SimViolation violation = result.violation();
            if (EngineLog.errors() > errors && result.tally().overtakenNodes.isEmpty()) {
                return found(i + 1, seed, "the engine has logged an error");
            }
            if (violation != null && violation.what().contains(symptom)) {
                return found(i + 1, seed, violation.toString());
            }
        }
        return "not found in " + schedules + " schedules";
    }

    private static String found(long schedules, long seed, String seen) {
        return "found after " + schedules + " schedules, seed " + seed + ": " + seen;
    }
}
