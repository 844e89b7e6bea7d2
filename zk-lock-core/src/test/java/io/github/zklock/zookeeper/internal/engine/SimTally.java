package io.github.zklock.zookeeper.internal.engine;

import io.github.zklock.LockKind;
import java.util.HashSet;
import java.util.Set;

/** What was hit how often, in one schedule or in many. */
// plain arrays, as this is counted several times in each microsecond
@SuppressWarnings("EnumOrdinal")
final class SimTally {

    final long[] steps = new long[SimStep.values().length];
    final long[] faults = new long[SimFault.values().length];
    final long[] effects = new long[SimFault.values().length];
    final long[] measured = new long[SimFault.values().length];
    long schedules;
    long events;
    long grants;
    long handovers;
    long lapses;
    long losses;
    long contenders;
    long refusedWrites;
    long acceptedWrites;
    long histories;
    long foreignDowngrades;
    /** Claims that were refused as the numbers of their queue had come to their end. */
    long usedUp;

    long negativeNumbers;
    /** Nodes of a request that came, by an observer, when its session had moved on. Their seats may have been given up. */
    final Set<String> overtakenNodes = new HashSet<>(0);

    final long[] grantsByKind = new long[LockKind.values().length];

    void hit(SimStep step) {
        steps[step.ordinal()]++;
    }

    void hit(SimFault fault) {
        faults[fault.ordinal()]++;
    }

    /** @param different whether the schedule ended differently without the fault */
    void measured(SimFault fault, boolean different) {
        measured[fault.ordinal()]++;
        effects[fault.ordinal()] += different ? 1 : 0;
    }

    /** How many schedules were run again without this fault. */
    long measured(SimFault fault) {
        return measured[fault.ordinal()];
    }

    /** How many of them ended differently. */
    long effects(SimFault fault) {
        return effects[fault.ordinal()];
    }

    void granted(LockKind kind) {
        grants++;
        grantsByKind[kind.ordinal()]++;
    }

    long count(LockKind kind) {
        return grantsByKind[kind.ordinal()];
    }

    long count(SimStep step) {
        return steps[step.ordinal()];
    }

    long count(SimFault fault) {
        return faults[fault.ordinal()];
    }

    long allFaults() {
        long all = 0;
        for (long each : faults) {
            all += each;
        }
        return all;
    }

    void add(SimTally other) {
        for (int i = 0; i < steps.length; i++) {
            steps[i] += other.steps[i];
        }
        for (int i = 0; i < faults.length; i++) {
            faults[i] += other.faults[i];
            effects[i] += other.effects[i];
            measured[i] += other.measured[i];
        }
        schedules += other.schedules;
        events += other.events;
        grants += other.grants;
        handovers += other.handovers;
        lapses += other.lapses;
        losses += other.losses;
        contenders += other.contenders;
        refusedWrites += other.refusedWrites;
        acceptedWrites += other.acceptedWrites;
        histories += other.histories;
        foreignDowngrades += other.foreignDowngrades;
        usedUp += other.usedUp;
        negativeNumbers += other.negativeNumbers;
        overtakenNodes.addAll(other.overtakenNodes);
        for (int i = 0; i < grantsByKind.length; i++) {
            grantsByKind[i] += other.grantsByKind[i];
        }
    }
}
