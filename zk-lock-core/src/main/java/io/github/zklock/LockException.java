package io.github.zklock;

import org.jspecify.annotations.Nullable;

/** The root of everything that can go wrong with a lock. Each knows the lock it is about. */
public abstract sealed class LockException extends RuntimeException
        permits LockTimeoutException,
                LockUnavailableException,
                LockLostException,
                LockInterruptedException,
                LockMismatchException,
                LockAccessDeniedException,
                LockRegistryClosedException {

    private static final long serialVersionUID = 1L;

    private final String name;

    LockException(LockName name, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.name = name.value();
    }

    /** The lock. */
    public LockName name() {
        return LockName.of(name);
    }
}
