package io.github.zklock;

/** Thrown if the name of the lock is in use as another kind of lock: two services use one name for different purposes. */
public final class LockMismatchException extends LockException {

    private static final long serialVersionUID = 1L;

    /** Creates the exception; for implementations of {@link LockRegistry}. */
    public LockMismatchException(LockName name, String message) {
        super(name, message, null);
    }
}
