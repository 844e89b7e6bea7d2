package io.github.zklock;

/** The registry was closed before the lock could be had. */
public final class LockRegistryClosedException extends LockException {

    private static final long serialVersionUID = 1L;

    /** For implementations of {@link LockRegistry}. */
    public LockRegistryClosedException(LockName name, String message) {
        super(name, message, null);
    }
}
