package io.github.zklock.zookeeper;

/** Notices that the wall clock ran ahead of the monotonic one, as it does when a machine was suspended. (M19) */
final class ClockWatch {

    private final Time time;
    private long lead;

    ClockWatch(Time time) {
        this.time = time;
        this.lead = lead();
    }

    /** Whether the wall clock has gained more than this since last asked. */
    boolean haveDrifted(long toleranceNanos) {
        long before = lead;
        lead = lead();
        return lead - before > toleranceNanos;
    }

    private long lead() {
        return time.wallNanos() - time.nanoTime();
    }
}
