package io.github.zklock.docs.migration;

import io.github.zklock.LockHandle;
import io.github.zklock.LockRegistry;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.apache.curator.framework.recipes.locks.InterProcessSemaphoreV2;
import org.apache.curator.framework.recipes.locks.Lease;

/** The release between: whoever works has the old lock and the new one. */
final class BothLocks {

    private final InterProcessSemaphoreV2 old;
    private final LockRegistry locks;

    BothLocks(InterProcessSemaphoreV2 old, LockRegistry locks) {
        this.old = old;
        this.locks = locks;
    }

    // snippet:both
    boolean export(Runnable work) throws Exception {
        Lease lease = old.acquire(10, TimeUnit.SECONDS);
        if (lease == null) {
            return false;
        }
        try (LockHandle handle = locks.semaphore("/exports-2", 2).acquire(Duration.ofSeconds(10))) {
            work.run();
            return true;
        } finally {
            old.returnLease(lease);
        }
    }
    // end:both
}
