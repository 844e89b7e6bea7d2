package io.github.zklock.zookeeper.internal.engine;

import io.github.zklock.LockKind;
import io.github.zklock.zookeeper.internal.queue.Demand;
import java.util.List;

/**
 * What a lock of a schedule is to those who agree on it: an exclusive lock, a pair of a read and a write lock, or a
 * semaphore.
 *
 * @param kind of its seats; READ for the pair
 * @param permits of the semaphore; 1 for the others
 */
record SimFamily(LockKind kind, int permits) {

    /** The share of the requests to a semaphore that have another number of permits. */
    private static final double DIFFERING = 0.15;

    static SimFamily exclusive() {
        return new SimFamily(LockKind.EXCLUSIVE, 1);
    }

    static SimFamily readWrite() {
        return new SimFamily(LockKind.READ, 1);
    }

    static SimFamily semaphore(int permits) {
        return new SimFamily(LockKind.PERMITS, permits);
    }

    boolean isExclusive() {
        return kind == LockKind.EXCLUSIVE;
    }

    boolean isSemaphore() {
        return kind == LockKind.PERMITS;
    }

    /** What somebody may ask of it. */
    Demand demand(SimRandom random) {
        return switch (kind) {
            case EXCLUSIVE -> Demand.EXCLUSIVE;
            case READ, WRITE -> random.chance(0.55) ? Demand.READ : Demand.WRITE;
            case PERMITS -> {
                int of = random.chance(DIFFERING) ? 1 + random.below(permits + 2) : permits;
                yield Demand.permits(random.chance(0.55) ? 1 : 1 + random.below(of), of);
            }
        };
    }

    /** What somebody asks who takes it for something else. */
    Demand mistaken(SimRandom random) {
        List<Demand> mistakes = List.of(Demand.EXCLUSIVE, Demand.READ, Demand.WRITE, Demand.permits(1, 7));
        Demand right = demand(random);
        return random.oneOf(
                mistakes.stream().filter(each -> !each.agreesWith(right)).toList());
    }
}
