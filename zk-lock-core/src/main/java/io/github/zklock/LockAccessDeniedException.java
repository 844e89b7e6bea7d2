package io.github.zklock;

import org.jspecify.annotations.Nullable;

/** Thrown if ZooKeeper rejects this client: its authentication failed, or an access list forbids the operation. */
public final class LockAccessDeniedException extends LockException {

    private static final long serialVersionUID = 1L;

    /** Creates the exception; for implementations of {@link LockRegistry}. */
    public LockAccessDeniedException(LockName name, String message, @Nullable Throwable cause) {
        super(name, message, cause);
    }
}
