package io.github.zklock.faults.client;

import io.github.zklock.LockDeadlockException;
import io.github.zklock.LockException;
import io.github.zklock.LockLostException;
import io.github.zklock.LockMismatchException;
import io.github.zklock.LockRegistryClosedException;
import io.github.zklock.LockTimeoutException;
import io.github.zklock.LockUnavailableException;
import java.util.stream.Stream;

/** How a call for a lock ended. */
public record CallResult(Outcome outcome, String message) {

    public enum Outcome {
        /** The work was done, and the lock was released. */
        RELEASED("ok"),
        /** The work was done, and the release reported the loss of the lock. */
        LOST("lost"),
        /** The work threw an exception, which reached the caller; the lock was released. */
        THREW("threw"),
        /** The work threw an Error, which reached the caller unchanged; the lock was released. */
        FAILED_BY_ERROR("error"),
        /** A trying call found the lock held. */
        EMPTY(""),
        /** The wait time was over, and the servers were reachable. */
        TIMEOUT(""),
        /** The wait time was over, and the servers were not reachable. */
        UNAVAILABLE(""),
        /** The registry is closed, the lock is in use as another kind, or the request belongs to a deadlock. */
        REFUSED("");

        private final String endOfHold;

        Outcome(String endOfHold) {
            this.endOfHold = endOfHold;
        }

        /** Returns how events name this end of a hold; empty if the lock was not granted. */
        String endOfHold() {
            return endOfHold;
        }
    }

    static CallResult of(Outcome outcome) {
        return new CallResult(outcome, "");
    }

    static CallResult of(Outcome outcome, Throwable why) {
        return new CallResult(outcome, String.valueOf(why.getMessage()));
    }

    /** Returns the result of work that threw. A loss of the lock is among the suppressed exceptions. */
    static CallResult ofWork(Outcome outcome, Throwable thrown) {
        boolean lost = Stream.of(thrown.getSuppressed()).anyMatch(LockLostException.class::isInstance);
        return of(lost ? Outcome.LOST : outcome, thrown);
    }

    /** Converts an exception of our locks; throws it if it is no answer to a call. */
    static CallResult of(LockException exception) {
        if (exception instanceof LockLostException) {
            return of(Outcome.LOST, exception);
        }
        if (exception instanceof LockTimeoutException) {
            return of(Outcome.TIMEOUT, exception);
        }
        if (exception instanceof LockUnavailableException) {
            return of(Outcome.UNAVAILABLE, exception);
        }
        if (exception instanceof LockRegistryClosedException
                || exception instanceof LockMismatchException
                || exception instanceof LockDeadlockException) {
            return of(Outcome.REFUSED, exception);
        }
        throw exception;
    }
}
