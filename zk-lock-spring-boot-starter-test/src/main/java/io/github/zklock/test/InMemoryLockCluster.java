package io.github.zklock.test;

import io.github.zklock.LockName;

/**
 * A cluster without servers: the registries that join it exclude each other as processes on one ZooKeeper ensemble do,
 * and what can happen to an ensemble happens to it on demand. Thread-safe.
 *
 * <p>What differs from ZooKeeper: the order is first come first served over the whole cluster, whatever the hand-off; an
 * outage is known at once, and not only when a proof has run out; fencing tokens begin anew with each cluster.
 */
public final class InMemoryLockCluster implements AutoCloseable {

    private final Ensemble ensemble = new Ensemble();

    /** One more process, with a session of its own and the defaults for everything else. */
    public InMemoryLockRegistry join() {
        return InMemoryLockRegistry.builder().cluster(this).build();
    }

    /**
     * Cuts all processes off. What they hold is suspended, and lost once the session timeout has passed; nothing is
     * granted. Does nothing during an outage.
     */
    public void outage() {
        ensemble.run(ensemble::outage);
    }

    /** Ends an outage: what is still held is held again, and who waits goes on waiting. Does nothing without one. */
    public void heal() {
        ensemble.run(ensemble::heal);
    }

    /**
     * Deletes what stands at the head of this lock's queue, as an operator does: its holder loses the lock, or learns of
     * it as soon as it is connected again.
     *
     * @return whether there was anybody
     * @throws IllegalArgumentException if the name is not a lock name; the message says why
     */
    public boolean forceOut(String name) {
        LockName lock = LockName.of(name);
        return ensemble.ask(() -> {
            var head = ensemble.line(lock).flatMap(line -> line.seats().stream().findFirst());
            head.ifPresent(seat -> ensemble.delete(seat, "its place in the queue was deleted"));
            return head.isPresent();
        });
    }

    /** Closes all registries that are still there. Nobody can join any more. Idempotent. */
    @Override
    public void close() {
        ensemble.run(ensemble::close);
    }

    Ensemble ensemble() {
        return ensemble;
    }
}
