package io.github.zklock;

/**
 * Thrown if the registry was closed before the lock was acquired. Handles that were acquired before stay valid, and
 * their owners may re-enter the locks, unless the registry is configured to release them ({@link
 * OnClose#RELEASE_HELD}).
 */
public final class LockRegistryClosedException extends LockException {

    private static final long serialVersionUID = 1L;

    /** Creates the exception; for implementations of {@link LockRegistry}. */
    public LockRegistryClosedException(LockName name, String message) {
        super(name, message, null);
    }
}
