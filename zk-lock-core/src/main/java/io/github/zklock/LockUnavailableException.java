package io.github.zklock;

import org.jspecify.annotations.Nullable;

/**
 * Thrown if ZooKeeper could not be asked for the lock in time, or did not prove in time that the session is alive. It
 * is not known whether others hold the lock.
 */
public final class LockUnavailableException extends LockException {

    private static final long serialVersionUID = 1L;

    /** Creates the exception; for implementations of {@link LockRegistry}. */
    public LockUnavailableException(LockName name, String message, @Nullable Throwable cause) {
        super(name, message, cause);
    }
}
