package io.github.zklock.faults.client;

import io.github.zklock.ClusterLock;
import io.github.zklock.ClusterSemaphore;
import io.github.zklock.LockHandle;
import io.github.zklock.LockRegistry;
import io.github.zklock.faults.timeline.LockSpec;
import java.time.Duration;
import java.util.Optional;

/** By a call that comes back with it. */
final class BlockingAcquirer implements Acquirer {

    @Override
    public Optional<LockHandle> acquire(LockRegistry registry, LockCall call) throws InterruptedException {
        LockSpec spec = call.spec();
        return switch (spec.kind()) {
            case PERMITS -> acquire(registry.semaphore(spec.lock(), spec.of()), spec.permits(), call);
            case EXCLUSIVE, READ, WRITE -> acquire(lock(registry, spec), call);
        };
    }

    /** The lock that is meant, of those that are no semaphores. */
    static ClusterLock lock(LockRegistry registry, LockSpec spec) {
        return switch (spec.kind()) {
            case READ -> registry.readWriteLock(spec.lock()).readLock();
            case WRITE -> registry.readWriteLock(spec.lock()).writeLock();
            default -> registry.lock(spec.lock());
        };
    }

    private static Optional<LockHandle> acquire(ClusterLock lock, LockCall call) throws InterruptedException {
        return switch (call.how()) {
            case FOREVER -> Optional.of(lock.acquire());
            case ACQUIRE -> Optional.of(lock.acquire(call.maxWait()));
            case TRY -> lock.tryAcquire(call.maxWait());
        };
    }

    private static Optional<LockHandle> acquire(ClusterSemaphore semaphore, int permits, LockCall call)
            throws InterruptedException {
        Duration maxWait = call.maxWait();
        return switch (call.how()) {
            case FOREVER -> Optional.of(semaphore.acquire(permits));
            case ACQUIRE -> Optional.of(semaphore.acquire(permits, maxWait));
            case TRY -> semaphore.tryAcquire(permits, maxWait);
        };
    }
}
