package io.github.zklock.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.github.zklock.LockHandle;
import io.github.zklock.LockLostException;
import io.github.zklock.LockRegistry;
import io.github.zklock.LockTimeoutException;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A test as a user of the library writes it: a service counts orders under a lock. */
class UserExampleTest {

    private final InMemoryLockRegistry locks = new InMemoryLockRegistry();
    private final OrderStats stats = new OrderStats(locks);

    @AfterEach
    void close() {
        locks.close();
    }

    @Test
    void countsUnderTheLock() throws Exception {
        stats.count();
        stats.count();

        assertThat(stats.orders).isEqualTo(2);
        assertThat(locks.inspector().held()).isEmpty();
    }

    @Test
    void writesNothingOnceTheLockIsLost() {
        stats.beforeWriting = locks::loseSession;

        assertThatExceptionOfType(LockLostException.class).isThrownBy(stats::count);

        assertThat(stats.orders).isZero();
    }

    @Test
    void writesNothingWhileTheLockIsSuspended() throws Exception {
        stats.beforeWriting = locks::suspend;

        assertThatExceptionOfType(LockLostException.class).isThrownBy(stats::count);

        assertThat(stats.orders).isZero();
        locks.resume();
        stats.beforeWriting = () -> {};
        stats.count();
        assertThat(stats.orders).isEqualTo(1);
    }

    @Test
    void givesUpWhenAnotherInstanceCountsForTooLong() throws Exception {
        try (InMemoryLockCluster cluster = new InMemoryLockCluster();
                LockHandle elsewhere = cluster.join().lock("/order-stats").acquire()) {
            OrderStats here = new OrderStats(cluster.join());
            here.patience = Duration.ofSeconds(1);

            assertThatExceptionOfType(LockTimeoutException.class).isThrownBy(here::count);

            assertThat(here.orders).isZero();
            assertThat(elsewhere.isHeld()).isTrue();
        }
    }

    private static final class OrderStats {

        private final LockRegistry locks;
        private int orders;
        private Duration patience = Duration.ofSeconds(10);
        private Runnable beforeWriting = () -> {};

        OrderStats(LockRegistry locks) {
            this.locks = locks;
        }

        void count() throws InterruptedException {
            int counted = locks.executeLocked("/order-stats", patience, handle -> {
                int next = orders + 1;
                beforeWriting.run();
                handle.ensureHeld();
                orders = next;
                return next;
            });
            assertThat(counted).isEqualTo(orders);
        }
    }
}
