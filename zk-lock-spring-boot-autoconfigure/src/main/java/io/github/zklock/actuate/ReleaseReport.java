package io.github.zklock.actuate;

import io.github.zklock.LockName;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/**
 * What became of a forced release, as JSON.
 *
 * @param owner who made the seat, as it says itself; null if that is not known
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
