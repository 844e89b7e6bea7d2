package io.github.zklock.zookeeper;

import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;

/** Notices that wall clock and monotonic clock have parted, as they do when a machine was suspended. (M19) */
final class ClockWatch {

    /** One sample each T/8: what happened within a session's life counts together. */
    private static final int SAMPLES = 8;

    private final Time time;
    private final Deque<Long> leads = new ArrayDeque<>();

    ClockWatch(Time time) {
        this.time = time;
        reset();
    }

    /** How far the clocks have drifted apart over the last samples, whichever ran ahead; takes a sample. */
    long sampleDriftNanos() {
        long lead = lead();
        // also backwards: a step back hides part of a suspension
        long drift = Math.max(lead - Collections.min(leads), Collections.max(leads) - lead);
        leads.addLast(lead);
        if (leads.size() > SAMPLES) {
            leads.removeFirst();
        }
        return drift;
    }

    /** What they drifted so far is known: what comes is compared with now. */
    void reset() {
        leads.clear();
        leads.addLast(lead());
    }

    private long lead() {
        return time.wallNanos() - time.nanoTime();
    }
}
