package io.github.zklock.docs.migration;

import java.util.concurrent.TimeUnit;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.recipes.locks.InterProcessMutex;
import org.apache.curator.framework.recipes.locks.InterProcessReadWriteLock;

/** Before: Curator's recipes. */
final class CuratorStats {

    private final InterProcessMutex mutex;
    private final InterProcessReadWriteLock prices;

    CuratorStats(CuratorFramework client) {
        this.mutex = new InterProcessMutex(client, "/locks/order-stats");
        this.prices = new InterProcessReadWriteLock(client, "/locks/prices");
    }

    void recompute(Runnable work) throws Exception {
        if (!mutex.acquire(10, TimeUnit.SECONDS)) {
            throw new IllegalStateException("Others compute");
        }
        try {
            work.run();
        } finally {
            mutex.release();
        }
    }

    void read(Runnable work) throws Exception {
        prices.readLock().acquire();
        try {
            work.run();
        } finally {
            prices.readLock().release();
        }
    }
}
