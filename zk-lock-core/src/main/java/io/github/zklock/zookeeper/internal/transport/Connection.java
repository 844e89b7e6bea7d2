package io.github.zklock.zookeeper.internal.transport;

import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * What is known of the latest connection of a session at one instant.
 *
 * @param number differs from the number before if there may have been another connection, as far as that is known
 * @param timeoutNanos the shortest known timeout that any connection has negotiated, which includes the latest one
 * @param latestTimeoutNanos the timeout that the latest connection has negotiated, if known
 * @param attempt the latest attempt to connect, if known
 * @param shortenedAfterNanos an instant before the attempt of the connection that negotiated {@code timeoutNanos}, if
 *     known
 */
public record Connection(
        long number,
        long timeoutNanos,
        long latestTimeoutNanos,
        @Nullable Attempt attempt,
        OptionalLong shortenedAfterNanos) {

    /**
     * An attempt to connect.
     *
     * @param afterNanos an instant before the attempt
     * @param wallLeadNanos how far the wall clock was ahead of the monotonic clock at that instant, if known
     * @param fresh whether the attempt was to create a session, not to resume one
     */
    public record Attempt(long afterNanos, OptionalLong wallLeadNanos, boolean fresh) {}

    /** Returns the instant before the latest attempt to connect, if known. */
    public OptionalLong attemptedAfterNanos() {
        return attempt == null ? OptionalLong.empty() : OptionalLong.of(attempt.afterNanos());
    }

    /** Returns the connection of the next attempt. */
    Connection next(Attempt made) {
        return new Connection(number + 1, timeoutNanos, latestTimeoutNanos, made, shortenedAfterNanos);
    }

    /**
     * Returns this connection with the timeout that it has negotiated.
     *
     * @param attemptedAfter an instant before it was attempted
     */
    Connection granted(long nanos, OptionalLong attemptedAfter) {
        return nanos < timeoutNanos
                ? new Connection(number, nanos, nanos, attempt, attemptedAfter)
                : new Connection(number, timeoutNanos, nanos, attempt, shortenedAfterNanos);
    }
}
