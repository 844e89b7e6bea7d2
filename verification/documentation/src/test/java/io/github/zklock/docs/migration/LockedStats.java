package io.github.zklock.docs.migration;

import io.github.zklock.LockKind;
import io.github.zklock.annotation.DistributedLock;
import org.springframework.stereotype.Service;

/** After: annotations. */
@Service
class LockedStats {

    @DistributedLock("/order-stats")
    public void recompute(Runnable work) {
        work.run();
    }

    @DistributedLock(value = "/prices", kind = LockKind.READ)
    public void read(Runnable work) {
        work.run();
    }

    @DistributedLock(value = "/order-stats", waitTime = "0")
    public void recomputeAtOnce(Runnable work) {
        work.run();
    }

    @DistributedLock(value = "/prices", kind = LockKind.WRITE, waitTime = "0")
    public void writeAtOnce(Runnable work) {
        work.run();
    }
}
