package io.github.zklock.zookeeper;

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
            SimViolation violation = SimResult.of(SimPlanner.plan(firstSeed + i, SimKinds.valueOf(kinds)), false)
                    .violation();
            if (violation != null && violation.what().contains(symptom)) {
                return "found after " + (i + 1) + " schedules: " + violation;
            }
        }
        return "not found in " + schedules + " schedules";
    }
}
