package io.github.zklock.integration;

import io.github.zklock.ClusterLock;
import io.github.zklock.LockContext;
import io.github.zklock.internal.Words;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import org.jspecify.annotations.Nullable;
import org.springframework.integration.support.locks.DistributedLock;

/**
 * The lock of a key: a {@link ClusterLock} that is owned by a thread. It has no state of its own and is compared by
 * value. A time to live limits the hold: when that time is over, the lock is lost.
 */
final class KeyLock implements DistributedLock {

    private final ClusterLock lock;

    KeyLock(ClusterLock lock) {
        this.lock = lock;
    }

    @Override
    public void lock() {
        lock.lock();
    }

    @Override
    public void lock(Duration ttl) {
        positive(ttl);
        lock.lock();
        limit(ttl);
    }

    @Override
    public void lockInterruptibly() throws InterruptedException {
        lock.lockInterruptibly();
    }

    @Override
    public boolean tryLock() {
        return lock.tryLock();
    }

    @Override
    public boolean tryLock(long time, TimeUnit unit) throws InterruptedException {
        return lock.tryLock(time, unit);
    }

    @Override
    public boolean tryLock(Duration waitTime, Duration ttl) throws InterruptedException {
        positive(ttl);
        boolean acquired = lock.tryLock(TimeUnit.NANOSECONDS.convert(waitTime), TimeUnit.NANOSECONDS);
        if (acquired) {
            limit(ttl);
        }
        return acquired;
    }

    @Override
    public void unlock() {
        lock.unlock();
    }

    @Override
    public Condition newCondition() {
        return lock.newCondition();
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof KeyLock key && key.lock.equals(lock);
    }

    @Override
    public int hashCode() {
        return lock.hashCode();
    }

    @Override
    public String toString() {
        return lock.toString();
    }

    /** @throws IllegalArgumentException if the time to live is not positive */
    static Duration positive(Duration ttl) {
        if (ttl.isZero() || ttl.isNegative()) {
            throw new IllegalArgumentException("Time to live " + Words.of(ttl) + " is not positive; use 1 ms or more");
        }
        return ttl;
    }

    /** Limits the hold that this thread has just acquired, which is its innermost scope of the lock. */
    private void limit(Duration ttl) {
        try {
            LockContext.current(lock.name().value()).ifPresent(handle -> handle.loseAfter(ttl));
        } catch (Throwable failure) {
            lock.unlock();
            throw failure;
        }
    }
}
