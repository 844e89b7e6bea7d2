package io.github.zklock.zookeeper.internal.session;

import io.github.zklock.LockAccessDeniedException;
import io.github.zklock.LockDeadlockException;
import io.github.zklock.LockException;
import io.github.zklock.LockLostException;
import io.github.zklock.LockMismatchException;
import io.github.zklock.LockName;
import io.github.zklock.LockRegistryClosedException;
import io.github.zklock.LockTimeoutException;
import io.github.zklock.LockUnavailableException;
import io.github.zklock.zookeeper.internal.queue.Tokens;
import org.jspecify.annotations.Nullable;

/**
 * The reason why a claim was not granted. It becomes an exception on the caller's thread, so that the stack trace is
 * the caller's.
 */
public record Refusal(
        Reason reason, String message, @Nullable Throwable cause) {

    public static Refusal of(Reason reason, String message) {
        return new Refusal(reason, message, null);
    }

    public static Refusal closed() {
        return of(Reason.CLOSED, "its registry is closed");
    }

    public static Refusal notConfirmed() {
        return of(Reason.UNAVAILABLE, "ZooKeeper did not confirm in time that it is still held");
    }

    public static Refusal epochExhausted(long epoch) {
        return of(
                Reason.UNAVAILABLE,
                "the ensemble's epoch " + epoch + " does not fit into a fencing token (at most " + Tokens.MAX_EPOCH
                        + "); a new ensemble is needed");
    }

    /** Returns the refusal of a seat that would make the closing transaction of the session too large. (L24) */
    public static Refusal noRoom(SeatBudget used, int wanted, long limit) {
        return of(
                Reason.UNAVAILABLE,
                "its seat takes " + wanted + " bytes, and " + used.use() + " of the " + limit
                        + " bytes that this registry's session may use; release locks, use shorter names or several"
                        + " registries with a client each, or raise jute.maxbuffer on all servers and then the seat budget");
    }

    public static Refusal lostBeforeReentry(LockName name) {
        return of(Reason.LOST, "Lock '" + name + "' was lost before it could be re-entered");
    }

    public static Refusal failure(Throwable error) {
        return new Refusal(Reason.UNAVAILABLE, "the engine failed: " + error, error);
    }

    /** Returns the same refusal with a message that is the end of a sentence about this lock. */
    public Refusal about(LockName name) {
        return new Refusal(reason, "Lock '" + name + "' not acquired: " + message, cause);
    }

    public LockException toException(LockName name) {
        return switch (reason) {
            case BUSY -> new LockTimeoutException(name, message);
            case UNAVAILABLE -> new LockUnavailableException(name, message, cause);
            case DENIED -> new LockAccessDeniedException(name, message, cause);
            case MISMATCH -> new LockMismatchException(name, message);
            case LOST -> new LockLostException(name, message);
            case DEADLOCK -> new LockDeadlockException(name, message);
            case CLOSED -> new LockRegistryClosedException(name, message);
        };
    }

    public enum Reason {
        BUSY,
        UNAVAILABLE,
        DENIED,
        MISMATCH,
        LOST,
        DEADLOCK,
        CLOSED
    }
}
