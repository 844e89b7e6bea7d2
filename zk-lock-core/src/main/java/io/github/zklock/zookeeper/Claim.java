package io.github.zklock.zookeeper;

import io.github.zklock.LockInspector.Awaited;
import io.github.zklock.LockName;
import java.time.Duration;
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
 * </pre>
 *
 * Owned by the loop, apart from its final fields.
 */
final class Claim {

    /** Where the answer goes, on the loop. Must return at once. */
    interface Answer {
        void granted(Turn turn);

        void refused(Refusal refusal);

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

    /**
     * @param thread the thread that will own the turn, if one does
     * @param askedAt the monotonic instant from which patience counts
     */
    Claim(LockName name, Demand demand, Patience patience, @Nullable Thread thread, long askedAt, Answer answer) {
        this.name = name;
        this.demand = demand;
        this.patience = patience;
        this.thread = thread;
        this.askedAt = askedAt;
        this.answer = answer;
    }

    LockName name() {
        return name;
    }

    Demand demand() {
        return demand;
    }

    Patience patience() {
        return patience;
    }

    /** Who waits, for people. */
    String waiter() {
        return answer.asker();
    }

    @Nullable Thread thread() {
        return thread;
    }

    long askedAt() {
        return askedAt;
    }

    Awaited describe(long now) {
        return new Awaited(name, demand.kind(), demand.permits(), waiter(), Duration.ofNanos(now - askedAt));
    }

    boolean isOpen() {
        return state == State.OPEN;
    }

    /** Has the action run at the deadline, if there is one. */
    void armDeadline(Time time, Runnable action) {
        if (patience.limit() != null && deadline == null) {
            long left = askedAt + Nanos.of(patience.limit()) - time.nanoTime();
            deadline = time.after(Math.max(0, left), action);
        }
    }

    void grant(Turn granted) {
        become(State.GRANTED);
        turn = granted;
        answer.granted(granted);
    }

    void refuse(Refusal refusal) {
        become(State.REFUSED);
        answer.refused(refusal);
    }

    /** The turn to give back, if one had been given already. */
    Optional<Turn> withdraw() {
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
