package io.github.zklock.test;

import io.github.zklock.LockName;

/**
 * A cluster without servers: the registries that join it exclude each other as processes on one ZooKeeper ensemble do,
 * and what can happen to an ensemble happens to it on demand. Thread-safe.
 *
 * <p>What differs from ZooKeeper: an outage and its end are known at once, and not only when a proof has run out or is made; a process
 * can hold any number of locks; fencing tokens begin anew with each cluster.
 */
public final class InMemoryLockCluster implements AutoCloseable {

    private final MemoryServers servers = new MemoryServers();

    /** One more process, with a session of its own and the defaults for everything else. */
    public InMemoryLockRegistry join() {
        return InMemoryLockRegistry.builder().cluster(this).build();
    }

    /**
     * Cuts all processes off. What they hold is suspended, and lost once the session timeout has passed; nothing is
     * granted. Does nothing during an outage.
     */
    public void outage() {
        servers.outage(true);
    }

    /** Ends an outage: what is still held is held again, and who waits goes on waiting. Does nothing without one. */
    public void heal() {
        servers.outage(false);
    }

    /**
     * Deletes what stands at the head of this lock's queue, as an operator does: its holder loses the lock, or learns of
     * it as soon as it is connected again.
     *
     * @return whether there was anybody; a process that only lingers counts
     * @throws IllegalArgumentException if the name is not a lock name; the message says why
     */
    public boolean forceOut(String name) {
        return servers.deleteHead(LockName.of(name));
    }

    /** Ends the sessions of all registries for good and closes them. Nobody can join any more. Idempotent. */
    @Override
    public void close() {
        servers.close();
    }

    MemoryServers servers() {
        return servers;
    }
}
