package io.github.zklock;

import java.time.Duration;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** The end of a wait that has several steps: absolute, on the monotonic clock. */
final class Deadline {

    private final @Nullable Duration limit;
    private final LongSupplier nanoTime;
    private final long start;

    private Deadline(@Nullable Duration limit, LongSupplier nanoTime) {
        this.limit = limit;
        this.nanoTime = nanoTime;
        this.start = nanoTime.getAsLong();
    }

    static Deadline never() {
        return new Deadline(null, () -> 0);
    }

    /** This long from now. */
    static Deadline after(Duration limit) {
        return after(limit, System::nanoTime);
    }

    static Deadline after(Duration limit, LongSupplier nanoTime) {
        return new Deadline(limit, nanoTime);
    }

    /** How long the wait was to be from its start; null for ever. */
    @Nullable Duration limit() {
        return limit;
    }

    /** Whether the wait is none: the cluster is asked, and holders are not waited for. */
    boolean isAtOnce() {
        return limit != null && limit.isZero();
    }

    /** What is left of the wait, zero if nothing is; null for ever. */
    @Nullable Duration left() {
        if (limit == null) {
            return null;
        }
        Duration left = limit.minusNanos(nanoTime.getAsLong() - start);
        return left.isNegative() ? Duration.ZERO : left;
    }

    @Override
    public String toString() {
        return limit == null ? "for ever" : isAtOnce() ? "at once" : "within " + limit;
    }
}
