package io.github.zklock.faults.check;

import static java.util.concurrent.TimeUnit.MILLISECONDS;

import io.github.zklock.faults.cluster.Ensemble;
import io.github.zklock.faults.timeline.Event.Kind;
import io.github.zklock.faults.timeline.Hold;
import io.github.zklock.faults.timeline.Seat;
import io.github.zklock.faults.timeline.Stalls;
import io.github.zklock.faults.timeline.Timeline;
import java.util.HashMap;
import java.util.Map;

/**
 * The tolerances of the rules: the precision of a timeline, and how long an operation may take in an interval. They
 * grow by the longest stall of the machine in that interval.
 */
final class Tolerances {

    /** The servers log milliseconds of the wall clock. */
    static final long SKEW = 25_000_000L;

    private static final long SESSION = Ensemble.SESSION_TIMEOUT.toNanos();
    private static final long TICK = Ensemble.TICK_MILLIS * 1_000_000L;
    /** ZooKeeper's client waits for up to a second before it reconnects. */
    private static final long RECONNECTION = 1_000_000_000L;
    /** A session is renewed this many times per session timeout. */
    private static final int RENEWALS = 8;

    private static final long ANSWER = 500_000_000L;

    private final Stalls stalls;
    private final Map<String, Long> sessions = new HashMap<>();

    Tolerances(Timeline timeline) {
        stalls = Stalls.on(timeline);
        timeline.events().stream()
                .filter(event -> event.is(Kind.READY) && event.fields().containsKey("timeout"))
                .forEach(event -> sessions.put(event.source(), MILLISECONDS.toNanos(event.number("timeout"))));
    }

    /*
     * The session of a dead holder expires T and a tick after its last heartbeat, and its seat with it. Half a T more
     * is for clients that reconnect once a second, one of which may wait for a second timeout.
     */
    /** Returns how long a call may wait for a free lock in a quiet period. */
    long untilGranted(long from, long until) {
        return SESSION + SESSION / 2 + 2 * TICK + stalls.longest(from, until);
    }

    /** Returns the same for a client whose session may be longer: after a lapse, its proof takes longer, too. */
    long untilProven(String client, long from, long until) {
        return untilGranted(from, until) + Math.max(0, session(client) - SESSION);
    }

    /**
     * Returns for how long a handle may answer "held" after another client has deleted the seat: until the answer to
     * the next renewal. If the seat was deleted before the grant, the holder had just asked the servers, whatever its
     * session timeout is.
     */
    long untilNoticed(Hold hold, long deletedAt, long until) {
        long asking = hold.grantedAt() < deletedAt ? renewal(hold.source()) : SESSION / RENEWALS;
        return asking + ANSWER + stalls.longest(deletedAt, until);
    }

    /**
     * Returns the same after another client has closed the session: the client learns of the close when it reconnects.
     */
    long untilReconnected(long from, long until) {
        return RECONNECTION + ANSWER + stalls.longest(from, until);
    }

    /** Returns how long the loss of a deleted seat may stay unreported, if the client also has to reconnect. */
    long untilDeletionReported(String holder, long from, long until) {
        return renewal(holder) + untilReconnected(from, until);
    }

    /** Returns how much later than a change the handle may answer accordingly: it is asked periodically. */
    long untilSeen(long from, long until) {
        return 2 * SKEW + stalls.longest(from, until);
    }

    /** Returns how much later than its deadline an answer may come. */
    long untilAnswered(long from, long until) {
        return ANSWER + stalls.longest(from, until);
    }

    /** Returns whether the seat had ended when the hold was granted. */
    static boolean hadEnded(Seat seat, Hold hold) {
        return seat.endedAt().orElse(Long.MAX_VALUE) <= hold.grantedAt() + SKEW;
    }

    /** Returns whether a stall of the machine may have delayed a renewal before this instant. */
    boolean isSlow(long at) {
        return stalls.longest(at - SESSION, at) > SESSION / RENEWALS;
    }

    /** Returns how long after the last release something of it may be left. */
    long untilClean(long from, long until) {
        return 2 * SESSION + stalls.longest(from, until);
    }

    /** Returns the time between two renewals; a longer session is renewed less often. */
    private long renewal(String client) {
        return session(client) / RENEWALS;
    }

    private long session(String client) {
        return sessions.getOrDefault(client, SESSION);
    }
}
