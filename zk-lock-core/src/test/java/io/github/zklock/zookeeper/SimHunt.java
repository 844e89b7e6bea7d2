package io.github.zklock.zookeeper;

/** Looks for the first schedule that shows a bug. Runs inside the class loader that has the bug. */
final class SimHunt {

    private SimHunt() {}

    /**
     * How many schedules it took, and what was seen; or {@code not found}.
     *
     * @param symptom what the violation must speak of
     */
    static String hunt(long firstSeed, long schedules, String symptom) {
        for (long i = 0; i < schedules; i++) {
            SimViolation violation =
                    SimResult.of(SimPlanner.plan(firstSeed + i), false).violation();
            if (violation != null && violation.what().contains(symptom)) {
                return "found after " + (i + 1) + " schedules: " + violation;
            }
        }
        return "not found in " + schedules + " schedules";
    }
}
