package io.github.zklock.zookeeper.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.ClusterLock;
import io.github.zklock.LockHandle;
import io.github.zklock.fixture.LocalZooKeeper;
import io.github.zklock.zookeeper.ZooKeeperLockRegistry;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.curator.framework.api.ACLProvider;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.data.ACL;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** Code of users that blocks every thread on which it may run. */
class BlockedCallbacksTest {

    /** More than there are threads for them. */
    private static final int LISTENERS = 40;

    private static final int THREADS = 32;
    /** More than any caller does for others. */
    private static final int TASKS = 1_000;

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    @Test
    void theEngineGoesOn() throws Exception {
        CountDownLatch mayGoOn = new CountDownLatch(1);
        AtomicInteger blocked = new AtomicInteger();
        try (LocalZooKeeper server = new LocalZooKeeper()) {
            ZooKeeperLockRegistry.Builder options =
                    ZooKeeperLockRegistry.builder().connectString(server.connectString());
            for (int listener = 0; listener < LISTENERS; listener++) {
                options.listener(event -> {
                    blocked.incrementAndGet();
                    await(mayGoOn);
                });
            }
            ZooKeeperLockRegistry registry = options.build();
            EngineAccess engine = ZooKeeperCluster.engineOf(registry);
            try {
                registry.lock("/stats").acquire().close();
                Awaitility.await().atMost(PATIENCE).until(() -> blocked.get() == THREADS);

                engine.run(asked -> bringTasks(engine));

                assertThat(engine.ask(Engine::isQuiet)).succeedsWithin(PATIENCE);
            } finally {
                mayGoOn.countDown();
                registry.close();
            }
        }
    }

    @Test
    void anAccessListProviderHoldsUpItsCallerAlone() throws Exception {
        CountDownLatch mayGoOn = new CountDownLatch(1);
        CountDownLatch asked = new CountDownLatch(1);
        try (LocalZooKeeper server = new LocalZooKeeper()) {
            ZooKeeperLockRegistry.Builder options =
                    ZooKeeperLockRegistry.builder().connectString(server.connectString());
            options.acl(new ACLProvider() {
                @Override
                public List<ACL> getDefaultAcl() {
                    return ZooDefs.Ids.OPEN_ACL_UNSAFE;
                }

                @Override
                public List<ACL> getAclForPath(String path) {
                    if (path.contains("slow")) {
                        asked.countDown();
                        await(mayGoOn);
                    }
                    return getDefaultAcl();
                }
            });
            ZooKeeperLockRegistry registry = options.build();
            try {
                ClusterLock lock = registry.lock("/slow");
                Thread slow = new Thread(
                        () -> lock.acquireAsync().thenAccept(LockHandle::close).join());
                slow.start();
                asked.await();

                registry.lock("/quick").acquire(PATIENCE).close();

                assertThat(slow.isAlive()).isTrue();
                mayGoOn.countDown();
                slow.join();
            } finally {
                mayGoOn.countDown();
                registry.close();
            }
        }
    }

    private static void bringTasks(EngineAccess engine) {
        for (int task = 0; task < TASKS; task++) {
            engine.run(asked -> {});
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
