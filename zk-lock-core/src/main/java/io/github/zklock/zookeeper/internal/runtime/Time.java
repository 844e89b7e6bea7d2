package io.github.zklock.zookeeper.internal.runtime;

/** The clocks of the engine, and its timer. */
public interface Time {

    /** Returns the monotonic clock. */
    long nanoTime();

    /** Returns the wall clock in nanoseconds, from any origin. Compare it only with itself. */
    long wallNanos();

    /** Runs the action on the loop after this delay. */
    Alarm after(long delayNanos, Runnable action);

    /** Runs the action after this delay, before everything that waits for the loop then. */
    default Alarm urgentlyAfter(long delayNanos, Runnable action) {
        return after(delayNanos, action);
    }

    /** A scheduled action. */
    interface Alarm {
        /** Cancels the action. Does nothing if it has run. */
        void cancel();
    }
}
