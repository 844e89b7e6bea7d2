package io.github.zklock.zookeeper.internal.runtime;

/** The clocks and the alarm clock of the engine. */
public interface Time {

    /** Monotonic. */
    long nanoTime();

    /** The wall clock, in nanoseconds from any origin. Only compared with itself. */
    long wallNanos();

    /** Runs the action on the loop after this delay. */
    Alarm after(long delayNanos, Runnable action);

    /** Something that will go off. */
    interface Alarm {
        /** Makes it not go off. Does nothing if it has. */
        void cancel();
    }
}
