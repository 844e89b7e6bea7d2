package io.github.zklock.benchmarks.contender;

import java.util.List;
import java.util.OptionalInt;

/** A system whose locks are measured, as one process has it. */
public interface Contender extends AutoCloseable {

    /** Nobody else has it meanwhile. */
    LockAdapter exclusive(String name);

    /** Other readers may have it meanwhile. */
    default LockAdapter reading(String name) {
        throw missing("reader");
    }

    /** Nobody else has it meanwhile, readers included. */
    default LockAdapter writing(String name) {
        throw missing("writer");
    }

    /** One of so many. */
    default LockAdapter permit(String name, int of) {
        throw missing("permit");
    }

    /** All or none. */
    default LockAdapter all(List<String> names) {
        throw missing("lock on several names");
    }

    /** Claims on one lock, each of which has a place of its own in its queue. */
    default List<LockAdapter> waiters(String name, int length) throws Exception {
        throw missing("queue");
    }

    /** How many places of the lock's queue are taken, its holder's included; empty if nobody but this process knows. */
    default OptionalInt queueLength(String name) throws Exception {
        return OptionalInt.empty();
    }

    /** How many nodes there are of locks whose names begin with this one and a slash, the folder around them included. */
    default int nodesOf(String name) throws Exception {
        throw missing("node");
    }

    private UnsupportedOperationException missing(String what) {
        return new UnsupportedOperationException(getClass().getSimpleName() + " has no " + what);
    }
}
