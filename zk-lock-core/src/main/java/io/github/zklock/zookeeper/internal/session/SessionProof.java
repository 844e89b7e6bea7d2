package io.github.zklock.zookeeper.internal.session;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.OptionalLong;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The instant until which a session is proven to be alive at the leader.
 *
 * <p>Written on the loop; {@link #isValid}, {@link #timeoutNanos} and {@link #remainingNanos} may be called from any
 * thread.
 */
public final class SessionProof {

    /*
     * Touches. The leader expires a session T after the last touch that reached it. Three events touch a session: its
     * creation, a reconnection, and a follower's answer to a ping of the leader. The leader pings every half tick, and
     * the answer names the sessions from which the follower received something since its last answer. Links keep the
     * order. Let D be T/3, which is longer than the time between two pings. Then four requests on one connection prove
     * that the session lives until sent(j) + T:
     *
     *   j, and another request that was sent after j's answer;
     *   k, sent at least D after the answers of both: before k's answer, the follower received a ping that was sent after
     *   both, and answered it;
     *   m, sent after k's answer, which the leader receives behind that answer.
     *
     * The leader must answer k and m, and one of them must be a write that commits: a deposed leader answers a sync,
     * but commits nothing. Two requests are needed at the beginning because the follower may lose one touch when it
     * swaps its table of touches (M29). The answer to k alone does not prove this, however soon it arrives: the commit
     * of k and the pings may wait in the same link, and meanwhile the leader expires the session. (M5, M6, M22)
     *
     * Standstills. A time in which the leader, or the link to it, may have stood still does not count for D. In such a
     * time the leader sent no ping, or several pings travelled together, before an observer reported a touch to its
     * observer master. Therefore, if more than T/5 passes from the sending of a request that the leader answered to its
     * answer to a later request, D is longer by that time. While the session is in use, a request is sent every T/8.
     *
     * Connections. A new connection touches the session at once. For requests that were answered on an earlier
     * connection, and for the attempt to connect, one write is enough that is sent on the new connection and commits.
     * Two facts delay the instant at which a connection counts as established. After the client has asked for the next
     * server, it reports itself as connected until it opens the next socket, up to a second later
     * (ClientCnxn.SendThread.run, startConnect). And a follower may take the leader's answer to an earlier attempt for
     * the answer to a later one (Learner.pendingRevalidations has one entry for a session). Therefore a connection
     * counts as established when the leader has answered a request that was sent after the connection was noticed.
     *
     * Polled buckets. A touch may have no effect. The leader removes a whole bucket of expired sessions from its queue
     * (ExpiryQueue.poll) and closes them one after the other (SessionTrackerImpl.run). Until it reaches a session, it
     * accepts connections, touches and writes of that session (SessionTrackerImpl.touchSession, checkSession), but a
     * touch only adds the session to a later bucket and does not remove it from the polled one (ExpiryQueue.update). So
     * no answer on the session shows whether it is in a polled bucket. The close may follow after any time, because the
     * leader writes a line of its log for each session before it (ZooKeeperServer.expire). Therefore a touch counts at
     * once only if it reached the leader before the previous touch had run out. The answer to k does not show that a
     * touch has reached the leader; the answer to m does. If the proof had lapsed when m was answered, or when the
     * connection was established, the session is suspect. The leader polls a bucket only after it has closed all
     * sessions of the buckets before. Therefore, if another session has expired whose bucket is later than the instant
     * at which the session became suspect, the leader has closed all buckets that may contain the suspect session. Then
     * the session is trusted again, with all that was proven meanwhile, as soon as a write commits that is sent after
     * that. A sync is not enough: the leader answers it also for a session that it closes
     * (ProposalRequestProcessor.processRequest). ExpiryProbe creates the other session. Meanwhile, handles are
     * suspended, and claims that reach their limits are UNAVAILABLE. (M26, M34)
     *
     * Without seats, nothing commits. All requests on one connection are sent to the same leader. So
     * what its answers prove, provided that it was the leader all the time, is proven by the next write that commits.
     *
     * T is the shortest timeout that any connection of the session has negotiated: a touch counts with the timeout of
     * its connection, and replaces the touch before it. (M27)
     *
     * T/12 is subtracted for clocks that drift and for suspensions that are too short to be noticed. (M32)
     */

    /** A request that was answered. */
    private record Answer(long sentAt, long answeredAt) {

        /** Returns the same answer as if no time had passed between these instants. */
        Answer withoutTimeBetween(long since, long now) {
            return new Answer(sentAt, now - Math.max(0, since - answeredAt));
        }

        Answer earlier(long nanos) {
            return new Answer(sentAt - nanos, answeredAt);
        }
    }

    /**
     * The sending of the newest request that has touched the session. The touch is proven as soon as the leader answers
     * a request that was sent at {@code ifSentSince} or later.
     */
    private record Witness(long heardAt, long ifSentSince) {

        Witness earlier(long nanos) {
            return new Witness(heardAt - nanos, ifSentSince);
        }
    }

    /**
     * An instant after which the session was touched by a connection, which is proven as soon as the leader answers a
     * request that was sent at {@code ifSentSince} or later.
     */
    private record Heard(long at, long ifSentSince) {

        Heard earlier(long nanos) {
            return new Heard(at - nanos, ifSentSince);
        }
    }

    /** Answered requests that no other answered request follows yet. */
    private final Deque<Answer> single = new ArrayDeque<>();
    /** Answered requests, each with the instant at which a later request was answered as well. */
    private final Deque<Answer> answers = new ArrayDeque<>();

    private final Deque<Witness> commits = new ArrayDeque<>();
    private final Deque<Witness> syncs = new ArrayDeque<>();
    /** The touch of a connection that may not be established yet. */
    private @Nullable Heard noticed;

    private OptionalLong newestRipe = OptionalLong.empty();
    private OptionalLong newestAnswered = OptionalLong.empty();
    /** When the latest request was sent that the leader has answered on this connection. */
    private OptionalLong leaderAskedAt = OptionalLong.empty();
    /** The end of the latest time that was left out because the leader may have stood still. */
    private long stoodStillUntil;

    private long distrustBefore;
    private long renewals;

    /**
     * The proof under two conditions: the leader of this connection was not deposed meanwhile, and no bucket that it has
     * polled contains the session, if that is suspect.
     */
    private long provisionallyUntil;
    /**
     * While present, a polled bucket of the leader may contain the session: the instant of the answer that ended the
     * lapse.
     */
    private OptionalLong suspectSince = OptionalLong.empty();
    /**
     * While present, the leader had closed all buckets that may have contained the suspect session. A write that is sent
     * at this instant or later commits only if none of them did.
     */
    private OptionalLong bucketsClosedAt = OptionalLong.empty();

    private volatile long timeout;
    private volatile long validUntil;

    /**
     * @param attemptedAfter an instant before the connection was attempted, if known
     * @param fresh whether this connection created the session
     */
    public SessionProof(long timeoutNanos, OptionalLong attemptedAfter, boolean fresh, long now) {
        this.timeout = timeoutNanos;
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
            leaveOutStandstill(sentAt, now);
            boolean lapsed = hasLapsed(now);
            Heard made = noticed;
            if (made != null && sentAt - made.ifSentSince() >= 0) {
                noticed = null;
                extendProvisionally(made.at());
            }
            OptionalLong byCommit = completed(commits, sentAt);
            completed(syncs, sentAt).ifPresent(this::extendProvisionally);
            byCommit.ifPresent(this::extendProvisionally);
            if (lapsed && !hasLapsed(now)) {
                suspectSince = OptionalLong.of(now);
                bucketsClosedAt = OptionalLong.empty();
            } else if (!lapsed && suspectSince.isEmpty()) {
                byCommit.ifPresent(heardAt -> extendUntil(heardAt + lifetime()));
            }
        }
        if (proves == Proves.COMMIT && (suspectSince.isEmpty() || isSentAfterBuckets(sentAt))) {
            trust();
            extendUntil(provisionallyUntil);
        }
        if (proves.byLeader()) {
            witnessed(proves == Proves.COMMIT ? commits : syncs, sentAt, now);
        }
        remember(sentAt, now);
    }

    /**
     * Records that the connection of the recorded answers is lost. Until the next connection, no answer proves
     * anything.
     */
    public void disconnected() {
        forgetConnection();
        noticed = null;
        trust();
        provisionallyUntil = validUntil;
    }

    /**
     * Returns whether the leader may be about to close the session, although it accepts requests, and no later session is
     * known to have expired. Only on the loop.
     */
    public boolean isSuspect() {
        return suspectSince.isPresent() && bucketsClosedAt.isEmpty();
    }

    /**
     * Records that the leader has expired another session, and so has closed all buckets before the bucket of that one.
     *
     * @param createdAfter an instant before the other session was created
     * @param timeoutNanos the timeout of the other session
     */
    public void laterSessionExpired(long createdAfter, long timeoutNanos, long now) {
        if (isSuspicionEndedBy(createdAfter, timeoutNanos)) {
            bucketsClosedAt = OptionalLong.of(now);
        }
    }

    /** Returns whether the expiry of such another session would show that the leader does not close the session. */
    public boolean isSuspicionEndedBy(long createdAfter, long timeoutNanos) {
        // its bucket follows after its timeout, so later lapses are covered, too, as far as the clocks can be trusted
        long clocks = Math.max(margin(), timeoutNanos / 12);
        long lasts = isTrusted(createdAfter) ? Math.max(0, timeoutNanos - clocks) : 0;
        return suspectSince.isPresent() && createdAfter + lasts - suspectSince.getAsLong() >= 0;
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
        redate(single, each -> each.earlier(nanos));
        redate(answers, each -> each.earlier(nanos));
        redate(commits, each -> each.earlier(nanos));
        redate(syncs, each -> each.earlier(nanos));
        newestRipe = earlier(newestRipe, nanos);
        newestAnswered = earlier(newestAnswered, nanos);
        leaderAskedAt = earlier(leaderAskedAt, nanos);
        noticed = noticed == null ? null : noticed.earlier(nanos);
        distrustBefore = now;
    }

    /**
     * Returns how long to wait until a write may extend the proof. Of a suspect session that is not known, because the
     * leader decides when another session expires.
     */
    public long nanosUntilWriteProves(long now) {
        if (provisionallyUntil - now > 0 && provisionallyUntil - validUntil > 0) {
            return isSuspect() ? distance() : 0;
        }
        if (newestRipe.isPresent() && newestRipe.getAsLong() + lifetime() - now > 0) {
            return 0;
        }
        return answers.isEmpty() ? distance() : Math.max(0, answers.peekFirst().answeredAt() + distance() - now);
    }

    /** Shortens the proof: a touch by the new connection may have moved the expiry forward. */
    private void shorten(long shorter, OptionalLong touchedAfter, long now) {
        long lasts = shorter - shorter / 12;
        boolean known = touchedAfter.isPresent() && isTrusted(touchedAfter.getAsLong());
        long until = known ? touchedAfter.getAsLong() + lasts : now;
        // written before the timeout, by which other threads detect that this instant is outdated
        if (validUntil - until > 0) {
            validUntil = until;
        }
        timeout = shorter;
        provisionallyUntil = validUntil;
    }

    private static <T> void redate(Deque<T> dated, UnaryOperator<T> change) {
        for (int left = dated.size(); left > 0; left--) {
            dated.addLast(change.apply(dated.removeFirst()));
        }
    }

    private static OptionalLong earlier(OptionalLong instant, long nanos) {
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

    /**
     * Leaves out the time between the two latest answers of the leader if the leader, or the link to it, may have stood
     * still in it.
     */
    private void leaveOutStandstill(long sentAt, long now) {
        if (leaderAskedAt.isEmpty()) {
            // answers before the first answer of the leader on this connection do not count at all
            redate(answers, answer -> answer.withoutTimeBetween(answer.answeredAt(), now));
            stoodStillUntil = now;
            leaderAskedAt = isTrusted(sentAt) ? OptionalLong.of(sentAt) : OptionalLong.empty();
            return;
        }
        long askedAt = leaderAskedAt.getAsLong();
        if (now - askedAt > longestUnnoticed()) {
            // a time is left out once only
            long since = stoodStillUntil - askedAt > 0 ? stoodStillUntil : askedAt;
            redate(answers, answer -> answer.withoutTimeBetween(since, now));
            stoodStillUntil = now;
        }
        if (sentAt - askedAt > 0 && isTrusted(sentAt)) {
            leaderAskedAt = OptionalLong.of(sentAt);
        }
    }

    /** Returns the newest instant whose touch is now known to have reached the leader. */
    private static OptionalLong completed(Deque<Witness> witnesses, long sentAt) {
        OptionalLong newest = OptionalLong.empty();
        while (!witnesses.isEmpty() && witnesses.peekFirst().ifSentSince() - sentAt <= 0) {
            newest = OptionalLong.of(witnesses.removeFirst().heardAt());
        }
        return newest;
    }

    private void witnessed(Deque<Witness> witnesses, long sentAt, long now) {
        while (!answers.isEmpty() && answers.peekFirst().answeredAt() + distance() - sentAt <= 0) {
            newestRipe = OptionalLong.of(answers.removeFirst().sentAt());
        }
        while (!witnesses.isEmpty() && witnesses.peekFirst().heardAt() + lifetime() - now <= 0) {
            witnesses.removeFirst();
        }
        if (newestRipe.isPresent()) {
            long heardAt = newestRipe.getAsLong();
            if (witnesses.isEmpty() || heardAt - witnesses.peekLast().heardAt() > 0) {
                witnesses.addLast(new Witness(heardAt, now));
            }
        }
    }

    private void forgetConnection() {
        single.clear();
        answers.clear();
        commits.clear();
        syncs.clear();
        newestRipe = OptionalLong.empty();
        leaderAskedAt = OptionalLong.empty();
    }

    private boolean isSentAfterBuckets(long sentAt) {
        return bucketsClosedAt.isPresent() && sentAt - bucketsClosedAt.getAsLong() >= 0;
    }

    private void trust() {
        suspectSince = OptionalLong.empty();
        bucketsClosedAt = OptionalLong.empty();
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

    private void remember(long sentAt, long now) {
        if (!isTrusted(sentAt)) {
            return;
        }
        if (newestAnswered.isEmpty() || sentAt - newestAnswered.getAsLong() > 0) {
            newestAnswered = OptionalLong.of(sentAt);
        }
        while (!single.isEmpty() && single.peekFirst().answeredAt() - sentAt <= 0) {
            answers.addLast(new Answer(single.removeFirst().sentAt(), now));
        }
        while (!answers.isEmpty() && answers.peekFirst().sentAt() + lifetime() - now <= 0) {
            answers.removeFirst();
        }
        // one answer in T/64 is enough: thousands of requests per second must not accumulate here
        Answer last = single.isEmpty() ? answers.peekLast() : single.peekLast();
        if (last == null || sentAt - last.sentAt() >= timeout / 64) {
            single.addLast(new Answer(sentAt, now));
        }
    }

    private boolean hasLapsed(long now) {
        return !isValid(now) && provisionallyUntil - now <= 0;
    }

    private long lifetime() {
        return timeout - margin();
    }

    /** Returns what clocks may differ by over the timeout. */
    private long margin() {
        return timeout / 12;
    }

    /** Returns D, which is longer than the time between two pings of the leader. */
    private long distance() {
        return timeout / 3;
    }

    /**
     * Returns a time that is longer than the time from a request to the answer to the next one, if nothing stands
     * still.
     */
    private long longestUnnoticed() {
        return timeout / 5;
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
