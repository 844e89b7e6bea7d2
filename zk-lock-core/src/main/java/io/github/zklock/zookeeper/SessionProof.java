package io.github.zklock.zookeeper;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * The instant until which a session is proven to be alive at the leader.
 *
 * <p>Written on the loop; {@link #isValid} and {@link #remainingNanos} may be asked from any thread.
 */
final class SessionProof {

    /*
     * The leader expires a session T after it last heard of it. It hears of a client from session creation, from a
     * reconnection, and from the follower's answers to its pings, sent every half tick: those name the clients that
     * the follower heard since. Links keep the order. So for a request j, answered at some instant, take a request k
     * that the leader answers, sent at least T/4 (half a tick at least) after j's answer: before k's answer the follower
     * was given a ping that was sent after j, and has answered it. Then take a request m that the leader answers, sent
     * after k's answer: it comes to the leader behind that answer. One of k and m must be a write that commits, as a
     * leader that was deposed answers syncs, but commits nothing. Then the session lives until sent(j) + T, less T/12
     * for clocks that drift. (M5, M6, M22)
     *
     * k alone does not do, however soon its answer comes: its commit and the pings may wait in the same link, and while
     * they do, the leader expires the session.
     *
     * A connection made later than j was sent also tells the leader, at once: what was answered on an earlier
     * connection, and the making of the connection itself, need only one write that is sent on it and commits.
     */

    /** A request that was answered. */
    private record Answer(long sentAt, long answeredAt) {}

    /** A request that the leader answered, and the newest request of which its follower had told it, or was about to. */
    private record Witness(long heardAt, long answeredAt) {}

    /** A request of which the leader has heard by a connection, if a write sent at this instant or later commits. */
    private record Heard(long at, long ifSentSince) {}

    private final long timeout;
    private final long quarter;
    private final long grain;
    private final Deque<Answer> answers = new ArrayDeque<>();
    private final Deque<Witness> commits = new ArrayDeque<>();
    private final Deque<Witness> syncs = new ArrayDeque<>();
    private @Nullable Heard byConnection;
    private OptionalLong newestRipe = OptionalLong.empty();
    private OptionalLong newestAnswered = OptionalLong.empty();
    private long distrustBefore;

    private volatile long validUntil;

    private long renewals;

    SessionProof(long timeoutNanos, OptionalLong createdAfter, long now) {
        this.timeout = timeoutNanos;
        this.quarter = timeoutNanos / 4;
        this.grain = timeoutNanos / 64;
        this.byConnection =
                createdAfter.isPresent() ? new Heard(createdAfter.getAsLong(), createdAfter.getAsLong()) : null;
        this.distrustBefore = createdAfter.orElse(now);
        this.validUntil = now;
    }

    boolean isValid(long now) {
        return validUntil - now > 0;
    }

    long remainingNanos(long now) {
        return Math.max(0, validUntil - now);
    }

    /** How often the end was put off. Only on the loop. */
    long renewals() {
        return renewals;
    }

    /**
     * Takes note of an answer.
     *
     * @param sentAt an instant before the request was sent
     */
    void answered(long sentAt, long now, Proves proves) {
        if (proves.byLeader()) {
            completed(commits, sentAt);
        }
        if (proves == Proves.COMMIT) {
            completed(syncs, sentAt);
            committed(sentAt);
        }
        if (proves.byLeader()) {
            witnessed(proves == Proves.COMMIT ? commits : syncs, sentAt, now);
        }
        remember(sentAt, now);
    }

    /** The connection on which requests were answered is gone. Later ones go by a connection made after now. */
    void disconnected(long now) {
        forgetConnection();
        if (newestAnswered.isPresent()) {
            byConnection = new Heard(newestAnswered.getAsLong(), now);
        }
    }

    /** Requests are answered again, on a connection that was attempted after this instant. */
    void reconnected(long attemptedAfter, long now) {
        boolean news = byConnection == null || attemptedAfter - byConnection.at() > 0;
        if (news && attemptedAfter - distrustBefore >= 0) {
            byConnection = new Heard(attemptedAfter, now);
        }
    }

    /** The clocks disagree: nothing that was sent before now proves anything. (M19) */
    void distrust(long now) {
        forgetConnection();
        byConnection = null;
        newestAnswered = OptionalLong.empty();
        distrustBefore = now;
        if (isValid(now)) {
            validUntil = now;
        }
    }

    /** How long to wait until a write can prove something that is not proven yet. */
    long nanosUntilWriteProves(long now) {
        boolean ripe = newestRipe.isPresent() && newestRipe.getAsLong() + lifetime() - now > 0;
        if (ripe || (byConnection != null && byConnection.at() + lifetime() - now > 0)) {
            return 0;
        }
        return answers.isEmpty() ? quarter : Math.max(0, answers.peekFirst().answeredAt() + quarter - now);
    }

    private void completed(Deque<Witness> witnesses, long sentAt) {
        while (!witnesses.isEmpty() && witnesses.peekFirst().answeredAt() - sentAt <= 0) {
            extend(witnesses.removeFirst().heardAt());
        }
    }

    private void committed(long sentAt) {
        if (byConnection != null && sentAt - byConnection.ifSentSince() >= 0) {
            extend(byConnection.at());
        }
    }

    private void witnessed(Deque<Witness> witnesses, long sentAt, long now) {
        while (!answers.isEmpty() && answers.peekFirst().answeredAt() + quarter - sentAt <= 0) {
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
        answers.clear();
        commits.clear();
        syncs.clear();
        newestRipe = OptionalLong.empty();
    }

    private void extend(long heardAt) {
        long until = heardAt + lifetime();
        if (until - validUntil > 0) {
            validUntil = until;
            renewals++;
        }
    }

    private void remember(long sentAt, long now) {
        if (sentAt - distrustBefore < 0) {
            return;
        }
        if (newestAnswered.isEmpty() || sentAt - newestAnswered.getAsLong() > 0) {
            newestAnswered = OptionalLong.of(sentAt);
        }
        while (!answers.isEmpty() && answers.peekFirst().sentAt() + lifetime() - now <= 0) {
            answers.removeFirst();
        }
        // one in T/64 is enough: thousands of requests a second must not pile up here
        if (answers.isEmpty() || sentAt - answers.peekLast().sentAt() >= grain) {
            answers.addLast(new Answer(sentAt, now));
        }
    }

    private long lifetime() {
        return timeout - timeout / 12;
    }

    /** What an answer proves beyond that the server was there. */
    enum Proves {
        /** Nothing: any server may have answered from its memory. */
        NOTHING,
        /** The leader answered. */
        LEADER,
        /** A majority carried it out. */
        COMMIT;

        boolean byLeader() {
            return this != NOTHING;
        }
    }
}
