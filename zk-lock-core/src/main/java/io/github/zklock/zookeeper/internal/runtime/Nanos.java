package io.github.zklock.zookeeper.internal.runtime;

import java.time.Duration;

/** Durations in nanoseconds, saturated. */
public final class Nanos {

    // far enough from the end that adding it to an instant of the monotonic clock cannot wrap around
    private static final long LONGEST = Long.MAX_VALUE / 4;

    private Nanos() {}

    public static long of(Duration duration) {
        try {
            return Math.min(duration.toNanos(), LONGEST);
        } catch (ArithmeticException tooLong) {
            return LONGEST;
        }
    }
}
