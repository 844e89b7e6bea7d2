package io.github.zklock.zookeeper.internal.joint;

import io.github.zklock.internal.Words;
import java.time.Duration;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** The absolute end of a wait that consists of several steps, on the monotonic clock. */
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

    /** Returns the deadline at this time from now. */
    static Deadline after(Duration limit) {
        return after(limit, System::nanoTime);
    }

    static Deadline after(Duration limit, LongSupplier nanoTime) {
        return new Deadline(limit, nanoTime);
    }

    /** Returns the length of the whole wait; null if it has no limit. */
    @Nullable Duration limit() {
        return limit;
    }

    /** Returns whether the request only asks the cluster and does not wait for holders. */
    boolean isAtOnce() {
        return limit != null && limit.isZero();
    }

    /** Returns the rest of the wait, zero if it is over; null if it has no limit. */
    @Nullable Duration left() {
        if (limit == null) {
            return null;
        }
        Duration left = limit.minusNanos(nanoTime.getAsLong() - start);
        return left.isNegative() ? Duration.ZERO : left;
    }

    @Override
    public String toString() {
        return limit == null ? "for ever" : isAtOnce() ? "at once" : "within " + Words.of(limit);
    }
}
