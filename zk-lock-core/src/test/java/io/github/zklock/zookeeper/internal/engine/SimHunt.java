package io.github.zklock.zookeeper.internal.engine;

import io.github.zklock.zookeeper.internal.runtime.EngineLog;

/** Looks for the first schedule that shows a bug. Runs inside the class loader that has the bug. */
final class SimHunt {

    private SimHunt() {}

    /**
     * How many schedules it took, and what was seen; or {@code not found}.
     *
     * @param kinds the name of the {@link SimKinds} in which to look
     * @param symptom what the violation must speak of
     */
    static String hunt(String kinds, long firstSeed, long schedules, String symptom) {
        for (long i = 0; i < schedules; i++) {
            long errors = EngineLog.errors();
            SimResult result = SimResult.of(SimPlanner.plan(firstSeed + i, SimKinds.valueOf(kinds)), false);
            SimViolation violation = result.violation();
            if (EngineLog.errors() > errors && result.tally().overtakenNodes.isEmpty()) {
                return "found after " + (i + 1) + " schedules: the engine has logged an error";
            }
            if (violation != null && violation.what().contains(symptom)) {
                return "found after " + (i + 1) + " schedules: " + violation;
            }
        }
        return "not found in " + schedules + " schedules";
    }
}
