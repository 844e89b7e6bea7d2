package io.github.zklock.zookeeper;

import io.github.zklock.zookeeper.SimRunner.Summary;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** What a run has to say, and whether it has looked at enough to say anything. */
final class SimReport {

    private static final long FLOOR = 1_000;
    private static final long SCHEDULES_FOR_FLOOR = 20_000;

    private final Summary summary;
    private final long seed;

    SimReport(Summary summary, long seed) {
        this.summary = summary;
        this.seed = seed;
    }

    String closingLine() {
        SimTally tally = summary.tally();
        String faults = Arrays.stream(SimFault.values())
                .map(fault -> fault + "=" + tally.count(fault))
                .collect(Collectors.joining(",", "{", "}"));
        return "simulation: schedules=" + tally.schedules + " steps=" + tally.events + " faults=" + faults + " grants="
                + tally.grants + " handovers=" + tally.handovers + " lapses=" + tally.lapses + " losses="
                + tally.losses + " seed=" + seed + " violations="
                + summary.failures().size();
    }

    /** The failures, the first one shrunk and told step by step. */
    List<String> failures() {
        List<String> lines = new ArrayList<>();
        for (SimResult failure : summary.failures()) {
            lines.add("seed=" + failure.plan().seed() + " violates " + failure.violation());
        }
        if (!summary.failures().isEmpty()) {
            SimResult first = summary.failures().get(0);
            lines.add("replay with -Dsimulation.seed=" + first.plan().seed() + "; shrunk it reads:");
            lines.addAll(story(SimShrinker.shrink(first)));
        }
        return lines;
    }

    static List<String> story(SimResult result) {
        List<String> lines = new ArrayList<>(result.plan().describe());
        lines.addAll(result.lines());
        lines.add("seed=" + result.plan().seed() + ": "
                + (result.violation() == null ? "no violation" : result.violation()));
        return lines;
    }

    /** Why the run proves nothing; empty if it does. */
    List<String> hollowness() {
        SimTally tally = summary.tally();
        List<String> reasons = new ArrayList<>();
        require(reasons, "grants", tally.grants, 2 * tally.schedules);
        require(reasons, "faults", tally.allFaults(), tally.schedules);
        require(reasons, "contenders", tally.contenders, 3 * tally.schedules);
        require(reasons, "distinct traces", summary.distinctShapes(), tally.schedules * 9 / 10);
        long floor = FLOOR * Math.min(tally.schedules, SCHEDULES_FOR_FLOOR) / SCHEDULES_FOR_FLOOR;
        for (SimFault fault : SimFault.values()) {
            require(reasons, fault.name(), tally.count(fault), floor);
        }
        for (SimStep step : SimStep.values()) {
            require(reasons, step.name(), tally.count(step), floor);
        }
        return reasons;
    }

    private static void require(List<String> reasons, String what, long count, long floor) {
        if (count < floor) {
            reasons.add(what + " only " + count + " times, not " + floor);
        }
    }
}
