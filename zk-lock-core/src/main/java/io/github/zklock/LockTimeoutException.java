package io.github.zklock;

/** Thrown if others held the lock until the deadline. ZooKeeper was reachable. */
public sealed class LockTimeoutException extends LockException permits JobNotDueException {

    private static final long serialVersionUID = 1L;

    /** Creates the exception; for implementations of {@link LockRegistry}. */
    public LockTimeoutException(LockName name, String message) {
        super(name, message, null);
    }
}
