package io.github.zklock.test;

import io.github.zklock.LockContext;
import io.github.zklock.LockException;
import io.github.zklock.LockName;
import io.github.zklock.LockPolicy;
import io.github.zklock.test.Alarms.Alarm;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** One wish for a lock, answered once. What is not final or volatile is guarded by the ensemble's lock. */
final class Claim {

    /** What a claim has come to. */
    sealed interface Answer {}

    /** A hold of this turn is the asker's. */
    record Granted(Turn turn) implements Answer {}

    /** The failure is made by the asker's thread, so that its stack trace is the asker's. */
    record Refused(Supplier<LockException> failure) implements Answer {}

    /** The asker went away. */
    record Withdrawn() implements Answer {}

    private final LockName name;
    private final LockPolicy policy;
    private final Demand demand;
    private final Patience patience;
    private final @Nullable Turn own;
    private final String asker;
    private final @Nullable Thread thread;
    private final long askedAt;
    private final Consumer<Answer> whenAnswered;

    /**
     * <pre>
     * null (open) -&gt; Granted | Refused | Withdrawn
     * Granted -&gt; Withdrawn
     * </pre>
     */
    private volatile @Nullable Answer answer;

    private @Nullable Seat seat;
    private @Nullable Alarm deadline;

    /**
     * @param own the turn to re-enter
     * @param thread who waits, if a thread does
     * @param whenAnswered called under the ensemble's lock, unless the asker itself goes away
     */
    Claim(
            LockName name,
            LockPolicy policy,
            Demand demand,
            Patience patience,
            @Nullable Turn own,
            @Nullable Thread thread,
            long askedAt,
            Consumer<Answer> whenAnswered) {
        this.name = name;
        this.policy = policy;
        this.demand = demand;
        this.patience = patience;
        this.own = own;
        this.thread = thread;
        this.askedAt = askedAt;
        this.whenAnswered = whenAnswered;
        this.asker = LockContext.nameOf(Thread.currentThread());
    }

    LockName name() {
        return name;
    }

    /** What will apply to the turn. */
    LockPolicy policy() {
        return policy;
    }

    Demand demand() {
        return demand;
    }

    Patience patience() {
        return patience;
    }

    @Nullable Turn own() {
        return own;
    }

    String asker() {
        return asker;
    }

    @Nullable Thread thread() {
        return thread;
    }

    long askedAt() {
        return askedAt;
    }

    /** Any thread. */
    @Nullable Answer answer() {
        return answer;
    }

    boolean isOpen() {
        return answer == null;
    }

    @Nullable Seat seat() {
        return seat;
    }

    void sitOn(@Nullable Seat place) {
        seat = place;
    }

    void limit(Alarm alarm) {
        deadline = alarm;
    }

    void become(Answer next) {
        answer = next;
        if (deadline != null) {
            deadline.cancel();
        }
        if (!(next instanceof Withdrawn)) {
            whenAnswered.accept(next);
        }
    }
}
