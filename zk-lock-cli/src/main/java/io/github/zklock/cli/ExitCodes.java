package io.github.zklock.cli;

import io.github.zklock.JobNotDueException;
import io.github.zklock.LockAccessDeniedException;
import io.github.zklock.LockLostException;
import io.github.zklock.LockMismatchException;
import io.github.zklock.LockTimeoutException;
import io.github.zklock.LockUnavailableException;
import java.util.concurrent.ExecutionException;

/** The exit codes of {@code zk-lock}. As far as there is one that fits, they are those of {@code sysexits.h}. */
final class ExitCodes {

    /** No instance leads, or no seat was released. */
    static final int NONE = 1;

    static final int USAGE = 64;
    static final int UNAVAILABLE = 69;
    static final int BROKEN = 70;
    static final int BUSY = 75;
    static final int LOST = 76;
    static final int DENIED = 77;
    static final int CONFIGURATION = 78;

    /** As shells report a command that does not exist. */
    static final int NOT_STARTED = 127;

    /** As shells report a command that was interrupted. */
    static final int INTERRUPTED = 130;

    /** As the JVM exits after a signal to terminate. */
    static final int TERMINATED = 143;

    private ExitCodes() {}

    static int of(Throwable failure) {
        Throwable cause = causeOf(failure);
        if (cause instanceof LockTimeoutException || cause instanceof JobNotDueException) {
            return BUSY;
        }
        if (cause instanceof LockUnavailableException) {
            return UNAVAILABLE;
        }
        if (cause instanceof LockLostException) {
            return LOST;
        }
        if (cause instanceof LockAccessDeniedException) {
            return DENIED;
        }
        if (cause instanceof IllegalArgumentException || cause instanceof LockMismatchException) {
            return USAGE;
        }
        if (cause instanceof ConfigurationException) {
            return CONFIGURATION;
        }
        return cause instanceof InterruptedException ? INTERRUPTED : BROKEN;
    }

    static String message(Throwable failure) {
        Throwable cause = causeOf(failure);
        if (cause instanceof InterruptedException) {
            return "interrupted";
        }
        // an unexpected exception: its class may be all that it states
        return of(cause) == BROKEN ? cause.toString() : String.valueOf(cause.getMessage());
    }

    private static Throwable causeOf(Throwable failure) {
        return failure instanceof ExecutionException && failure.getCause() != null ? failure.getCause() : failure;
    }
}
