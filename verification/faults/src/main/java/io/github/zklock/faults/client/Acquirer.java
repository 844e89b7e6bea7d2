package io.github.zklock.faults.client;

import io.github.zklock.LockHandle;
import io.github.zklock.LockRegistry;
import java.util.Optional;

/** How a thread takes one of our locks. */
interface Acquirer {

    /**
     * Waits for it as the call says.
     *
     * @return empty if it only tried, and others had it
     * @throws InterruptedException if interrupted while waiting
     */
    Optional<LockHandle> acquire(LockRegistry registry, LockCall call) throws InterruptedException;
}
