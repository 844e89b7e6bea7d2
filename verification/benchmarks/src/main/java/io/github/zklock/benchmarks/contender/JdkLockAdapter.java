package io.github.zklock.benchmarks.contender;

import java.util.Optional;
import java.util.concurrent.locks.Lock;

/** An adapter for the JDK's interface. */
record JdkLockAdapter(Lock lock) implements LockAdapter {

    @Override
    public Held acquire() throws InterruptedException {
        lock.lockInterruptibly();
        return lock::unlock;
    }

    @Override
    public Optional<Held> tryAcquire() {
        return lock.tryLock() ? Optional.of(lock::unlock) : Optional.empty();
    }
}
