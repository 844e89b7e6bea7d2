package io.github.zklock.zookeeper;

import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;

/** Notices that the wall clock ran ahead of the monotonic one, as it does when a machine was suspended. (M19) */
final class ClockWatch {

    /** One sample each T/8: what happened within a session's life counts together. */
    private static final int SAMPLES = 8;

    private final Time time;
    private final Deque<Long> leads = new ArrayDeque<>();

    ClockWatch(Time time) {
        this.time = time;
        reset();
    }

    /** By how much the wall clock has gained on the monotonic one over the last samples; takes one. */
    long sampleGainNanos() {
        long lead = lead();
        long gain = lead - Collections.min(leads);
        leads.addLast(lead);
        if (leads.size() > SAMPLES) {
            leads.removeFirst();
        }
        return gain;
    }

    /** What was gained so far is known: what comes is compared with now. */
    void reset() {
        leads.clear();
        leads.addLast(lead());
    }

    private long lead() {
        return time.wallNanos() - time.nanoTime();
    }
}
