package io.github.zklock.benchmarks.contender;

import java.util.concurrent.locks.Lock;

/** A lock of a measured system, which a thread acquires again and again. */
@FunctionalInterface
public interface LockAdapter {

    /** Waits for the lock without a limit. Closing the result releases the lock. */
    AutoCloseable acquire() throws Exception;

    /** Returns an adapter for the JDK's interface. */
    static LockAdapter of(Lock lock) {
        return () -> {
            lock.lockInterruptibly();
            return lock::unlock;
        };
    }
}
