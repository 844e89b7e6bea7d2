package io.github.zklock.faults.check;

import io.github.zklock.faults.record.Pulse;
import io.github.zklock.faults.record.Timeline;
import io.github.zklock.faults.rig.Ensemble;

/** How exact a timeline is, and how long things may take on it. */
final class Margins {

    /** The servers write wall-clock milliseconds. */
    static final long SKEW = 25_000_000L;

    private static final long SESSION = Ensemble.SESSION_TIMEOUT.toNanos();
    private static final long TICK = Ensemble.TICK_MILLIS * 1_000_000L;
    /** ZooKeeper's client waits for up to a second before it connects again. */
    private static final long RECONNECTION = 1_000_000_000L;

    private static final long ANSWER = 500_000_000L;

    private final long slowest;

    Margins(Timeline timeline) {
        slowest = Pulse.slowest(timeline);
    }

    /*
     * The session of a holder that is gone ends T and a tick after its last sign of life, and with it ends its seat. Half a T
     * on top for clients that connect again once a second; one that waits for a second timeout takes longer still.
     */
    /** For how long somebody may wait for a lock that nobody has, once all is well. */
    long untilGranted() {
        return SESSION + SESSION / 2 + 2 * TICK + slowest;
    }

    /** For how long a holder may believe in a seat that somebody else has deleted: to the next renewal, and its answer. */
    long untilNoticed() {
        return SESSION / 8 + ANSWER + slowest;
    }

    /** The same of one whose session was closed by somebody else: it is told when it connects again. */
    long untilReconnected() {
        return RECONNECTION + ANSWER + slowest;
    }

    /** How much later than promised an answer may come. */
    long untilAnswered() {
        return ANSWER + slowest;
    }
}
