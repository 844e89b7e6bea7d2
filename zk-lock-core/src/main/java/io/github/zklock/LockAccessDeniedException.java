package io.github.zklock;

import org.jspecify.annotations.Nullable;

/** ZooKeeper refuses this client: its authentication failed, or an access list forbids the operation. */
public final class LockAccessDeniedException extends LockException {

    private static final long serialVersionUID = 1L;

    /** For implementations of {@link LockRegistry}. */
    public LockAccessDeniedException(LockName name, String message, @Nullable Throwable cause) {
        super(name, message, cause);
    }
}
