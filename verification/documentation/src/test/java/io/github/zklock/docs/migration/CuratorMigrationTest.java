package io.github.zklock.docs.migration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.github.zklock.LockHandle;
import io.github.zklock.LockMismatchException;
import io.github.zklock.LockRegistry;
import io.github.zklock.LockTimeoutException;
import io.github.zklock.test.EmbeddedZooKeeper;
import io.github.zklock.test.autoconfigure.AutoConfigureZkLock;
import io.github.zklock.test.autoconfigure.LockServer;
import io.github.zklock.zookeeper.ZooKeeperLockRegistry;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.recipes.locks.InterProcessMutex;
import org.apache.curator.framework.recipes.locks.InterProcessReadWriteLock;
import org.apache.curator.framework.recipes.locks.InterProcessSemaphoreV2;
import org.apache.curator.framework.recipes.locks.Lease;
import org.apache.curator.retry.RetryOneTime;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.annotation.Import;

/** A fleet of which one half has Curator's recipes and the other half this library. */
@SpringBootTest(
        classes = CuratorMigrationTest.Application.class,
        properties = {
            "spring.datasource.url=jdbc:h2:mem:migration",
            "zk.lock.wait-time=60s",
            "zk.lock.connection-timeout=30s"
        })
@AutoConfigureZkLock(server = LockServer.EMBEDDED)
class CuratorMigrationTest {

    @Autowired
    EmbeddedZooKeeper zooKeeper;

    @Autowired
    LockRegistry locks;

    @Autowired
    LockedStats after;

    private CuratorFramework client;
    private CuratorStats before;

    @BeforeEach
    void connect() {
        client = CuratorFrameworkFactory.newClient(zooKeeper.connectString(), new RetryOneTime(100));
        client.start();
        before = new CuratorStats(client);
    }

    @AfterEach
    void disconnect() {
        client.close();
    }

    @Test
    void theMutexKeepsTheAnnotatedMethodOut() throws Exception {
        before.recompute(() -> assertThatExceptionOfType(LockTimeoutException.class)
                .isThrownBy(() -> elsewhere(() -> after.recomputeAtOnce(CuratorMigrationTest::mustNotRun))));

        List<String> ran = new ArrayList<>();
        after.recomputeAtOnce(() -> ran.add("after"));
        assertThat(ran).containsExactly("after");
    }

    @Test
    void theAnnotatedMethodKeepsTheMutexOut() throws Exception {
        InterProcessMutex mutex = new InterProcessMutex(client, "/locks/order-stats");

        after.recompute(() -> assertThat(acquired(mutex)).isFalse());

        before.recompute(() -> assertThat(mutex.isAcquiredInThisProcess()).isFalse());
    }

    @Test
    void readersOfBothShareAndKeepWritersOfBothOut() throws Exception {
        InterProcessReadWriteLock prices = new InterProcessReadWriteLock(client, "/locks/prices");

        before.read(() -> after.read(() -> {
            assertThat(acquired(prices.writeLock())).isFalse();
            assertThatExceptionOfType(LockTimeoutException.class)
                    .isThrownBy(() -> elsewhere(() -> after.writeAtOnce(CuratorMigrationTest::mustNotRun)));
        }));
    }

    @Test
    void noIncrementIsLostWhileBothWork() {
        int[] counter = new int[1];
        RegistryStats handles = new RegistryStats(locks);
        List<CompletableFuture<Void>> workers = List.of(
                repeatedly(() -> before.recompute(() -> counter[0] = counter[0] + 1)),
                repeatedly(() -> after.recompute(() -> counter[0] = counter[0] + 1)),
                repeatedly(() -> handles.recompute(() -> counter[0] = counter[0] + 1)));

        workers.forEach(CompletableFuture::join);

        assertThat(counter[0]).isEqualTo(workers.size() * 20);
    }

    @Test
    void theBasePathIsTheFolderOfTheMutexes() throws Exception {
        InterProcessMutex mutex = new InterProcessMutex(client, "/billing/mutexes/invoices");
        try (ZooKeeperLockRegistry ours = ZooKeeperLockRegistry.builder()
                        .connectString(zooKeeper.connectString())
                        .basePath("/billing/mutexes")
                        .build();
                LockHandle handle = ours.lock("/invoices").acquire()) {

            assertThat(acquired(mutex)).isFalse();
            assertThat(handle.isHeld()).isTrue();
        }
    }

    @Test
    void aNameThatIsStoredOtherwiseIsNotThatOfTheMutex() throws Exception {
        InterProcessMutex mutex = new InterProcessMutex(client, "/locks/order_stats");
        try (LockHandle handle = locks.lock("/order_stats").acquire()) {

            assertThat(mutex.acquire(60, TimeUnit.SECONDS)).isTrue();
            assertThat(handle.isHeld()).isTrue();
        } finally {
            mutex.release();
        }
    }

    @Test
    void semaphoresOfCuratorAreRefusedAndNotMistaken() throws Exception {
        InterProcessSemaphoreV2 theirs = new InterProcessSemaphoreV2(client, "/locks/exports", 2);
        Lease lease = theirs.acquire();

        assertThatExceptionOfType(LockMismatchException.class)
                .isThrownBy(() -> locks.semaphore("/exports", 2).tryAcquire())
                .withMessageContaining("a Curator semaphore uses this path");
        theirs.returnLease(lease);
    }

    @Test
    void whoHasBothKeepsOutWhoHasOneOfThem() throws Exception {
        InterProcessSemaphoreV2 theirs = new InterProcessSemaphoreV2(client, "/locks/exports", 2);
        BothLocks both = new BothLocks(theirs, locks);

        boolean ran = both.export(() -> elsewhere(() -> assertThat(export(both, () -> {
                    assertThat(leaseOf(theirs)).isFalse();
                    assertThatIllegalStateException().isThrownBy(this::permit).withMessage("busy");
                }))
                .isTrue()));

        assertThat(ran).isTrue();
    }

    private void permit() {
        try {
            locks.semaphore("/exports-2", 2)
                    .tryAcquire()
                    .orElseThrow(() -> new IllegalStateException("busy"))
                    .close();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static boolean export(BothLocks both, Runnable work) {
        try {
            return both.export(work);
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private static boolean leaseOf(InterProcessSemaphoreV2 semaphore) {
        try {
            return semaphore.acquire(0, TimeUnit.SECONDS) != null;
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private static boolean acquired(InterProcessMutex mutex) {
        try {
            return mutex.acquire(0, TimeUnit.SECONDS);
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private static CompletableFuture<Void> repeatedly(Work work) {
        return CompletableFuture.runAsync(() -> {
            for (int i = 0; i < 20; i++) {
                try {
                    work.run();
                } catch (Exception e) {
                    throw new AssertionError(e);
                }
            }
        });
    }

    /** On a thread that holds nothing; what fails there fails here. */
    private static void elsewhere(Runnable action) {
        try {
            CompletableFuture.runAsync(action).join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            throw new AssertionError(e.getCause());
        }
    }

    private static void mustNotRun() {
        throw new AssertionError("ran beside the holder");
    }

    private interface Work {
        void run() throws Exception;
    }

    @SpringBootConfiguration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import(LockedStats.class)
    static class Application {}
}
