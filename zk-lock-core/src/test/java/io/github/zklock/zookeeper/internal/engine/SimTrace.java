package io.github.zklock.zookeeper.internal.engine;

import java.util.ArrayList;
import java.util.List;

/** What happened in one schedule: as text if somebody wants to read it, always as two numbers. */
final class SimTrace {

    private static final long PRIME = 0x100000001B3L;

    private final SimScheduler scheduler;
    private final boolean readable;
    private final List<String> lines = new ArrayList<>();
    private long hash = 0xCBF29CE484222325L;
    private long shape = 0xCBF29CE484222325L;

    SimTrace(SimScheduler scheduler, boolean readable) {
        this.scheduler = scheduler;
        this.readable = readable;
    }

    void note(String what, int who, Object how, Object about) {
        long code = (what.hashCode() * 31L + who) * 31 + hashOf(how);
        shape = (shape ^ code) * PRIME;
        hash = (((hash ^ code) * PRIME) ^ hashOf(about)) * PRIME ^ scheduler.now();
        if (readable) {
            lines.add("%12.3f ms  p%d  %-16s %s %s".formatted(scheduler.now() / 1e6, who, what, how, about));
        }
    }

    /** Of everything, instants included. */
    long hash() {
        return hash;
    }

    /** Of what happened in which order, without instants. */
    long shape() {
        return shape;
    }

    List<String> lines() {
        return lines;
    }

    // an enum's own hash code differs from run to run
    @SuppressWarnings("EnumOrdinal")
    private static int hashOf(Object value) {
        return value instanceof Enum<?> constant ? constant.ordinal() : value.hashCode();
    }
}
