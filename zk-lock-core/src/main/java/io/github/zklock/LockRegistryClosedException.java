package io.github.zklock;

/**
 * The registry was closed before the lock was acquired. Handles of locks that were acquired before stay valid, unless the
 * registry was told to release them ({@link OnClose#RELEASE_HELD}); their owners may re-enter them.
 */
public final class LockRegistryClosedException extends LockException {

    private static final long serialVersionUID = 1L;

    /** For implementations of {@link LockRegistry}. */
    public LockRegistryClosedException(LockName name, String message) {
        super(name, message, null);
    }
}
