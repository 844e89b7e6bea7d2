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
     * the follower heard since. So a request j, answered at some instant, is known to the leader once the follower has
     * answered a ping after that and is still in touch: a write k, sent at least T/4 (half a tick at least) after j's
     * answer, that commits. One more request that the leader answers, sent after k's answer, makes up for a ping loop
     * that stalled. Then the session lives until sent(j) + T, less T/12 for clocks that drift. (M5, M6, M22)
     *
     * A connection made later than j was sent also tells the leader, at once: what was answered on an earlier
     * connection needs no T/4. That holds for writes sent on the new connection only, hence the second field of Heard.
     */

    /** A request that was answered. */
    private record Answer(long sentAt, long answeredAt) {}

    /** A write that committed, and the newest request that it proves the leader to have heard of. */
    private record Commit(long heardAt, long answeredAt) {}

    /** A request of which the leader has heard, if a write that was sent at this instant or later commits. */
    private record Heard(long at, long ifSentSince) {}

    private final long timeout;
    private final long quarter;
    private final long grain;
    private final Deque<Answer> answers = new ArrayDeque<>();
    private final Deque<Commit> commits = new ArrayDeque<>();
    private @Nullable Heard newestHeard;
    private OptionalLong newestAnswered = OptionalLong.empty();
    private long distrustBefore;

    private volatile long validUntil;

    SessionProof(long timeoutNanos, OptionalLong createdAfter, long now) {
        this.timeout = timeoutNanos;
        this.quarter = timeoutNanos / 4;
        this.grain = timeoutNanos / 64;
        this.newestHeard =
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

    /**
     * Takes note of an answer.
     *
     * @param sentAt an instant before the request was sent
     * @param firstGrant whether nothing is held yet, so that a commit alone will do
     */
    void answered(long sentAt, long now, Proves proves, boolean firstGrant) {
        if (proves.byLeader()) {
            while (!commits.isEmpty() && commits.peekFirst().answeredAt() - sentAt <= 0) {
                extend(commits.removeFirst().heardAt());
            }
        }
        if (proves == Proves.COMMIT) {
            committed(sentAt, now, firstGrant);
        }
        remember(sentAt, now);
    }

    /** The connection on which requests were answered is gone. Later ones go by a connection made after now. */
    void disconnected(long now) {
        answers.clear();
        commits.clear();
        if (newestAnswered.isPresent()) {
            newestHeard = new Heard(newestAnswered.getAsLong(), now);
        }
    }

    /** Requests are answered again, on a connection that was attempted after this instant. */
    void reconnected(long attemptedAfter, long now) {
        boolean news = newestHeard == null || attemptedAfter - newestHeard.at() > 0;
        if (news && attemptedAfter - distrustBefore >= 0) {
            newestHeard = new Heard(attemptedAfter, now);
        }
    }

    /** The clocks disagree: nothing that was sent before now proves anything. (M19) */
    void distrust(long now) {
        answers.clear();
        commits.clear();
        newestHeard = null;
        newestAnswered = OptionalLong.empty();
        distrustBefore = now;
        if (isValid(now)) {
            validUntil = now;
        }
    }

    /** How long to wait until a write can prove something that is not proven yet. */
    long nanosUntilWriteProves(long now) {
        if (newestHeard != null && newestHeard.at() + lifetime() - now > 0) {
            return 0;
        }
        return answers.isEmpty() ? quarter : Math.max(0, answers.peekFirst().answeredAt() + quarter - now);
    }

    private void committed(long sentAt, long now, boolean firstGrant) {
        Heard heard = heardBefore(sentAt);
        if (heard == null) {
            return;
        }
        // an answer that came late may have been held up together with the leader's pings: then the pings were not
        // answered, and only one more request can tell
        if (firstGrant && !isValid(now) && now - sentAt <= quarter / 2) {
            extend(heard.at());
        }
        if (commits.isEmpty() || heard.at() - commits.peekLast().heardAt() > 0) {
            commits.addLast(new Commit(heard.at(), now));
        }
    }

    /** The newest request of which a write sent at this instant, once committed, proves the leader to have heard. */
    private @Nullable Heard heardBefore(long writeSentAt) {
        while (!answers.isEmpty() && answers.peekFirst().answeredAt() + quarter - writeSentAt <= 0) {
            newestHeard = new Heard(answers.removeFirst().sentAt(), writeSentAt);
        }
        return newestHeard != null && writeSentAt - newestHeard.ifSentSince() >= 0 ? newestHeard : null;
    }

    private void extend(long heardAt) {
        long until = heardAt + lifetime();
        if (until - validUntil > 0) {
            validUntil = until;
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
