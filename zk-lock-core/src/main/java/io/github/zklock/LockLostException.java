package io.github.zklock;

/**
 * The lock was lost, or cannot be proven to be held, by the one who asks.
 *
 * <p>Not an {@link IllegalMonitorStateException}: that one says that the caller made a mistake, this one that the world
 * did.
 */
public final class LockLostException extends LockException {

    private static final long serialVersionUID = 1L;

    /** For implementations of {@link LockRegistry}. */
    public LockLostException(LockName name, String message) {
        super(name, message, null);
    }
}
