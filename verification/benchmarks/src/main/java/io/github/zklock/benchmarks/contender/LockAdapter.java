package io.github.zklock.benchmarks.contender;

import java.util.Optional;

/** A lock as a thread wants it, again and again. */
public interface LockAdapter {

    /** Waits for it as long as it takes. */
    Held acquire() throws Exception;

    /** Takes it if it is free. */
    Optional<Held> tryAcquire() throws Exception;
}
