package io.github.zklock.zookeeper.internal.engine;

import io.github.zklock.internal.Words;
import io.github.zklock.zookeeper.internal.runtime.Nanos;
import io.github.zklock.zookeeper.internal.runtime.Steps;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The calls of users' functions on the threads of their requests. The thread is interrupted when the limit of the request
 * is over, so that a function that blocks does not hold up the answer. The interrupt is cleared when the function
 * returns. Thread-safe.
 *
 * <p>Not guaranteed: the limit, if the function ignores the interrupt. If other code interrupts the thread after the
 * limit, that interrupt is cleared too.
 */
final class LimitedCalls {

    /** One look at all calls costs less than a timer for each of them. */
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
    /** The number of looks without a call after which they end. */
    private static final int IDLE_LOOKS = 50;

    private final Steps steps;
    private final Executor interrupts;
    private final LongSupplier nanoTime;
    private final Set<Call> running = ConcurrentHashMap.newKeySet();
    private final AtomicBoolean looking = new AtomicBoolean();
    /** Only the looks use it, which follow each other. */
    private int idleLooks;

    /** @param interrupts delivers interrupts: a thread of a user may override them, and is then code of users */
    LimitedCalls(Steps steps, Executor interrupts, LongSupplier nanoTime) {
        this.steps = steps;
        this.interrupts = interrupts;
        this.nanoTime = nanoTime;
    }

    /**
     * Returns the result of the function.
     *
     * @param limit null for no limit
     * @throws IllegalStateException if the function did not return within the limit
     */
    <T> T get(@Nullable Duration limit, Supplier<T> function) {
        if (limit == null) {
            return function.get();
        }
        Call call = new Call(limit);
        try {
            running.add(call);
            look();
            T result = function.get();
            call.refuseIfLate(null);
            return result;
        } catch (RuntimeException failed) {
            call.refuseIfLate(failed);
            throw failed;
        } finally {
            running.remove(call);
            // after an Error
            call.end();
        }
    }

    private void look() {
        if (!looking.get() && looking.compareAndSet(false, true)) {
            schedule();
        }
    }

    private void schedule() {
        boolean scheduled = false;
        try {
            steps.after(LOOK_NANOS, this::lookAgain);
            scheduled = true;
        } finally {
            if (!scheduled) {
                // an Error, after which the next call tries again
                looking.set(false);
            }
        }
    }

    private void lookAgain() {
        try {
            interruptLate();
            idleLooks = running.isEmpty() ? idleLooks + 1 : 0;
        } finally {
            // also after an Error
            if (idleLooks < IDLE_LOOKS) {
                schedule();
            } else {
                idleLooks = 0;
                looking.set(false);
                // a call that began meanwhile has found the flag set
                if (!running.isEmpty()) {
                    look();
                }
            }
        }
    }

    private void interruptLate() {
        long now = nanoTime.getAsLong();
        for (Call call : running) {
            if (now - call.end >= 0 && !call.due) {
                interrupts.execute(call::interrupt);
                call.due = true;
            }
        }
    }

    /** One call. */
    private final class Call {

        private enum State {
            RUNNING,
            LATE,
            OVER
        }

        private final Thread thread = Thread.currentThread();
        private final Duration limit;
        private final long end;
        /** Guards the state and the delivery of the interrupt: the end of the call waits for an interrupt in progress. */
        private final ReentrantLock change = new ReentrantLock();

        /**
         * <pre>
         * RUNNING -&gt; LATE    the limit is over
         * any -&gt; OVER        the function has returned
         * </pre>
         */
        private State state = State.RUNNING;

        /** Only the looks use it. */
        private boolean due;

        Call(Duration limit) {
            this.limit = limit;
            this.end = nanoTime.getAsLong() + Nanos.of(limit);
        }

        private void interrupt() {
            change.lock();
            try {
                if (state == State.RUNNING) {
                    state = State.LATE;
                    thread.interrupt();
                }
            } finally {
                change.unlock();
            }
        }

        /** @param failure of the function; null if it returned */
        private void refuseIfLate(@Nullable RuntimeException failure) {
            if (end()) {
                throw new IllegalStateException(
                        "the function did not return within " + Words.of(limit) + " and was interrupted", failure);
            }
        }

        /** Ends the call. Returns whether its thread was interrupted, and clears that interrupt. */
        private boolean end() {
            change.lock();
            try {
                boolean late = state == State.LATE;
                if (late) {
                    Thread.interrupted();
                }
                state = State.OVER;
                return late;
            } finally {
                change.unlock();
            }
        }
    }
}
