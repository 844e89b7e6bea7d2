package io.github.zklock.autoconfigure.actuate;

import io.github.zklock.LockName;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/**
 * The outcome of a forced release, as JSON.
 *
 * @param owner the owner of the seat, as the owner describes itself; null if unknown
 */
record ReleaseReport(
        String name, String registry, String seat, ForcedRelease.Outcome outcome, QueueReport.@Nullable Owner owner)
        implements OperationResponseBody {

    static ReleaseReport of(LockName name, String registry, String seat, ForcedRelease.Result result) {
        return new ReleaseReport(
                name.value(),
                registry,
                seat,
                result.outcome(),
                result.owner().map(QueueReport.Owner::of).orElse(null));
    }
}
