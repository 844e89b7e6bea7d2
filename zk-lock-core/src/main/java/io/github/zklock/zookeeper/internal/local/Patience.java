package io.github.zklock.zookeeper.internal.local;

import io.github.zklock.internal.Words;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The limit of a wait, and what it applies to.
 *
 * @param limit the time from the request; null for no limit
 * @param waitsForHolders false if the caller only asks whether the lock is free; the limit is then the time for the
 *     answer
 */
public record Patience(@Nullable Duration limit, boolean waitsForHolders) {

    private static final Patience FOREVER = new Patience(null, true);

    public static Patience forever() {
        return FOREVER;
    }

    /** Returns a wait with this limit; with zero, the caller only asks. */
    public static Patience atMost(Duration limit, Duration connectionTimeout) {
        return limit.isZero() ? onlyAsking(connectionTimeout) : new Patience(limit, true);
    }

    public static Patience onlyAsking(Duration connectionTimeout) {
        return new Patience(connectionTimeout, false);
    }

    @Override
    public String toString() {
        return limit == null ? "for ever" : "within " + Words.of(limit);
    }
}
