package io.github.zklock;

/**
 * Thrown under {@link DeadlockReaction#FAIL} if the request is the youngest one of a deadlock. The lock was not acquired.
 * Release the locks that the message names, and repeat the whole operation.
 */
public final class LockDeadlockException extends LockException {

    private static final long serialVersionUID = 1L;

    /** Creates the exception; for implementations of {@link LockRegistry}. */
    public LockDeadlockException(LockName name, String message) {
        super(name, message, null);
    }
}
