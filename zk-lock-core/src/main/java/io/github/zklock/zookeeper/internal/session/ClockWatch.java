package io.github.zklock.zookeeper.internal.session;

import io.github.zklock.zookeeper.internal.queue.Tokens;
import io.github.zklock.zookeeper.internal.runtime.Time;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.concurrent.TimeUnit;

/**
 * A comparison of the monotonic clock with the wall clock and with the leader's clock. If the machine was suspended,
 * the monotonic clock falls behind them. (M19, M28)
 */
public final class ClockWatch {

    /*
     * The monotonic clock may fall behind by up to T/24 unnoticed, which is half of the margin of the proof. (M32)
     *
     * If the wall clock stood still as well, only the leader's clock shows the suspension. A new node carries the time
     * at which the leader proposed it. That time lies between the instants at which the request was sent and answered.
     * So two nodes give a lower bound of how much further the leader's clock has run than this machine's. A new leader
     * has another clock.
     */

    /** The drift that is not noticed, as a fraction of the session timeout. */
    private static final int UNNOTICED = 24;
    /** The number of samples that are kept. One is taken each T/8, so drifts within one session timeout add up. */
    private static final int SAMPLES = 8;
    /**
     * The longest reading of both clocks, in nanoseconds. A longer one is repeated, because this thread was not running
     * in between.
     */
    private static final long LONGEST_READING = 1_000_000L;

    private static final int READINGS = 4;
    private static final int DENSITY = 64;

    /** The lower and the upper bound of the lead of the leader's clock, at an instant of the monotonic clock. */
    private record Lead(long at, long least, long most) {}

    private final Time time;
    private final Deque<Long> wallLeads = new ArrayDeque<>();
    private final Deque<Lead> leaderLeads = new ArrayDeque<>();
    private long epoch;

    public ClockWatch(Time time) {
        this.time = time;
        reset();
    }

    /** Returns whether a drift of this size must suspend the locks of a session with this timeout. */
    public static boolean isSuspicious(long drift, long timeoutNanos) {
        return drift > timeoutNanos / UNNOTICED;
    }

    /**
     * Returns how far the clocks of this machine have drifted apart since the wall clock had this lead, in either
     * direction.
     */
    public long driftNanosSince(long wallLead) {
        return Math.abs(wallLead() - wallLead);
    }

    /**
     * Takes a sample. Returns how far the clocks of this machine have drifted apart over the last samples, in either
     * direction.
     */
    public long sampleDriftNanos() {
        long lead = wallLead();
        // in both directions: if the wall clock is set back, that hides part of a suspension
        long drift = Math.max(lead - Collections.min(wallLeads), Collections.max(wallLeads) - lead);
        wallLeads.addLast(lead);
        if (wallLeads.size() > SAMPLES) {
            wallLeads.removeFirst();
        }
        return drift;
    }

    /**
     * Returns a lower bound of how much further the leader's clock than the monotonic clock has run within the last
     * session timeout.
     *
     * @param zxid the transaction in which the leader recorded its time
     * @param leaderMillis that time
     * @param sentAt an instant before the request was sent
     */
    public long leaderDriftNanos(long zxid, long leaderMillis, long sentAt, long timeoutNanos) {
        long now = time.nanoTime();
        if (epoch != Tokens.epoch(zxid)) {
            epoch = Tokens.epoch(zxid);
            leaderLeads.clear();
        }
        while (!leaderLeads.isEmpty() && now - leaderLeads.peekFirst().at() > timeoutNanos) {
            leaderLeads.removeFirst();
        }
        long leaderAtLeast = TimeUnit.MILLISECONDS.toNanos(leaderMillis);
        long leaderAtMost = TimeUnit.MILLISECONDS.toNanos(leaderMillis + 1);
        Lead lead = new Lead(now, leaderAtLeast - now, leaderAtMost - sentAt);
        long drift = 0;
        for (Lead earlier : leaderLeads) {
            drift = Math.max(drift, lead.least() - earlier.most());
        }
        if (leaderLeads.isEmpty() || now - leaderLeads.peekLast().at() > timeoutNanos / DENSITY) {
            leaderLeads.addLast(lead);
        }
        return drift;
    }

    /** Starts new comparisons: the drift until now has been handled. */
    public void reset() {
        wallLeads.clear();
        wallLeads.addLast(wallLead());
        leaderLeads.clear();
    }

    private long wallLead() {
        for (int reading = 1; ; reading++) {
            long before = time.nanoTime();
            long lead = time.wallNanos() - before;
            if (time.nanoTime() - before <= LONGEST_READING || reading == READINGS) {
                return lead;
            }
        }
    }
}
