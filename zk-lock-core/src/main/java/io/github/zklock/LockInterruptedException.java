package io.github.zklock;

/**
 * The wait for the lock was interrupted, at a place that cannot throw {@link InterruptedException}. The thread's
 * interrupt flag is set, and the queue was left.
 */
public final class LockInterruptedException extends LockException {

    private static final long serialVersionUID = 1L;

    /** For callers of a {@link LockRegistry} that hide its checked exception. */
    public LockInterruptedException(LockName name, String message, InterruptedException cause) {
        super(name, message, cause);
    }
}
