package io.github.zklock;

import org.jspecify.annotations.Nullable;

/**
 * Thrown under {@link DeadlockReaction#FAIL} if a thread requests locks in another order than seen before. The lock was not
 * requested. The cause is the stack of the earlier request.
 */
public final class LockOrderException extends LockException {

    private static final long serialVersionUID = 1L;

    /** Creates the exception; for implementations of {@link LockRegistry}. */
    public LockOrderException(LockName name, String message, @Nullable Throwable cause) {
        super(name, message, cause);
    }
}
