package io.github.zklock.zookeeper.internal.engine;

import io.github.zklock.LockKind;
import io.github.zklock.zookeeper.internal.engine.SimRunner.Summary;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** What a run has to say, and whether it has looked at enough to say anything. */
final class SimReport {

    /** So often in so many schedules. */
    private static final long FLOOR = 700;

    private static final long SCHEDULES_FOR_FLOOR = 20_000;
    /** A fault has to change so many endings in so many schedules, of those that are measured. */
    private static final long EFFECTS = 1;

    private static final long SCHEDULES_FOR_EFFECTS = 20_000;

    /** What schedules of exclusive locks alone do not come to. */
    private static final Set<SimStep> OF_OTHER_KINDS = EnumSet.of(
            SimStep.DATA_WRITTEN,
            SimStep.WRITE_IN_DOUBT,
            SimStep.REPLACE_SENT,
            SimStep.REPLACE_IN_DOUBT,
            SimStep.GRANT_BESIDE_OTHERS,
            SimStep.DOWNGRADED,
            SimStep.WRITE_GIVEN_BACK_FIRST,
            SimStep.READ_GIVEN_BACK_FIRST,
            SimStep.WITHDRAWN_READING,
            SimStep.REFUSED_MISMATCH);

    /** What takes a fault at one moment, and a process that passes a lock on among seats of its own. */
    private static final Set<SimStep> RARE = EnumSet.of(
            SimStep.BATCH_IN_DOUBT,
            SimStep.SEAT_SHARED_TRANSACTION,
            SimStep.CLOSED_WHILE_HELD,
            SimStep.REFUSED_NO_ROOM);

    /** These need servers of a kind that few schedules have. */
    private static final Set<SimFault> RARE_FAULTS = EnumSet.of(
            SimFault.SESSION_REPLACED, SimFault.CUT_OFF_AFTER_COMMIT, SimFault.QUEUE_DELETED, SimFault.TOUCHED_IN_VAIN);

    /** What the engine is to take no notice of. */
    private static final Set<SimFault> HARMLESS =
            EnumSet.of(SimFault.SEAT_REWRITTEN, SimFault.FOREIGN_CHILD, SimFault.CLOCK_STEP);

    private final Summary summary;
    private final SimKinds kinds;
    private final long seed;

    SimReport(Summary summary, SimKinds kinds, long seed) {
        this.summary = summary;
        this.kinds = kinds;
        this.seed = seed;
    }

    /** Nodes for which nobody in the engine is to blame. */
    Set<String> overtakenNodes() {
        return summary.tally().overtakenNodes;
    }

    String closingLine() {
        SimTally tally = summary.tally();
        String faults = Arrays.stream(SimFault.values())
                .map(fault -> fault + "=" + tally.count(fault))
                .collect(Collectors.joining(",", "{", "}"));
        String effects = Arrays.stream(SimFault.values())
                .map(fault -> fault + "=" + tally.effects(fault) + "/" + tally.measured(fault))
                .collect(Collectors.joining(",", "{", "}"));
        String kinds = Arrays.stream(LockKind.values())
                .map(kind -> kind + "=" + tally.count(kind))
                .collect(Collectors.joining(",", "{", "}"));
        return "simulation: schedules=" + tally.schedules + " steps=" + tally.events + " faults=" + faults + " effects="
                + effects
                + " grants="
                + tally.grants + " of=" + kinds + " downgrades=" + tally.count(SimStep.DOWNGRADED) + "+"
                + tally.foreignDowngrades + " mismatches=" + tally.count(SimStep.REFUSED_MISMATCH) + " histories="
                + tally.histories + " handovers=" + tally.handovers + " lapses=" + tally.lapses + " losses="
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
            lines.add("replay with -Dsimulation.seed=" + first.plan().seed() + " -Dsimulation.kinds=" + kinds
                    + "; shrunk it reads:");
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
        long floor = FLOOR * tally.schedules / SCHEDULES_FOR_FLOOR;
        for (SimFault fault : SimFault.values()) {
            // planned by SimEndings alone
            if (fault != SimFault.SEQUENCE_NEAR_END) {
                require(reasons, fault.name(), tally.count(fault), RARE_FAULTS.contains(fault) ? floor / 3 : floor);
                long effects = EFFECTS * tally.schedules / SCHEDULES_FOR_EFFECTS;
                if (!HARMLESS.contains(fault)) {
                    require(reasons, "effects of " + fault, tally.effects(fault), effects);
                }
            }
        }
        for (SimStep step : SimStep.values()) {
            if (step == SimStep.ENGINE_REPLACED) {
                // errors are planted by SimErrorRun alone, which has a floor of its own
                continue;
            }
            if (!OF_OTHER_KINDS.contains(step) && happens(step)) {
                require(reasons, step.name(), tally.count(step), RARE.contains(step) ? floor / 40 : floor);
            } else if (OF_OTHER_KINDS.contains(step) && kinds == SimKinds.ALL) {
                // these need somebody else who waits, at the right moment
                require(reasons, step.name(), tally.count(step), floor / 20);
            }
        }
        if (kinds == SimKinds.ALL) {
            for (LockKind kind : LockKind.values()) {
                require(reasons, "grants of kind " + kind, tally.count(kind), tally.schedules / 4);
            }
        }
        return reasons;
    }

    /** The shortcuts are for those who want to be alone, and threads come back to locks only. */
    private boolean happens(SimStep step) {
        boolean shortcut = step == SimStep.SHORTCUT_READ || RARE.contains(step);
        return switch (kinds) {
            case EXCLUSIVE, ALL -> true;
            case READ_WRITE -> !shortcut;
            case SEMAPHORE -> !shortcut && step != SimStep.REENTERED;
        };
    }

    private static void require(List<String> reasons, String what, long count, long floor) {
        if (count < floor) {
            reasons.add(what + " only " + count + " times, not " + floor);
        }
    }
}
