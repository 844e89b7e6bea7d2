package io.github.zklock.annotation;

/** What a call does if the lock is lost while its method runs. */
public enum OnLost {
    /** Uses the entry of {@code zk.lock.locks} that matches the name, or else {@code zk.lock.on-lost}. */
    AS_CONFIGURED,
    /**
     * Lets the method end and then throws {@link io.github.zklock.LockLostException}. If the method itself throws, its
     * exception is kept.
     */
    THROW_AFTER,
    /**
     * Interrupts the thread that runs the method, or cancels its asynchronous work. The call then ends as with {@link
     * #THROW_AFTER}.
     */
    INTERRUPT,
    /**
     * Notifies listeners only. The call returns the result of the method. A transaction under the lock is still rolled
     * back.
     */
    NOTIFY
}
