package io.github.zklock.docs.migration;

import io.github.zklock.LockHandle;
import io.github.zklock.LockRegistry;
import java.time.Duration;

/** After: handles. */
final class RegistryStats {

    private final LockRegistry locks;

    RegistryStats(LockRegistry locks) {
        this.locks = locks;
    }

    // snippet:handle
    void recompute(Runnable work) throws InterruptedException {
        try (LockHandle handle = locks.lock("/order-stats").acquire(Duration.ofSeconds(10))) {
            work.run();
        }
    }
    // end:handle
}
