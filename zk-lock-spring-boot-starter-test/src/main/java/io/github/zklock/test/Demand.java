package io.github.zklock.test;

import io.github.zklock.LockKind;

/**
 * What somebody wants of a lock.
 *
 * @param permits how many of a semaphore's permits; 1 for other kinds
 * @param total how many permits the semaphore has; 1 for other kinds
 */
record Demand(LockKind kind, int permits, int total) {

    static Demand of(LockKind kind) {
        return new Demand(kind, 1, 1);
    }

    static Demand permits(int permits, int total) {
        return new Demand(LockKind.PERMITS, permits, total);
    }

    /** Whether both use the name for the same thing. */
    boolean agreesWith(Demand other) {
        return use().equals(other.use());
    }

    /** What the name is used as. */
    String use() {
        return switch (kind) {
            case EXCLUSIVE -> "an exclusive lock";
            case READ, WRITE -> "a read/write lock";
            case PERMITS -> "a semaphore of " + total + " permits";
        };
    }
}
