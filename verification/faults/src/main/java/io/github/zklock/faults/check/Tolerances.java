package io.github.zklock.faults.check;

import static java.util.concurrent.TimeUnit.MILLISECONDS;

import io.github.zklock.faults.cluster.Ensemble;
import io.github.zklock.faults.timeline.Event.Kind;
import io.github.zklock.faults.timeline.Hold;
import io.github.zklock.faults.timeline.Stalls;
import io.github.zklock.faults.timeline.Timeline;
import java.util.HashMap;
import java.util.Map;

/** How exact a timeline is, and how long things may take on it between two instants: for longer where the machine stood still. */
final class Tolerances {

    /** The servers write wall-clock milliseconds. */
    static final long SKEW = 25_000_000L;

    private static final long SESSION = Ensemble.SESSION_TIMEOUT.toNanos();
    private static final long TICK = Ensemble.TICK_MILLIS * 1_000_000L;
    /** ZooKeeper's client waits for up to a second before it connects again. */
    private static final long RECONNECTION = 1_000_000_000L;
    /** From one renewal to the next there is so much of a session. */
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
     * The session of a holder that is gone ends T and a tick after its last sign of life, and with it ends its seat. Half a T
     * on top for clients that connect again once a second; one that waits for a second timeout takes longer still.
     */
    /** For how long somebody may wait for a lock that nobody has, once all is well. */
    long untilGranted(long from, long until) {
        return SESSION + SESSION / 2 + 2 * TICK + stalls.longest(from, until);
    }

    /**
     * For how long a holder may believe in a seat that somebody else has deleted: to the next renewal, and its answer. Whoever is
     * granted one that is deleted by then has asked for it, however seldom its session is renewed.
     */
    long untilNoticed(Hold hold, long deletedAt, long until) {
        long asking = hold.grantedAt() < deletedAt ? renewal(hold.source()) : SESSION / RENEWALS;
        return asking + ANSWER + stalls.longest(deletedAt, until);
    }

    /** The same of one whose session was closed by somebody else: it is told when it connects again. */
    long untilReconnected(long from, long until) {
        return RECONNECTION + ANSWER + stalls.longest(from, until);
    }

    /** For how long a holder may be left in doubt whose seat somebody has deleted, if it has to connect again as well. */
    long untilToldOfDeletion(String holder, long from, long until) {
        return renewal(holder) + untilReconnected(from, until);
    }

    /** How much later than it changed a handle may be seen to say so: it is asked again and again. */
    long untilSeen(long from, long until) {
        return 2 * SKEW + stalls.longest(from, until);
    }

    /** How much later than promised an answer may come. */
    long untilAnswered(long from, long until) {
        return ANSWER + stalls.longest(from, until);
    }

    /** Whether a session may not have been renewed in time before that instant, as the machine stood still. */
    boolean isSlow(long at) {
        return stalls.longest(at - SESSION, at) > SESSION / RENEWALS;
    }

    /** How long after the last one has given back what it had something of it may be left. */
    long untilClean(long from, long until) {
        return 2 * SESSION + stalls.longest(from, until);
    }

    /** From one renewal to the next: who has a longer session than the others looks less often. */
    private long renewal(String client) {
        return sessions.getOrDefault(client, SESSION) / RENEWALS;
    }
}
