package io.github.zklock.test;

import io.github.zklock.LockName;
import io.github.zklock.internal.Words;
import java.time.Duration;

/**
 * A cluster without servers. The registries that join it exclude each other as processes on one ZooKeeper ensemble do.
 * Tests can simulate failures of the ensemble. Thread-safe.
 *
 * <p>Differences from ZooKeeper: an outage and its end are detected at once, and not only when a proof ends or is
 * renewed. A process can hold any number of locks. Each cluster starts its fencing tokens again.
 */
public final class InMemoryLockCluster implements AutoCloseable {

    private final MemoryServers servers = new MemoryServers();

    /** Adds a process with a session of its own and default settings. */
    public InMemoryLockRegistry join() {
        return InMemoryLockRegistry.builder().cluster(this).build();
    }

    /**
     * Cuts off all processes. Their locks are suspended, and lost after the session timeout. No lock is granted. No
     * effect during an outage.
     */
    public void outage() {
        servers.outage(true);
    }

    /**
     * Ends an outage. Locks that are not lost are held again, and waiters continue to wait. No effect without an
     * outage.
     */
    public void heal() {
        servers.outage(false);
    }

    /**
     * Deletes the first seat of this lock's queue, as an operator does. Its holder loses the lock, or detects the loss
     * when it is connected again.
     *
     * @return whether there was a seat; the seat of a process that only lingers counts
     * @throws IllegalArgumentException if the name is not a lock name; the message states the reason
     */
    public boolean forceOut(String name) {
        return servers.deleteHead(LockName.of(name));
    }

    /**
     * Puts the clock of the servers forward, by which the windows of jobs are measured. A test of a job that runs once
     * per hour need not wait. Sessions, waits and time limits do not depend on this clock.
     *
     * @throws IllegalArgumentException if the time is negative
     */
    public void advanceClock(Duration time) {
        if (time.isNegative()) {
            throw new IllegalArgumentException("The clock of the servers cannot be advanced by " + Words.of(time)
                    + ", which is negative; use a new cluster to begin again");
        }
        servers.advance(time);
    }

    /**
     * Ends the sessions of all registries and closes the registries. The cluster cannot be joined any longer.
     * Idempotent.
     */
    @Override
    public void close() {
        servers.close();
    }

    MemoryServers servers() {
        return servers;
    }
}
