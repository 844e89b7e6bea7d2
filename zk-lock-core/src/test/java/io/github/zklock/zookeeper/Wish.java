package io.github.zklock.zookeeper;

import io.github.zklock.ClusterLock;
import io.github.zklock.LockHandle;
import io.github.zklock.LockRegistry;
import io.github.zklock.zookeeper.internal.queue.Demand;
import java.util.Optional;

/** What a test wants of a lock, whatever its kind. */
record Wish(Demand demand) {

    static final Wish TO_READ = new Wish(Demand.READ);
    static final Wish TO_WRITE = new Wish(Demand.WRITE);

    static Wish permits(int permits, int of) {
        return new Wish(Demand.permits(permits, of));
    }

    LockHandle acquire(LockRegistry registry, String name) throws InterruptedException {
        return switch (demand.kind()) {
            case PERMITS ->
                registry.semaphore(name, demand.of()).permits(demand.permits()).acquire();
            default -> lock(registry, name).acquire();
        };
    }

    Optional<LockHandle> attempt(LockRegistry registry, String name) throws InterruptedException {
        return switch (demand.kind()) {
            case PERMITS ->
                registry.semaphore(name, demand.of()).permits(demand.permits()).tryAcquire();
            default -> lock(registry, name).tryAcquire();
        };
    }

    private ClusterLock lock(LockRegistry registry, String name) {
        return switch (demand.kind()) {
            case READ -> registry.readWriteLock(name).readLock();
            case WRITE -> registry.readWriteLock(name).writeLock();
            default -> registry.lock(name);
        };
    }

    @Override
    public String toString() {
        return demand.toString();
    }
}
