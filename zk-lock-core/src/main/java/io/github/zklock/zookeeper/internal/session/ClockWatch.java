package io.github.zklock.zookeeper.internal.session;

import io.github.zklock.zookeeper.internal.queue.Tokens;
import io.github.zklock.zookeeper.internal.runtime.Time;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.concurrent.TimeUnit;

/**
 * Compares the monotonic clock with the wall clock and with the leader's clock. It falls behind them when a machine was
 * suspended. (M19, M28)
 */
public final class ClockWatch {

    /*
     * The monotonic clock may fall behind by up to T/24 unnoticed, which is half of the margin of the proof. (M32)
     *
     * Where the wall clock stood still as well, only the leader's clock tells. A new node brings the time at which the leader
     * proposed it, which lies between the instants at which the request was sent and answered. So two nodes bound from below
     * how much further the leader's clock has run than this one's. A new leader has another clock.
     */

    /** A part of the session timeout. */
    private static final int UNNOTICED = 24;
    /** One sample each T/8: what happened within a session's life counts together. */
    private static final int SAMPLES = 8;
    /** A reading of two clocks that took longer is repeated: this thread was not running in between. */
    private static final long LONGEST_READING = 1_000_000L;

    private static final int READINGS = 4;
    private static final int DENSITY = 64;

    /** How far the leader's clock is ahead, at least and at most, at an instant of the monotonic clock. */
    private record Lead(long at, long least, long most) {}

    private final Time time;
    private final Deque<Long> wallLeads = new ArrayDeque<>();
    private final Deque<Lead> leaderLeads = new ArrayDeque<>();
    private long epoch;

    public ClockWatch(Time time) {
        this.time = time;
        reset();
    }

    /** Whether a drift of this size suspends the locks of a session with this timeout. */
    public static boolean isSuspicious(long drift, long timeoutNanos) {
        return drift > timeoutNanos / UNNOTICED;
    }

    /** How far the clocks of this machine have drifted apart since the wall clock had this lead, whichever ran ahead. */
    public long driftNanosSince(long wallLead) {
        return Math.abs(wallLead() - wallLead);
    }

    /** How far the clocks of this machine have drifted apart over the last samples, whichever ran ahead; takes a sample. */
    public long sampleDriftNanos() {
        long lead = wallLead();
        // also backwards: a step back hides part of a suspension
        long drift = Math.max(lead - Collections.min(wallLeads), Collections.max(wallLeads) - lead);
        wallLeads.addLast(lead);
        if (wallLeads.size() > SAMPLES) {
            wallLeads.removeFirst();
        }
        return drift;
    }

    /**
     * By how much the leader's clock has run further than the monotonic one within the last session timeout, at least.
     *
     * @param zxid of the transaction in which the leader wrote down its time
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

    /** What they drifted so far is known: what comes is compared with now. */
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
