package io.github.zklock.faults.client;

import io.github.zklock.LockException;
import io.github.zklock.LockLostException;
import io.github.zklock.LockMismatchException;
import io.github.zklock.LockRegistryClosedException;
import io.github.zklock.LockTimeoutException;
import io.github.zklock.LockUnavailableException;
import java.util.stream.Stream;

/** How a call for a lock ended. */
public record CallResult(Outcome outcome, String message) {

    /** What became of it. */
    public enum Outcome {
        /** The work was done, and the lock given back. */
        RELEASED,
        /** The work was done, and the release said that the lock had been lost. */
        LOST,
        /** The work failed, which the caller was told; the lock was given back. */
        THREW,
        /** The work failed with an Error, which the caller was told as it was; the lock was given back. */
        FAILED_BY_ERROR,
        /** A trying call found it taken. */
        EMPTY,
        /** The time was over, and the servers were there. */
        TIMEOUT,
        /** The time was over, and the servers were not to be reached. */
        UNAVAILABLE,
        /** There is nothing to take locks from any more, or the lock is in use as one of another kind. */
        REFUSED
    }

    static CallResult of(Outcome outcome) {
        return new CallResult(outcome, "");
    }

    static CallResult of(Outcome outcome, Throwable why) {
        return new CallResult(outcome, String.valueOf(why.getMessage()));
    }

    /** What the work threw; the release adds to it if the lock had been lost. */
    static CallResult ofWork(Outcome outcome, Throwable thrown) {
        boolean lost = Stream.of(thrown.getSuppressed()).anyMatch(LockLostException.class::isInstance);
        return of(lost ? Outcome.LOST : outcome, thrown);
    }

    /** What our locks say by an exception; it is thrown again if it is none of the answers. */
    static CallResult of(LockException said) {
        if (said instanceof LockLostException) {
            return of(Outcome.LOST, said);
        }
        if (said instanceof LockTimeoutException) {
            return of(Outcome.TIMEOUT, said);
        }
        if (said instanceof LockUnavailableException) {
            return of(Outcome.UNAVAILABLE, said);
        }
        if (said instanceof LockRegistryClosedException || said instanceof LockMismatchException) {
            return of(Outcome.REFUSED, said);
        }
        throw said;
    }
}
