package io.github.zklock.zookeeper;

import java.time.Duration;

/**
 * What the engine is told once.
 *
 * @param firstBackoff pause before the second attempt of a recovery; doubles up to {@code maxBackoff}
 */
record Settings(
        String basePath,
        Duration connectionTimeout,
        Duration firstBackoff,
        Duration maxBackoff,
        OwnerDescription owner) {}
