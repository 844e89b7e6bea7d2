package io.github.zklock.zookeeper.internal.queue;

import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.LongSupplier;

/** The ids of one registry's seats: UUIDs with the same upper half, by which the registry recognizes its nodes. */
public final class SeatIds {

    private static final long VERSION = 0xF000L;
    private static final long RANDOM = 0x4000L;
    /** The place of the version in a UUID. */
    static final int VERSION_AT = 14;

    private static final int UPPER_HALF = 18;

    private final long registry;
    private final String sample;
    private final LongSupplier lowerHalves;

    /**
     * @param registry random; its upper half distinguishes this registry from all others
     * @param lowerHalves random, so that no two seats have the same id
     */
    public SeatIds(UUID registry, LongSupplier lowerHalves) {
        this.registry = (registry.getMostSignificantBits() & ~VERSION) | RANDOM;
        this.sample = new UUID(this.registry, 0).toString();
        this.lowerHalves = lowerHalves;
    }

    public static SeatIds random() {
        return new SeatIds(UUID.randomUUID(), () -> ThreadLocalRandom.current().nextLong());
    }

    public UUID next() {
        return new UUID(registry, lowerHalves.getAsLong());
    }

    /** Returns the part that all ids of this registry share. */
    public String registry() {
        return registryOf(sample);
    }

    /** Returns the part of an id that all ids of its registry share. */
    public static String registryOf(String id) {
        return id.length() < UPPER_HALF ? id : id.substring(0, VERSION_AT) + id.substring(VERSION_AT + 1, UPPER_HALF);
    }

    /**
     * Returns whether this registry created the id. The version is ignored, because {@link SeatName#lingering} changes
     * it.
     */
    public boolean areOurs(String id) {
        return id.regionMatches(0, sample, 0, VERSION_AT)
                && id.regionMatches(VERSION_AT + 1, sample, VERSION_AT + 1, UPPER_HALF - VERSION_AT - 1);
    }
}
