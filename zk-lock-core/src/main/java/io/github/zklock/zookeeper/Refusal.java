package io.github.zklock.zookeeper;

import io.github.zklock.LockAccessDeniedException;
import io.github.zklock.LockException;
import io.github.zklock.LockLostException;
import io.github.zklock.LockMismatchException;
import io.github.zklock.LockName;
import io.github.zklock.LockRegistryClosedException;
import io.github.zklock.LockTimeoutException;
import io.github.zklock.LockUnavailableException;
import org.jspecify.annotations.Nullable;

/** Why a claim was not granted. Becomes an exception on the caller's thread, so that the stack trace is the caller's. */
record Refusal(Reason reason, String message, @Nullable Throwable cause) {

    static Refusal of(Reason reason, String message) {
        return new Refusal(reason, message, null);
    }

    static Refusal closed(LockName name) {
        return of(Reason.CLOSED, "Lock '" + name + "' not acquired: its registry is closed");
    }

    LockException toException(LockName name) {
        return switch (reason) {
            case BUSY -> new LockTimeoutException(name, message);
            case UNAVAILABLE -> new LockUnavailableException(name, message, cause);
            case DENIED -> new LockAccessDeniedException(name, message, cause);
            case MISMATCH -> new LockMismatchException(name, message);
            case LOST -> new LockLostException(name, message);
            case CLOSED -> new LockRegistryClosedException(name, message);
        };
    }

    enum Reason {
        BUSY,
        UNAVAILABLE,
        DENIED,
        MISMATCH,
        LOST,
        CLOSED
    }
}
