package io.github.zklock;

/**
 * Thrown if a caller has lost its lock, or if the lock cannot be proven to be held.
 *
 * <p>This class is not an {@link IllegalMonitorStateException}, which reports a mistake of the caller.
 */
public final class LockLostException extends LockException {

    private static final long serialVersionUID = 1L;

    /** Creates the exception; for implementations of {@link LockRegistry}. */
    public LockLostException(LockName name, String message) {
        super(name, message, null);
    }
}
