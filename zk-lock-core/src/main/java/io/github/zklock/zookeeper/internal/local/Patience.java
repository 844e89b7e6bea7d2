package io.github.zklock.zookeeper.internal.local;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How long somebody is willing to wait.
 *
 * @param limit from the moment of asking; null for ever
 * @param waitsForHolders false for one who only asks: the limit is then for the cluster to answer
 */
public record Patience(@Nullable Duration limit, boolean waitsForHolders) {

    private static final Patience FOREVER = new Patience(null, true);

    public static Patience forever() {
        return FOREVER;
    }

    /** As long as this; zero only asks. */
    public static Patience atMost(Duration limit, Duration connectionTimeout) {
        return limit.isZero() ? onlyAsking(connectionTimeout) : new Patience(limit, true);
    }

    public static Patience onlyAsking(Duration connectionTimeout) {
        return new Patience(connectionTimeout, false);
    }

    @Override
    public String toString() {
        return limit == null ? "for ever" : "within " + limit;
    }
}
