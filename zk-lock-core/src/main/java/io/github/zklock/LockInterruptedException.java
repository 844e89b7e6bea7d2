package io.github.zklock;

/**
 * Thrown if the wait for a lock is interrupted where {@link InterruptedException} cannot be thrown. The thread's
 * interrupt flag is set, and the request has left the queue.
 */
public final class LockInterruptedException extends LockException {

    private static final long serialVersionUID = 1L;

    /** Creates the exception; for callers of a {@link LockRegistry} that hide its checked exception. */
    public LockInterruptedException(LockName name, String message, InterruptedException cause) {
        super(name, message, cause);
    }
}
