package io.github.zklock.zookeeper.internal.session;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.OptionalLong;
import java.util.function.UnaryOperator;

/** What the answers on one connection show about the touches of its session. Owned by the loop. */
final class Touches {

    /*
     * The leader expires a session T after the last touch that reached it. Three events touch a session: its creation, a
     * reconnection, and a follower's answer to a ping of the leader. The leader pings every half tick, and the answer
     * names the sessions from which the follower received something since its last answer. Links keep the order. Let D
     * be T/3, which is longer than the time between two pings. Then four requests on one connection prove that the
     * session lives until sent(j) + T:
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

    private final long timeout;

    /** Answered requests that no other answered request follows yet. */
    private final Deque<Answer> single = new ArrayDeque<>();
    /** Answered requests, each with the instant at which a later request was answered as well. */
    private final Deque<Answer> answers = new ArrayDeque<>();

    private final Deque<Witness> commits = new ArrayDeque<>();
    private final Deque<Witness> syncs = new ArrayDeque<>();

    private OptionalLong newestRipe = OptionalLong.empty();
    /** When the latest request was sent that the leader has answered. */
    private OptionalLong leaderAskedAt = OptionalLong.empty();
    /** The end of the latest time that was left out because the leader may have stood still. */
    private long stoodStillUntil;

    /** @param timeoutNanos the shortest timeout that any connection of the session has negotiated */
    Touches(long timeoutNanos) {
        this.timeout = timeoutNanos;
    }

    /** Returns the newest touch that an answer of the leader proves, if k was a write that has committed. */
    OptionalLong provenAfterCommit(long sentAt) {
        return completed(commits, sentAt);
    }

    /** Returns the newest touch that an answer of the leader proves, if k was no such write. */
    OptionalLong provenAfterSync(long sentAt) {
        return completed(syncs, sentAt);
    }

    /**
     * Records an answer, which is k or j of the requests to follow.
     *
     * @param trusted whether the instant of the sending is known
     */
    void answered(long sentAt, long now, SessionProof.Proves proves, boolean trusted) {
        if (proves.byLeader()) {
            leaveOutStandstill(sentAt, now, trusted);
            witnessed(proves == SessionProof.Proves.COMMIT ? commits : syncs, sentAt, now);
        }
        if (trusted) {
            remember(sentAt, now);
        }
    }

    /** Corrects all instants as {@link SessionProof#clockFellBehind}. */
    void clockFellBehind(long nanos) {
        redate(single, each -> each.earlier(nanos));
        redate(answers, each -> each.earlier(nanos));
        redate(commits, each -> each.earlier(nanos));
        redate(syncs, each -> each.earlier(nanos));
        newestRipe = SessionProof.earlier(newestRipe, nanos);
        leaderAskedAt = SessionProof.earlier(leaderAskedAt, nanos);
    }

    /** Returns how long to wait until a write may be k or m. */
    long nanosUntilWriteProves(long now) {
        if (newestRipe.isPresent() && newestRipe.getAsLong() + SessionProof.lifetime(timeout) - now > 0) {
            return 0;
        }
        return answers.isEmpty() ? distance() : Math.max(0, answers.peekFirst().answeredAt() + distance() - now);
    }

    /** Returns D, which is longer than the time between two pings of the leader. */
    long distance() {
        return timeout / 3;
    }

    /**
     * Leaves out the time between the two latest answers of the leader if the leader, or the link to it, may have stood
     * still in it.
     */
    private void leaveOutStandstill(long sentAt, long now, boolean trusted) {
        if (leaderAskedAt.isEmpty()) {
            // answers before the first answer of the leader do not count at all
            redate(answers, answer -> answer.withoutTimeBetween(answer.answeredAt(), now));
            stoodStillUntil = now;
            leaderAskedAt = trusted ? OptionalLong.of(sentAt) : OptionalLong.empty();
            return;
        }
        long askedAt = leaderAskedAt.getAsLong();
        if (now - askedAt > longestUnnoticed()) {
            // a time is left out once only
            long since = stoodStillUntil - askedAt > 0 ? stoodStillUntil : askedAt;
            redate(answers, answer -> answer.withoutTimeBetween(since, now));
            stoodStillUntil = now;
        }
        if (sentAt - askedAt > 0 && trusted) {
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
        while (!witnesses.isEmpty() && hasRunOut(witnesses.peekFirst().heardAt(), now)) {
            witnesses.removeFirst();
        }
        if (newestRipe.isPresent()) {
            long heardAt = newestRipe.getAsLong();
            if (witnesses.isEmpty() || heardAt - witnesses.peekLast().heardAt() > 0) {
                witnesses.addLast(new Witness(heardAt, now));
            }
        }
    }

    private void remember(long sentAt, long now) {
        while (!single.isEmpty() && single.peekFirst().answeredAt() - sentAt <= 0) {
            answers.addLast(new Answer(single.removeFirst().sentAt(), now));
        }
        while (!answers.isEmpty() && hasRunOut(answers.peekFirst().sentAt(), now)) {
            answers.removeFirst();
        }
        // one answer in T/64 is enough: thousands of requests per second must not accumulate here
        Answer last = single.isEmpty() ? answers.peekLast() : single.peekLast();
        if (last == null || sentAt - last.sentAt() >= timeout / 64) {
            single.addLast(new Answer(sentAt, now));
        }
    }

    private boolean hasRunOut(long touchedAt, long now) {
        return touchedAt + SessionProof.lifetime(timeout) - now <= 0;
    }

    /**
     * Returns a time that is longer than the time from a request to the answer to the next one, if nothing stands
     * still.
     */
    private long longestUnnoticed() {
        return timeout / 5;
    }

    private static <T> void redate(Deque<T> dated, UnaryOperator<T> change) {
        for (int left = dated.size(); left > 0; left--) {
            dated.addLast(change.apply(dated.removeFirst()));
        }
    }
}
