package io.github.zklock.zookeeper.internal.session;

import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * The instant until which a session is proven to be alive at the leader.
 *
 * <p>Written on the loop; {@link #isValid}, {@link #timeoutNanos} and {@link #remainingNanos} may be called from any
 * thread.
 */
public final class SessionProof {

    /*
     * Touches. The answers on one connection, to the requests j, k and m, prove that the session was touched (Touches).
     *
     * Connections. A new connection touches the session at once. For requests that were answered on an earlier
     * connection, and for the attempt to connect, one write is enough that is sent on the new connection and commits.
     * Two facts delay the instant at which a connection counts as established. After the client has asked for the next
     * server, it reports itself as connected until it opens the next socket, up to a second later
     * (ClientCnxn.SendThread.run, startConnect). And a follower may take the leader's answer to an earlier attempt for
     * the answer to a later one (Learner.pendingRevalidations has one entry for a session). Therefore a connection
     * counts as established when the leader has answered a request that was sent after the connection was noticed.
     *
     * Polled buckets. The answer to k does not show that a touch has reached the leader; the answer to m does. If the
     * proof had lapsed when m was answered, or when the connection was established, the session is suspect (Suspicion).
     * When the suspicion ends, all counts that was proven meanwhile. Until then, handles are suspended, and claims that
     * reach their limits are UNAVAILABLE.
     *
     * Without seats, nothing commits. All requests on one connection are sent to the same leader. So what its answers
     * prove, provided that it was the leader all the time, is proven by the next write that commits.
     *
     * T is the shortest timeout that any connection of the session has negotiated: a touch counts with the timeout of
     * its connection, and replaces the touch before it. (M27)
     *
     * T/12 is subtracted for clocks that drift and for suspensions that are too short to be noticed. (M32)
     */

    /**
     * An instant after which the session was touched by a connection, which is proven as soon as the leader answers a
     * request that was sent at {@code ifSentSince} or later.
     */
    private record Heard(long at, long ifSentSince) {

        Heard earlier(long nanos) {
            return new Heard(at - nanos, ifSentSince);
        }
    }

    private final Suspicion suspicion = new Suspicion();
    /** What the answers on the present connection show. */
    private Touches touches;

    /** The touch of a connection that may not be established yet. */
    private @Nullable Heard noticed;

    /** When the newest request was sent that was answered on any connection. */
    private OptionalLong newestAnswered = OptionalLong.empty();
    /** Instants before this one are not known exactly. */
    private long distrustBefore;

    private long renewals;

    /**
     * The proof under two conditions: the leader of this connection was not deposed meanwhile, and no bucket that it has
     * polled contains the session, if that is suspect.
     */
    private long provisionallyUntil;

    private volatile long timeout;
    private volatile long validUntil;

    /**
     * @param attemptedAfter an instant before the connection was attempted, if known
     * @param fresh whether this connection created the session
     */
    public SessionProof(long timeoutNanos, OptionalLong attemptedAfter, boolean fresh, long now) {
        this.timeout = timeoutNanos;
        this.touches = new Touches(timeoutNanos);
        this.distrustBefore = attemptedAfter.orElse(now);
        this.validUntil = now;
        this.provisionallyUntil = now;
        if (attemptedAfter.isPresent()) {
            long attempted = attemptedAfter.getAsLong();
            if (fresh) {
                extendProvisionally(attempted);
            } else {
                this.noticed = new Heard(attempted, now);
            }
        }
    }

    public boolean isValid(long now) {
        return validUntil - now > 0;
    }

    public long remainingNanos(long now) {
        return Math.max(0, validUntil - now);
    }

    /** Returns the shortest timeout that any connection has negotiated. */
    public long timeoutNanos() {
        return timeout;
    }

    /** Returns how often the end of the proof was extended. Only on the loop. */
    public long renewals() {
        return renewals;
    }

    /**
     * Records an answer.
     *
     * @param sentAt an instant before the request was sent
     */
    public void answered(long sentAt, long now, Proves proves) {
        if (proves.byLeader()) {
            boolean lapsed = hasLapsed(now);
            Heard made = noticed;
            if (made != null && sentAt - made.ifSentSince() >= 0) {
                noticed = null;
                extendProvisionally(made.at());
            }
            OptionalLong byCommit = touches.provenAfterCommit(sentAt);
            touches.provenAfterSync(sentAt).ifPresent(this::extendProvisionally);
            byCommit.ifPresent(this::extendProvisionally);
            if (lapsed && !hasLapsed(now)) {
                suspicion.begin(now);
            } else if (!lapsed && !suspicion.isPresent()) {
                byCommit.ifPresent(heardAt -> extendUntil(heardAt + lifetime()));
            }
        }
        if (proves == Proves.COMMIT && suspicion.isRefutedByCommit(sentAt)) {
            suspicion.end();
            extendUntil(provisionallyUntil);
        }
        boolean trusted = isTrusted(sentAt);
        if (trusted && (newestAnswered.isEmpty() || sentAt - newestAnswered.getAsLong() > 0)) {
            newestAnswered = OptionalLong.of(sentAt);
        }
        touches.answered(sentAt, now, proves, trusted);
    }

    /**
     * Records that the connection of the recorded answers is lost. Until the next connection, no answer proves
     * anything.
     */
    public void disconnected() {
        touches = new Touches(timeout);
        noticed = null;
        suspicion.end();
        provisionallyUntil = validUntil;
    }

    /**
     * Returns whether the leader may be about to close the session, although it accepts requests, and no later session is
     * known to have expired. Only on the loop.
     */
    public boolean isSuspect() {
        return suspicion.isOpen();
    }

    /**
     * Records that the leader has expired another session, and so has closed all buckets before the bucket of that one.
     *
     * @param createdAfter an instant before the other session was created
     * @param timeoutNanos the timeout of the other session
     */
    public void laterSessionExpired(long createdAfter, long timeoutNanos, long now) {
        if (isSuspicionEndedBy(createdAfter, timeoutNanos)) {
            suspicion.bucketsClosed(now);
        }
    }

    /** Returns whether the expiry of such another session would show that the leader does not close the session. */
    public boolean isSuspicionEndedBy(long createdAfter, long timeoutNanos) {
        // its bucket follows after its timeout, so later lapses are covered, too, as far as the clocks can be trusted
        long clocks = margin(Math.max(timeout, timeoutNanos));
        long lasts = isTrusted(createdAfter) ? Math.max(0, timeoutNanos - clocks) : 0;
        return suspicion.isEndedBy(createdAfter + lasts);
    }

    /**
     * Records that a new connection is established or is about to be.
     *
     * @param attemptedAfter an instant before it was attempted, if known
     * @param timeoutNanos the shortest timeout that any connection has negotiated
     * @param shortenedAfter an instant before the connection with that timeout was attempted, if known; other
     *     connections may have followed since
     */
    public void connected(OptionalLong attemptedAfter, long timeoutNanos, OptionalLong shortenedAfter, long now) {
        disconnected();
        OptionalLong heard = laterOf(newestAnswered, attemptedAfter);
        if (timeoutNanos < timeout) {
            shorten(timeoutNanos, shortenedAfter, now);
        }
        // without a known attempt, the connection may have been noticed late, and the recorded answers may be its own
        noticed = heard.isPresent() && attemptedAfter.isPresent() ? new Heard(heard.getAsLong(), now) : null;
    }

    /**
     * Corrects all instants after the monotonic clock stood still for this time: everything that was sent before now
     * was sent that much earlier. (M19)
     */
    public void clockFellBehind(long nanos, long now) {
        long until = validUntil;
        validUntil = until - nanos;
        provisionallyUntil -= nanos;
        touches.clockFellBehind(nanos);
        newestAnswered = earlier(newestAnswered, nanos);
        noticed = noticed == null ? null : noticed.earlier(nanos);
        distrustBefore = now;
    }

    /**
     * Returns how long to wait until a write may extend the proof. Of a suspect session that is not known, because the
     * leader decides when another session expires.
     */
    public long nanosUntilWriteProves(long now) {
        if (provisionallyUntil - now > 0 && provisionallyUntil - validUntil > 0) {
            return isSuspect() ? touches.distance() : 0;
        }
        return touches.nanosUntilWriteProves(now);
    }

    /** Shortens the proof: a touch by the new connection may have moved the expiry forward. */
    private void shorten(long shorter, OptionalLong touchedAfter, long now) {
        long lasts = lifetime(shorter);
        boolean known = touchedAfter.isPresent() && isTrusted(touchedAfter.getAsLong());
        long until = known ? touchedAfter.getAsLong() + lasts : now;
        // written before the timeout, by which other threads detect that this instant is outdated
        if (validUntil - until > 0) {
            validUntil = until;
        }
        timeout = shorter;
        touches = new Touches(shorter);
        provisionallyUntil = validUntil;
    }

    static OptionalLong earlier(OptionalLong instant, long nanos) {
        return instant.isPresent() ? OptionalLong.of(instant.getAsLong() - nanos) : instant;
    }

    private OptionalLong laterOf(OptionalLong answered, OptionalLong attempted) {
        return attempted.isPresent() && isTrusted(attempted.getAsLong()) && isLater(attempted, answered)
                ? attempted
                : answered;
    }

    private boolean isTrusted(long instant) {
        return instant - distrustBefore >= 0;
    }

    private static boolean isLater(OptionalLong instant, OptionalLong than) {
        return than.isEmpty() || instant.getAsLong() - than.getAsLong() > 0;
    }

    private void extendProvisionally(long heardAt) {
        long until = heardAt + lifetime();
        if (until - provisionallyUntil > 0) {
            provisionallyUntil = until;
        }
    }

    private void extendUntil(long until) {
        if (until - validUntil > 0) {
            validUntil = until;
            renewals++;
        }
    }

    private boolean hasLapsed(long now) {
        return !isValid(now) && provisionallyUntil - now <= 0;
    }

    private long lifetime() {
        return lifetime(timeout);
    }

    /** Returns how long a session with this timeout lives after a touch, if clocks differ by the margin. */
    static long lifetime(long timeoutNanos) {
        return timeoutNanos - margin(timeoutNanos);
    }

    /** Returns what clocks may differ by over the timeout. */
    private static long margin(long timeoutNanos) {
        return timeoutNanos / 12;
    }

    /** What an answer proves, apart from the fact that the server responded. */
    public enum Proves {
        /** The answer proves nothing: any server may have answered from its memory. */
        NOTHING,
        /** The leader answered. */
        LEADER,
        /** A majority of servers committed the request. */
        COMMIT;

        public boolean byLeader() {
            return this != NOTHING;
        }
    }
}
