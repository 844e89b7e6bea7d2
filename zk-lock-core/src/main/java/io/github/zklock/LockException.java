package io.github.zklock;

import org.jspecify.annotations.Nullable;

/** The root of all exceptions of locks. Each one names its lock. */
public abstract sealed class LockException extends RuntimeException
        permits LockTimeoutException,
                JobNotDueException,
                LockUnavailableException,
                LockLostException,
                LockInterruptedException,
                LockMismatchException,
                LockOrderException,
                LockDeadlockException,
                LockAccessDeniedException,
                LockRegistryClosedException {

    private static final long serialVersionUID = 1L;

    private final String name;

    LockException(LockName name, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.name = name.value();
    }

    /** Returns the name of the lock. */
    public LockName name() {
        return LockName.of(name);
    }
}
