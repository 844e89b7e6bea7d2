package io.github.zklock.annotation;

/** What a call does when the lock is lost while its method runs. */
public enum OnLost {
    /** What {@code zk.lock.on-lost} says, or the entry of {@code zk.lock.locks} that the name matches. */
    AS_CONFIGURED,
    /** Lets the method end and then throws {@link io.github.zklock.LockLostException}, unless it failed by itself. */
    THROW_AFTER,
    /** Interrupts the thread that runs the method, or cancels its asynchronous work; then as {@link #THROW_AFTER}. */
    INTERRUPT,
    /**
     * Tells listeners only; the call returns what the method returned. A transaction under the lock is rolled back all the
     * same.
     */
    NOTIFY
}
