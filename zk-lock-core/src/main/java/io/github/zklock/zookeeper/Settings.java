package io.github.zklock.zookeeper;

import io.github.zklock.HandOff;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What the engine is told once.
 *
 * @param maxHold null for no limit
 * @param holdWarning null for no warning
 * @param firstBackoff pause before the second attempt of a recovery; doubles up to {@code maxBackoff}
 */
record Settings(
        String basePath,
        HandOff handOff,
        Duration connectionTimeout,
        @Nullable Duration maxHold,
        @Nullable Duration holdWarning,
        Duration firstBackoff,
        Duration maxBackoff,
        OwnerDescription owner) {}
