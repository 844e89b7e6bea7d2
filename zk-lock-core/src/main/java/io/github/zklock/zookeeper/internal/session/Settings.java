package io.github.zklock.zookeeper.internal.session;

import io.github.zklock.zookeeper.internal.queue.OwnerDescription;
import java.time.Duration;

/**
 * The settings of the engine that do not change.
 *
 * @param firstBackoff pause before the second attempt of a recovery; doubles up to {@code maxBackoff}
 * @param seatBudget the number of bytes that the paths of one session's seats may have
 */
public record Settings(
        String basePath,
        Duration connectionTimeout,
        Duration firstBackoff,
        Duration maxBackoff,
        OwnerDescription owner,
        long seatBudget) {}
