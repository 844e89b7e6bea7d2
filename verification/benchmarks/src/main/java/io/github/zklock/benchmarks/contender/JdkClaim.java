package io.github.zklock.benchmarks.contender;

import java.util.Optional;
import java.util.concurrent.locks.Lock;

/** A lock with the JDK's interface. */
record JdkClaim(Lock lock) implements Claim {

    @Override
    public Held take() throws InterruptedException {
        lock.lockInterruptibly();
        return lock::unlock;
    }

    @Override
    public Optional<Held> tryTake() {
        return lock.tryLock() ? Optional.of(lock::unlock) : Optional.empty();
    }
}
