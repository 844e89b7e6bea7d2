package io.github.zklock.zookeeper.internal.engine;

import java.util.List;
import java.util.Locale;

/** Which families of locks the schedules of a run are about: {@code -Dsimulation.kinds}. */
enum SimKinds {
    EXCLUSIVE,
    READ_WRITE,
    SEMAPHORE,
    ALL;

    /** As the property says; all if it says nothing. */
    static SimKinds asked() {
        return valueOf(
                System.getProperty("simulation.kinds", "all").replace('-', '_').toUpperCase(Locale.ROOT));
    }

    SimFamily family(SimRandom random) {
        return switch (this) {
            case EXCLUSIVE -> SimFamily.exclusive();
            case READ_WRITE -> SimFamily.readWrite();
            case SEMAPHORE -> SimFamily.semaphore(1 + random.below(4));
            case ALL -> random.oneOf(List.of(EXCLUSIVE, READ_WRITE, SEMAPHORE)).family(random);
        };
    }
}
