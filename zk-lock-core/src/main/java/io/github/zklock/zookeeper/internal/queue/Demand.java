package io.github.zklock.zookeeper.internal.queue;

import io.github.zklock.LockKind;
import org.jspecify.annotations.Nullable;

/**
 * What a claim or a seat asks for.
 *
 * @param permits how many of a semaphore's permits; 1 for other kinds
 * @param of how many permits the semaphore has; 1 for other kinds
 */
public record Demand(LockKind kind, int permits, int of) {

    public static final Demand EXCLUSIVE = new Demand(LockKind.EXCLUSIVE, 1, 1);
    public static final Demand READ = new Demand(LockKind.READ, 1, 1);
    public static final Demand WRITE = new Demand(LockKind.WRITE, 1, 1);

    public static Demand permits(int permits, int of) {
        return new Demand(LockKind.PERMITS, permits, of);
    }

    /** Whether both may queue for one lock. */
    public boolean agreesWith(Demand other) {
        return switch (kind) {
            case EXCLUSIVE -> other.kind == LockKind.EXCLUSIVE;
            case READ, WRITE -> other.kind == LockKind.READ || other.kind == LockKind.WRITE;
            case PERMITS -> other.kind == LockKind.PERMITS && other.of == of;
        };
    }

    /** Whether it shares the lock with nobody. */
    public boolean isAlone() {
        return kind == LockKind.EXCLUSIVE || kind == LockKind.WRITE;
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

    /** As the end of a sentence that says what somebody wants of a lock. */
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
