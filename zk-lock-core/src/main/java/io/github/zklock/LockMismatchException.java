package io.github.zklock;

/**
 * The name of this lock is in use as another kind of lock, or with another number of permits: two services use one name
 * for different things.
 */
public final class LockMismatchException extends LockException {

    private static final long serialVersionUID = 1L;

    /** For implementations of {@link LockRegistry}. */
    public LockMismatchException(LockName name, String message) {
        super(name, message, null);
    }
}
