package io.github.zklock;

import org.jspecify.annotations.Nullable;

/** ZooKeeper could not be asked for the lock in time. Whether others hold it is not known. */
public final class LockUnavailableException extends LockException {

    private static final long serialVersionUID = 1L;

    /** For implementations of {@link LockRegistry}. */
    public LockUnavailableException(LockName name, String message, @Nullable Throwable cause) {
        super(name, message, cause);
    }
}
