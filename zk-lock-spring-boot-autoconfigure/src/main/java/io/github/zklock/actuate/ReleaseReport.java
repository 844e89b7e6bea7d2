package io.github.zklock.actuate;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/**
 * What became of a forced release, as JSON.
 *
 * @param owner who made the seat, as it says itself; null if that is not known
 */
record ReleaseReport(String name, String registry, String seat, Outcome outcome, QueueReport.@Nullable Owner owner)
        implements OperationResponseBody {

    enum Outcome {
        /** The seat held and is gone. */
        RELEASED,
        /** The seat waits: nothing was done. */
        NOT_HOLDING,
        /** There is no such seat in the queue, or none any more. */
        NOT_FOUND
    }
}
