package io.github.zklock.zookeeper.internal.session;

import io.github.zklock.zookeeper.internal.queue.OwnerDescription;
import java.time.Duration;

/**
 * What the engine is told once.
 *
 * @param seatBudget so many bytes may the paths of one session's seats have
 * @param firstBackoff pause before the second attempt of a recovery; doubles up to {@code maxBackoff}
 */
public record Settings(
        String basePath,
        Duration connectionTimeout,
        Duration firstBackoff,
        Duration maxBackoff,
        OwnerDescription owner,
        long seatBudget) {

    public Settings(
            String basePath,
            Duration connectionTimeout,
            Duration firstBackoff,
            Duration maxBackoff,
            OwnerDescription owner) {
        this(basePath, connectionTimeout, firstBackoff, maxBackoff, owner, SeatBudget.DEFAULT_BYTES);
    }
}
