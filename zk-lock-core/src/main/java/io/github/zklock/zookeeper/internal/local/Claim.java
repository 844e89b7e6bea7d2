package io.github.zklock.zookeeper.internal.local;

import io.github.zklock.LockInspector.Awaited;
import io.github.zklock.LockName;
import io.github.zklock.LockPolicy;
import io.github.zklock.internal.Words;
import io.github.zklock.zookeeper.internal.queue.Demand;
import io.github.zklock.zookeeper.internal.runtime.Chain;
import io.github.zklock.zookeeper.internal.runtime.Nanos;
import io.github.zklock.zookeeper.internal.runtime.Time;
import io.github.zklock.zookeeper.internal.session.Refusal;
import io.github.zklock.zookeeper.internal.session.Refusal.Reason;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One request for a lock. It has one answer, which may be delivered twice. Only a failure of the engine replaces a grant
 * that may not have arrived, by a refusal.
 *
 * <pre>
 * OPEN -&gt; GRANTED      a turn was granted
 * OPEN -&gt; REFUSED      deadline, failure, closed registry
 * OPEN -&gt; WITHDRAWN    the caller gave up: cancellation, interrupt or Error
 * GRANTED -&gt; WITHDRAWN the caller gave up before it received the turn
 * GRANTED -&gt; REFUSED   the engine failed before the caller received the answer
 * </pre>
 *
 * <p>Owned by the loop, except its final fields and {@link #abandoned}.
 */
public final class Claim extends Chain.Link<Claim> {

    /**
     * The receiver of the answer, which is called on the loop and must return at once. It may receive the same answer
     * twice.
     */
    public interface Answer {
        void granted(Turn turn);

        void refused(Refusal refusal);

        /** Returns whether the caller has received the answer, so that it will release what was granted. Any thread. */
        boolean hasArrived();

        /** Returns whether the answer was delivered but could not be passed to the caller. Any thread. */
        default boolean isStranded() {
            return false;
        }

        /** Returns a name of the caller for messages. */
        String asker();
    }

    /** The shortest wait that is long enough for a request about the first seat, in nanoseconds. */
    private static final long LONG_WAIT = TimeUnit.MILLISECONDS.toNanos(500);

    /** The part of a long wait that is left for that request. */
    private static final int LAST_PART = 4;

    /** The number of seats in front of a claim up to which a message counts them: a queue may have thousands. */
    static final int MOST_COUNTED = 100;

    private enum State {
        OPEN,
        GRANTED,
        REFUSED,
        WITHDRAWN
    }

    private final LockName name;
    private final Demand demand;
    private final Patience patience;
    private final @Nullable Thread thread;
    private final long askedAt;
    private final Answer answer;

    private State state = State.OPEN;
    private Time.@Nullable Alarm deadline;
    private @Nullable Turn turn;
    private @Nullable Refusal refusal;
    /** Whether the answer was delivered. */
    private boolean told;

    /**
     * Whether the caller has cancelled the request, perhaps without being able to report that on the loop. Any thread
     * writes it, as a field: at the end of its stack, a thread can still write a field when it cannot call a method.
     * (L26)
     */
    public volatile boolean abandoned;

    // set before the claim is passed to the loop
    private @Nullable LockPolicy policy;
    private @Nullable Turn own;

    private @Nullable Claim before;

    /** The place among the waiting claims of its lock in this process; only {@link Occupancy} writes it. */
    long place = Long.MAX_VALUE;

    /**
     * @param thread the thread that will own the turn, if any
     * @param askedAt the monotonic instant at which the wait began
     */
    public Claim(
            LockName name, Demand demand, Patience patience, @Nullable Thread thread, long askedAt, Answer answer) {
        this.name = name;
        this.demand = demand;
        this.patience = patience;
        this.thread = thread;
        this.askedAt = askedAt;
        this.answer = answer;
    }

    public LockName name() {
        return name;
    }

    public Demand demand() {
        return demand;
    }

    Patience patience() {
        return patience;
    }

    /** Returns a name of the waiter for messages. */
    public String waiter() {
        return answer.asker();
    }

    @Nullable Thread thread() {
        return thread;
    }

    public long askedAt() {
        return askedAt;
    }

    /**
     * Returns the refusal of a lock that others hold.
     *
     * @param who a description of the holder or of the waiters ahead
     */
    Refusal busy(String who) {
        String how = patience.waitsForHolders() ? patience.toString() : "at once";
        return Refusal.of(Reason.BUSY, "Lock '" + name + "' not acquired " + how + " (" + who + ")");
    }

    /** Describes the others in front of a claim, of which no more than {@link #MOST_COUNTED} need to be counted. */
    static String ahead(int seats) {
        if (seats >= MOST_COUNTED) {
            return "at least " + MOST_COUNTED + " others ahead";
        }
        return seats + (seats == 1 ? " other ahead" : " others ahead");
    }

    /** The claim {@link #before} was not granted. */
    public Refusal behindAnother() {
        return busy("the lock before it was not free");
    }

    /**
     * Returns the refusal at a deadline at which ZooKeeper could not be reached.
     *
     * @param trouble what is known of the reason; may be empty
     */
    Refusal notAnswered(String trouble) {
        return Refusal.of(
                Reason.UNAVAILABLE,
                "ZooKeeper could not be reached or did not answer " + patience
                        + (trouble.isEmpty() ? "" : " (" + trouble + ")") + "; whether others hold it is not known");
    }

    /**
     * Returns the refusal at a deadline that was too short for the answer, although the servers can be reached. (L31)
     *
     * @param question the request that was not answered
     * @param waited the measured time
     */
    Refusal notAnsweredYet(String question, Duration waited) {
        return Refusal.of(
                Reason.UNAVAILABLE,
                "ZooKeeper is connected but did not answer " + question + " " + patience + " (measured "
                        + Words.of(waited) + "); whether others hold it is not known; use a longer wait");
    }

    /**
     * Returns the refusal at a deadline until which the session was not proven to be alive, although no other request
     * precedes this one. (L31)
     *
     * @param waited the measured time
     */
    Refusal notProvenYet(Duration waited) {
        return Refusal.of(
                Reason.UNAVAILABLE,
                "ZooKeeper is connected and no other request was ahead, but the session was not proven to be alive "
                        + patience + " (measured " + Words.of(waited) + "); use a longer wait");
    }

    /** Returns the wait until now. Any thread. */
    public Awaited describe(long now) {
        return new Awaited(name, demand.kind(), demand.permits(), waiter(), Duration.ofNanos(now - askedAt));
    }

    /** Returns whether the caller has its answer, or has left without it. Any thread. */
    public boolean isOver() {
        return abandoned || answer.hasArrived();
    }

    public boolean isOpen() {
        return state == State.OPEN;
    }

    /**
     * Schedules the actions for the deadline, if there is one.
     *
     * @param nearEnd runs when most of a long wait is over
     */
    void armDeadline(Time time, Runnable nearEnd, Runnable end) {
        if (patience.limit() == null || deadline != null) {
            return;
        }
        long due = askedAt + Nanos.of(patience.limit());
        long left = Math.max(0, due - time.nanoTime());
        if (Nanos.of(patience.limit()) < LONG_WAIT || left < LONG_WAIT / 2) {
            deadline = time.after(left, end);
            return;
        }
        deadline = time.after(left - left / LAST_PART, () -> {
            deadline = time.after(Math.max(0, due - time.nanoTime()), end);
            nearEnd.run();
        });
    }

    public void grant(Turn granted) {
        become(State.GRANTED);
        turn = granted;
        answer.granted(granted);
        told = true;
    }

    public void refuse(Refusal why) {
        become(State.REFUSED);
        refusal = why;
        answer.refused(why);
        told = true;
    }

    /** Delivers the answer again, because the caller may not have received it. */
    public void tellAgain() {
        if (state == State.GRANTED && turn != null) {
            answer.granted(turn);
            told = true;
        } else if (state == State.REFUSED && refusal != null) {
            answer.refused(refusal);
            told = true;
        }
    }

    /**
     * Rejects the claim although it may be granted already: the caller may not have received the grant, and the lock is
     * lost. A refusal that the caller may not have received is delivered again.
     *
     * @param reason why no engine serves the claim
     */
    public void refuseAfterFailure(String reason) {
        state = State.REFUSED;
        turn = null;
        if (refusal == null) {
            refusal =
                    own == null ? Refusal.of(Reason.UNAVAILABLE, reason).about(name) : Refusal.lostBeforeReentry(name);
        }
        answer.refused(refusal);
        told = true;
    }

    /** Returns whether there is an answer that the caller may not have received because of an Error. */
    public boolean isUntold() {
        return (state == State.GRANTED || state == State.REFUSED) && (!told || answer.isStranded());
    }

    /** Returns whether the claim needs no further work, even if the engine fails. */
    public boolean isSettled() {
        return state == State.WITHDRAWN
                || (state == State.REFUSED && abandoned)
                || (told && !isOpen() && !abandoned && answer.hasArrived() && !answer.isStranded());
    }

    /**
     * Sets the policy of the lock.
     *
     * @param policy the policy, unless another one applies already
     */
    public void setPolicy(LockPolicy policy) {
        this.policy = policy;
    }

    /**
     * Makes this claim a re-entry, with the policy of the turn.
     *
     * @param own the turn that the caller owns
     */
    public void setReentryOf(Turn own) {
        this.own = own;
        this.policy = own.policy();
    }

    /**
     * Restricts this claim: the engine grants it only at once, and only after it has granted the given claim of another
     * lock.
     */
    public void setBehind(Claim before) {
        this.before = before;
    }

    public boolean isTakenBehindAnother() {
        return before != null;
    }

    /** Returns the claim that has to be granted before this one; null if there is none. */
    public @Nullable Claim before() {
        return before;
    }

    public boolean mayBeGranted() {
        return before == null || before.state == State.GRANTED;
    }

    /** Returns the turn that is re-entered; null if this is no re-entry. */
    public @Nullable Turn own() {
        return own;
    }

    public LockPolicy policy() {
        return Objects.requireNonNull(policy);
    }

    /** Withdraws the claim. Returns the turn to release, if it was granted already. */
    public Optional<Turn> withdraw() {
        Optional<Turn> given = Optional.ofNullable(turn);
        if (state != State.REFUSED) {
            become(State.WITHDRAWN);
            turn = null;
        }
        return given;
    }

    private void become(State next) {
        if (state != State.OPEN && !(state == State.GRANTED && next == State.WITHDRAWN) && next != state) {
            throw new IllegalStateException("Claim of '" + name + "' cannot go from " + state + " to " + next);
        }
        state = next;
        if (deadline != null) {
            deadline.cancel();
            deadline = null;
        }
    }
}
