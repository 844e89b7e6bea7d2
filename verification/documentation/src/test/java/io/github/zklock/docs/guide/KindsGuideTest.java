package io.github.zklock.docs.guide;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.github.zklock.Acquirable;
import io.github.zklock.ClusterReadWriteLock;
import io.github.zklock.ClusterSemaphore;
import io.github.zklock.Handle;
import io.github.zklock.LockHandle;
import io.github.zklock.LockMismatchException;
import io.github.zklock.LockRegistry;
import io.github.zklock.test.InMemoryLockCluster;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What {@code docs/guide/kinds.md} shows. */
class KindsGuideTest {

    private final InMemoryLockCluster cluster = new InMemoryLockCluster();
    private final LockRegistry locks = cluster.join();
    private final LockRegistry elsewhere = cluster.join();

    @AfterEach
    void close() {
        cluster.close();
    }

    @Test
    void readersShareAndWritersDoNot() throws Exception {
        // snippet:read
        ClusterReadWriteLock prices = locks.readWriteLock("/prices"); // a java.util.concurrent.locks.ReadWriteLock

        try (LockHandle reading = prices.readLock().acquire(Duration.ofSeconds(10))) {
            // others may read, no one may write
            // end:read
            assertThat(reading.isHeld()).isTrue();
            assertThat(elsewhere.readWriteLock("/prices").writeLock().tryAcquire())
                    .isEmpty();
            // snippet:read
        }
        // end:read
    }

    @Test
    void aWriterMayGoOnAsAReader() throws Exception {
        ClusterReadWriteLock prices = locks.readWriteLock("/prices");
        // snippet:downgrade
        prices.writeLock().lock();
        try {
            prices.readLock().lock(); // before the write lock is released: no other writer in between
        } finally {
            prices.writeLock().unlock();
        }
        // end:downgrade
        assertThat(elsewhere.readWriteLock("/prices").writeLock().tryLock()).isFalse();
        assertThat(elsewhere.readWriteLock("/prices").readLock().tryLock(10, TimeUnit.SECONDS))
                .isTrue();

        // the other way round a thread would wait for itself
        assertThatIllegalStateException().isThrownBy(() -> prices.writeLock().lock());
        prices.readLock().unlock();
        elsewhere.readWriteLock("/prices").readLock().unlock();
    }

    @Test
    void permitsAreCountedOverTheCluster() throws Exception {
        // snippet:semaphore
        ClusterSemaphore exports = locks.semaphore("/exports", 8); // 8 permits over the whole cluster

        try (LockHandle two = exports.permits(2).acquire(Duration.ofSeconds(10))) { // both or none
            // end:semaphore
            assertThat(two.isHeld()).isTrue();
            assertThat(elsewhere.semaphore("/exports", 8).availablePermits()).isEqualTo(6);
            assertThat(elsewhere.semaphore("/exports", 9).permits(7).tryAcquire())
                    .isEmpty();
            elsewhere.semaphore("/exports", 9).permits(6).acquire().close();
            assertThatExceptionOfType(LockMismatchException.class)
                    .isThrownBy(() -> elsewhere.lock("/exports").tryAcquire());
            // snippet:semaphore
        }
        // end:semaphore
    }

    @Test
    void severalLocksAreTakenTogetherOrNotAtAll() throws Exception {
        // snippet:all
        Acquirable<Handle> transfer = locks.allOf("/accounts/9", "/accounts/7");

        try (Handle both = transfer.acquire(Duration.ofSeconds(10))) {
            for (LockHandle account : both.parts()) { // in the order of their names, each with its own token
                debit(account.name().value(), account.fencingToken().value());
            }
        }
        // end:all

        try (LockHandle one = elsewhere.lock("/accounts/9").acquire()) {
            assertThat(transfer.tryAcquire()).isEmpty();
            assertThat(one.isHeld()).isTrue();
        }
        assertThat(elsewhere.inspector().queue("/accounts/7")).isEmpty();
    }

    private static void debit(String account, long fence) {
        assertThat(account).startsWith("/accounts/");
        assertThat(fence).isPositive();
    }
}
