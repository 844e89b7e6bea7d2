package io.github.zklock.docs.guide;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.github.zklock.ClusterJob;
import io.github.zklock.ClusterLock;
import io.github.zklock.LockHandle;
import io.github.zklock.LockLostException;
import io.github.zklock.LockRegistry;
import io.github.zklock.LockTimeoutException;
import io.github.zklock.LockUnavailableException;
import io.github.zklock.OncePer;
import io.github.zklock.test.EmbeddedZooKeeper;
import io.github.zklock.test.InMemoryLockCluster;
import io.github.zklock.test.InMemoryLockRegistry;
import io.github.zklock.zookeeper.ZooKeeperLockRegistry;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What {@code docs/guide/registry.md} shows. */
class RegistryGuideTest {

    private final InMemoryLockCluster cluster = new InMemoryLockCluster();
    private final LockRegistry locks = cluster.join();
    private final AtomicLong stored = new AtomicLong();

    @AfterEach
    void close() {
        cluster.close();
    }

    @Test
    void aRegistryWithoutSpring() throws Exception {
        try (EmbeddedZooKeeper server = new EmbeddedZooKeeper()) {
            String servers = server.connectString();
            // snippet:core
            try (ZooKeeperLockRegistry locks = ZooKeeperLockRegistry.builder()
                    .connectString(servers) // zk1:2181,zk2:2181,zk3:2181
                    .build()) {

                try (LockHandle handle = locks.lock("/order-stats").acquire(Duration.ofSeconds(10))) {
                    long total = compute();
                    handle.ensureHeld();
                    store(total, handle.fencingToken().value());
                }
            }
            // end:core
        }

        assertThat(stored).hasPositiveValue();
    }

    @Test
    void onlyAskingTellsWhetherItRan() throws Exception {
        assertThat(ranNightly()).isTrue();
        try (LockHandle elsewhere = cluster.join().lock("/nightly").acquire()) {
            assertThat(ranNightly()).isFalse();
            assertThat(elsewhere.isHeld()).isTrue();
        }
    }

    @Test
    void aJobRunsOncePerWindow() throws Exception {
        assertThat(closedBooks()).isTrue();
        assertThat(closedBooks()).isFalse();
        assertThat(stored).hasPositiveValue();
    }

    boolean closedBooks() throws InterruptedException {
        // snippet:job
        ClusterJob closing = locks.job("/jobs/closing", OncePer.of(Duration.ofHours(1)));

        boolean ran = closing.run(handle -> {
            store(compute(), handle.fencingToken().value());
            return null;
        });
        // end:job
        return ran;
    }

    // snippet:try
    boolean ranNightly() throws InterruptedException {
        Optional<LockHandle> taken = locks.lock("/nightly").tryAcquire();
        if (taken.isEmpty()) {
            return false; // another holder has the lock
        }
        try (LockHandle handle = taken.get()) {
            store(compute(), handle.fencingToken().value());
            return true;
        }
    }
    // end:try

    @Test
    void busyIsToldFromAnOutage() throws Exception {
        try (LockHandle elsewhere = cluster.join().lock("/order-stats").acquire()) {
            assertThat(recompute()).isEqualTo("other holders had the lock");
            assertThat(elsewhere.isHeld()).isTrue();
        }
        cluster.outage();
        assertThat(recompute()).isEqualTo("ZooKeeper could not be reached");
        cluster.heal();
    }

    // snippet:outcomes
    String recompute() throws InterruptedException {
        try (LockHandle handle = locks.lock("/order-stats").acquire(Duration.ofMillis(500))) {
            store(compute(), handle.fencingToken().value());
            return "done";
        } catch (LockTimeoutException busy) {
            return "other holders had the lock";
        } catch (LockUnavailableException down) {
            return "ZooKeeper could not be reached";
        }
    }
    // end:outcomes

    @Test
    void aBlockUnderTheLockReentersByItsThread() throws Exception {
        // snippet:reentry
        long total = locks.executeLocked("/order-stats", outer -> {
            store(compute(), outer.fencingToken().value());
            // re-entry: same thread, same lock, same token
            return locks.executeLocked(
                    "/order-stats", inner -> inner.fencingToken().value());
        });
        // end:reentry

        assertThat(total).isEqualTo(stored.get());
    }

    @Test
    void aHandleIsNoPropertyOfItsThread() throws Exception {
        ClusterLock lock = locks.lock("/order-stats");

        // snippet:stranger
        try (LockHandle handle = lock.acquire()) {
            // the handle belongs to no thread: this thread does not re-enter
            assertThat(lock.tryAcquire()).isEmpty();
            assertThat(handle.isHeld()).isTrue();
        }
        // end:stranger
    }

    @Test
    void aLossIsTold() throws Exception {
        CountDownLatch stopped = new CountDownLatch(1);
        // snippet:lost
        LockHandle handle = locks.lock("/import").acquire();
        handle.onLost(() -> stopped.countDown()); // runs once, on a thread of the registry
        // end:lost

        ((InMemoryLockRegistry) locks).loseSession();

        assertThat(stopped.await(60, TimeUnit.SECONDS)).isTrue();
        assertThat(handle.isHeld()).isFalse();
        assertThatExceptionOfType(LockLostException.class).isThrownBy(handle::close);
    }

    @Test
    void aLockIsOneOfTheJdk() {
        // snippet:lock
        ClusterLock lock = locks.lock("/order-stats");
        lock.lock();
        try {
            store(compute(), 1);
        } finally {
            lock.unlock(); // throws LockLostException if the lock was lost
        }
        // end:lock

        assertThat(stored).hasPositiveValue();
    }

    private static long compute() {
        return 42;
    }

    private void store(long total, long fence) {
        stored.set(total > 0 ? fence : 0);
    }
}
