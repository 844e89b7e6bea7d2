package io.github.zklock.faults.client;

import io.github.zklock.ClusterLock;
import io.github.zklock.ClusterSemaphore;
import io.github.zklock.LockHandle;
import io.github.zklock.LockRegistry;
import io.github.zklock.faults.record.Wish;
import java.time.Duration;
import java.util.Optional;

/** By a call that comes back with it. */
final class CallTaker implements Taker {

    @Override
    public Optional<LockHandle> take(LockRegistry registry, Call call) throws InterruptedException {
        Wish wish = call.wish();
        return switch (wish.kind()) {
            case PERMITS -> take(registry.semaphore(wish.lock(), wish.of()), wish.permits(), call);
            case EXCLUSIVE, READ, WRITE -> take(lock(registry, wish), call);
        };
    }

    /** The lock that is meant, of those that are no semaphores. */
    static ClusterLock lock(LockRegistry registry, Wish wish) {
        return switch (wish.kind()) {
            case READ -> registry.readWriteLock(wish.lock()).readLock();
            case WRITE -> registry.readWriteLock(wish.lock()).writeLock();
            default -> registry.lock(wish.lock());
        };
    }

    private static Optional<LockHandle> take(ClusterLock lock, Call call) throws InterruptedException {
        return switch (call.how()) {
            case FOREVER -> Optional.of(lock.acquire());
            case ACQUIRE -> Optional.of(lock.acquire(call.maxWait()));
            case TRY -> lock.tryAcquire(call.maxWait());
        };
    }

    private static Optional<LockHandle> take(ClusterSemaphore semaphore, int permits, Call call)
            throws InterruptedException {
        Duration maxWait = call.maxWait();
        return switch (call.how()) {
            case FOREVER -> Optional.of(semaphore.acquire(permits));
            case ACQUIRE -> Optional.of(semaphore.acquire(permits, maxWait));
            case TRY -> semaphore.tryAcquire(permits, maxWait);
        };
    }
}
