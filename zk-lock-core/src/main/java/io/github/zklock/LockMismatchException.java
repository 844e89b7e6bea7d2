package io.github.zklock;

/** A seat of another kind stands in the queue of this lock: two services use one name for different kinds of lock. */
public final class LockMismatchException extends LockException {

    private static final long serialVersionUID = 1L;

    /** For implementations of {@link LockRegistry}. */
    public LockMismatchException(LockName name, String message) {
        super(name, message, null);
    }
}
