package io.github.zklock.benchmarks.micro;

import io.github.zklock.ClusterLock;
import io.github.zklock.HandOff;
import io.github.zklock.LockHandle;
import io.github.zklock.LockOrder;
import io.github.zklock.test.EmbeddedZooKeeper;
import io.github.zklock.zookeeper.ZooKeeperLockRegistry;
import java.time.Duration;

/**
 * A lock whose seat the process keeps for as many turns as a seat can have: the servers are asked for a new seat only
 * now and then.
 */
final class LingeringLock implements AutoCloseable {

    private static final Duration LINGER = Duration.ofMinutes(10);
    private static final int MOST_TURNS = 4096;

    private final EmbeddedZooKeeper server = new EmbeddedZooKeeper();
    private final ZooKeeperLockRegistry locks;
    private final ClusterLock lock;

    LingeringLock() {
        this(LockOrder.OFF);
    }

    LingeringLock(LockOrder order) {
        locks = ZooKeeperLockRegistry.builder()
                .connectString(server.connectString())
                .handOff(HandOff.bounded(MOST_TURNS, LINGER).lingering(LINGER))
                .lockOrder(order)
                .build();
        lock = locks.lock("/retaken");
    }

    ClusterLock lock() {
        return lock;
    }

    /** Returns another lock of the same registry. */
    ClusterLock lock(String name) {
        return locks.lock(name);
    }

    LockHandle hold() {
        try {
            return lock.acquire();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted before the lock was there", e);
        }
    }

    @Override
    public void close() {
        locks.close();
        server.close();
    }
}
