package io.github.zklock.benchmarks.contender;

import java.util.Optional;

/** A lock of a measured system, which a thread acquires again and again. */
public interface LockAdapter {

    /** Waits without a limit. */
    Held acquire() throws Exception;

    /** Acquires the lock if it is free. */
    Optional<Held> tryAcquire() throws Exception;
}
