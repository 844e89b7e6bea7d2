package io.github.zklock;

/** Thrown if others held the lock until the deadline. ZooKeeper was reachable. */
public final class LockTimeoutException extends LockException {

    private static final long serialVersionUID = 1L;

    /** Creates the exception; for implementations of {@link LockRegistry}. */
    public LockTimeoutException(LockName name, String message) {
        super(name, message, null);
    }
}
