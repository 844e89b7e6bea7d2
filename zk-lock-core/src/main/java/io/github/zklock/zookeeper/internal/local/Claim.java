package io.github.zklock.zookeeper.internal.local;

import io.github.zklock.LockInspector.Awaited;
import io.github.zklock.LockName;
import io.github.zklock.LockPolicy;
import io.github.zklock.zookeeper.internal.queue.Demand;
import io.github.zklock.zookeeper.internal.runtime.Nanos;
import io.github.zklock.zookeeper.internal.runtime.Time;
import io.github.zklock.zookeeper.internal.session.Refusal;
import io.github.zklock.zookeeper.internal.session.Refusal.Reason;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One wish for a lock, answered exactly once.
 *
 * <pre>
 * OPEN -&gt; GRANTED      a turn was given
 * OPEN -&gt; REFUSED      deadline, failure, closed registry
 * OPEN -&gt; WITHDRAWN    the asker went away
 * GRANTED -&gt; WITHDRAWN the asker went away before it took the turn
 * GRANTED -&gt; REFUSED   the engine failed before the asker was told
 * </pre>
 *
 * If the engine is replaced, an open claim enters the next one. Owned by the loop, apart from its final fields and
 * {@link #abandoned}.
 */
public final class Claim {

    /** Where the answer goes, on the loop. Must return at once. Perhaps told the same twice. */
    public interface Answer {
        void granted(Turn turn);

        void refused(Refusal refusal);

        /** Whether the asker has the answer, and what was granted will be given back. Any thread. */
        boolean hasArrived();

        /** Whether the answer was told and could not be passed on. Any thread. */
        default boolean isStranded() {
            return false;
        }

        /** Who asks, for people. */
        String asker();
    }

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
    /** Whether the answer was told. */
    private boolean told;

    private int engines;

    /**
     * The asker has gone away, and could perhaps not say so on the loop. Written by any thread, as a field: at the end of its
     * stack a thread can still write a field when it can call nothing. (L26)
     */
    public volatile boolean abandoned;

    // set before the loop is told of the claim
    private @Nullable LockPolicy policy;
    private @Nullable Turn own;

    private @Nullable Claim before;

    // only OpenClaims uses these
    public @Nullable Claim previous;

    public @Nullable Claim next;

    public boolean listed;

    /**
     * @param thread the thread that will own the turn, if one does
     * @param askedAt the monotonic instant from which patience counts
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

    /** Who waits, for people. */
    public String waiter() {
        return answer.asker();
    }

    @Nullable Thread thread() {
        return thread;
    }

    long askedAt() {
        return askedAt;
    }

    /** @param who has the lock */
    Refusal busy(String who) {
        String how = patience.waitsForHolders() ? patience.toString() : "at once";
        return Refusal.of(Reason.BUSY, "Lock '" + name + "' not acquired " + how + " (" + who + ")");
    }

    /** The claim {@link #before} was not granted. */
    public Refusal behindAnother() {
        return busy("the lock before it was not free");
    }

    /**
     * Nobody knows in time.
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
     * The servers can be reached, and the wait was too short for their answer. (L31)
     *
     * @param question what they had not answered
     * @param waited the measured time
     */
    Refusal notAnsweredYet(String question, Duration waited) {
        return Refusal.of(
                Reason.UNAVAILABLE,
                "ZooKeeper is connected but did not answer " + question + " " + patience + " (measured " + waited
                        + "); whether others hold it is not known; use a longer wait");
    }

    Awaited describe(long now) {
        return new Awaited(name, demand.kind(), demand.permits(), waiter(), Duration.ofNanos(now - askedAt));
    }

    public boolean isOpen() {
        return state == State.OPEN;
    }

    /** Has the action run at the deadline, if there is one. */
    void armDeadline(Time time, Runnable action) {
        if (patience.limit() != null && deadline == null) {
            long left = askedAt + Nanos.of(patience.limit()) - time.nanoTime();
            deadline = time.after(Math.max(0, left), action);
        }
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

    /** Tells the asker again what may not have arrived. */
    public void tellAgain() {
        if (state == State.GRANTED && turn != null) {
            answer.granted(turn);
            told = true;
        } else if (state == State.REFUSED && refusal != null) {
            answer.refused(refusal);
            told = true;
        }
    }

    /** Tells this instead of a grant that may not have arrived, and that is lost by now. */
    public void refuseInstead(Refusal why) {
        state = State.REFUSED;
        turn = null;
        refusal = refusal == null ? why : refusal;
        answer.refused(refusal);
        told = true;
    }

    /** Whether there is an answer that the asker may not have, because an Error came between. */
    public boolean isUntold() {
        return (state == State.GRANTED || state == State.REFUSED) && (!told || answer.isStranded());
    }

    /** Whether nothing is left to do about it, whatever happens to the engine. */
    public boolean isSettled() {
        return state == State.WITHDRAWN
                || (state == State.REFUSED && abandoned)
                || (told && !isOpen() && !abandoned && answer.hasArrived() && !answer.isStranded());
    }

    /**
     * Says how the lock is to be handled.
     *
     * @param policy unless another one is in force
     */
    public void isFor(LockPolicy policy) {
        this.policy = policy;
    }

    /**
     * Says to what its asker comes back.
     *
     * @param own the turn, of which the asker is the owner
     */
    public void isFor(Turn own) {
        this.own = own;
    }

    /** Has the engine grant this claim only at once, and only after it has granted the given claim of another lock. */
    public void isTakenBehind(Claim before) {
        this.before = before;
    }

    public boolean isTakenBehindAnother() {
        return before != null;
    }

    /** The claim that has to be granted before; null if there is none. */
    public @Nullable Claim before() {
        return before;
    }

    public boolean mayBeGranted() {
        return before == null || before.state == State.GRANTED;
    }

    /** What it comes back to; null if it is a new one. */
    public @Nullable Turn own() {
        return own;
    }

    public LockPolicy policy() {
        return Objects.requireNonNull(policy);
    }

    /** An engine is about to be told of it. Returns how many were. */
    public int enterAnotherEngine() {
        // the alarm of the engine before does not go off any more
        deadline = null;
        return ++engines;
    }

    /** The turn to give back, if one had been given already. */
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
