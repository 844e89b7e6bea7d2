package io.github.zklock.zookeeper;

import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.LongSupplier;

/** The ids of one registry's seats: UUIDs whose upper halves are the same, so that its nodes are known as its own. */
final class SeatIds {

    private static final int UPPER_HALF = 19;

    private final UUID registry;
    private final String prefix;
    private final LongSupplier lowerHalves;

    /**
     * @param registry random; its upper half distinguishes this registry from all others
     * @param lowerHalves random, so that no two seats have the same
     */
    SeatIds(UUID registry, LongSupplier lowerHalves) {
        this.registry = registry;
        this.lowerHalves = lowerHalves;
        this.prefix = registry.toString().substring(0, UPPER_HALF);
    }

    static SeatIds random() {
        return new SeatIds(UUID.randomUUID(), () -> ThreadLocalRandom.current().nextLong());
    }

    UUID next() {
        return new UUID(registry.getMostSignificantBits(), lowerHalves.getAsLong());
    }

    boolean areOurs(String id) {
        return id.startsWith(prefix);
    }
}
