package io.github.zklock.zookeeper.internal.queue;

import io.github.zklock.LockKind;
import org.jspecify.annotations.Nullable;

/**
 * What a claim or a seat requests.
 *
 * @param permits the number of a semaphore's permits; 1 for other kinds
 * @param of the number of permits of the semaphore; 1 for other kinds
 */
public record Demand(LockKind kind, int permits, int of) {

    public static final Demand EXCLUSIVE = new Demand(LockKind.EXCLUSIVE, 1, 1);
    public static final Demand READ = new Demand(LockKind.READ, 1, 1);
    public static final Demand WRITE = new Demand(LockKind.WRITE, 1, 1);

    public static Demand permits(int permits, int of) {
        return new Demand(LockKind.PERMITS, permits, of);
    }

    /** Returns whether both demands may queue for one lock. Semaphores with different numbers of permits may. */
    public boolean agreesWith(Demand other) {
        return switch (kind) {
            case EXCLUSIVE -> other.kind == LockKind.EXCLUSIVE;
            case READ, WRITE -> other.kind == LockKind.READ || other.kind == LockKind.WRITE;
            case PERMITS -> other.kind == LockKind.PERMITS;
        };
    }

    /** Returns whether the demand shares the lock with no other one. */
    public boolean isAlone() {
        return kind == LockKind.EXCLUSIVE || kind == LockKind.WRITE;
    }

    /** Returns whether this demand keeps the other one waiting in no case, whatever else holds the lock. */
    public boolean isNeverInTheWayOf(Demand other) {
        return kind == LockKind.READ && other.kind == LockKind.READ;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return this == other
                || (other instanceof Demand demand
                        && demand.kind == kind
                        && demand.permits == permits
                        && demand.of == of);
    }

    @Override
    public int hashCode() {
        return 31 * (31 * kind.hashCode() + permits) + of;
    }

    /** Returns the end of a sentence that states how a lock is requested. */
    @Override
    public String toString() {
        return switch (kind) {
            case EXCLUSIVE -> "exclusively";
            case READ -> "to read";
            case WRITE -> "to write";
            case PERMITS -> "as " + permits + " of " + of + " permits";
        };
    }
}
