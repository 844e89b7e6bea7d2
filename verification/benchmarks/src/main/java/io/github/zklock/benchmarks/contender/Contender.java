package io.github.zklock.benchmarks.contender;

import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import java.util.function.BooleanSupplier;

/** A measured lock system, as one process uses it. */
public interface Contender extends AutoCloseable {

    LockAdapter exclusive(String name);

    default LockAdapter reading(String name) {
        throw missing("reader");
    }

    default LockAdapter writing(String name) {
        throw missing("writer");
    }

    /** Returns a semaphore with this many permits, of which one is acquired. */
    default LockAdapter permit(String name, int of) {
        throw missing("permit");
    }

    /** Returns a lock on several names, which are acquired together. */
    default LockAdapter all(List<String> names) {
        throw missing("lock on several names");
    }

    /** Returns a call that acquires the lock if it is free, and returns whether it was. */
    default Callable<Boolean> attempt(String name) {
        throw missing("try");
    }

    /** Returns adapters of the same lock, each with a seat of its own in the queue. */
    default List<LockAdapter> waiters(String name, int length) throws Exception {
        throw missing("queue");
    }

    /**
     * Returns the number of seats in the queue of a lock, the holder's included; empty if the system has no queue on
     * the servers.
     */
    default OptionalInt queueLength(String name) throws Exception {
        return OptionalInt.empty();
    }

    /** Returns the number of nodes of locks below a name, their folder included. */
    default int nodesOf(String name) throws Exception {
        throw missing("node");
    }

    /** Makes this process a candidate until it ends. Returns whether it is the leader. */
    default BooleanSupplier candidate(String name) throws Exception {
        throw missing("election");
    }

    private UnsupportedOperationException missing(String what) {
        return new UnsupportedOperationException(getClass().getSimpleName() + " has no " + what);
    }
}
