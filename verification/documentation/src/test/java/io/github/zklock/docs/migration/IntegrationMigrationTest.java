package io.github.zklock.docs.migration;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.test.EmbeddedZooKeeper;
import io.github.zklock.test.EmbeddedZooKeeperExtension;
import io.github.zklock.zookeeper.ZooKeeperLockRegistry;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryOneTime;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.integration.support.locks.LockRegistry;
import org.springframework.integration.zookeeper.lock.ZookeeperLockRegistry;

/** A fleet of which one half has Spring Integration's own registry. */
@ExtendWith(EmbeddedZooKeeperExtension.class)
class IntegrationMigrationTest {

    private CuratorFramework client;
    private ZookeeperLockRegistry theirs;
    private ZooKeeperLockRegistry registry;
    private LockRegistry<Lock> ours;

    @BeforeEach
    void open(EmbeddedZooKeeper zooKeeper) {
        client = CuratorFrameworkFactory.newClient(zooKeeper.connectString(), new RetryOneTime(100));
        client.start();
        theirs = new IntegrationLocks.Before().lockRegistry(client);
        registry = ZooKeeperLockRegistry.builder()
                .connectString(zooKeeper.connectString())
                .basePath("/SpringIntegration-LockRegistry")
                .build();
        ours = new IntegrationLocks.After().lockRegistry(registry);
    }

    @AfterEach
    void close() {
        registry.close();
        theirs.destroy();
        client.close();
    }

    @Test
    void theirsKeepsOursOut() {
        Lock lock = theirs.obtain("orders");
        lock.lock();
        try {
            assertThat(tried(ours, 1)).isFalse();
        } finally {
            lock.unlock();
        }
        assertThat(tried(ours, 60)).isTrue();
    }

    @Test
    void oursKeepsTheirsOut() {
        Lock lock = ours.obtain("orders");
        lock.lock();
        try {
            assertThat(tried(theirs, 1)).isFalse();
        } finally {
            lock.unlock();
        }
        assertThat(tried(theirs, 60)).isTrue();
    }

    /** Whether another thread gets the lock in that time; if so, it gives it back. */
    private static boolean tried(LockRegistry<Lock> registry, long seconds) {
        return CompletableFuture.supplyAsync(() -> {
                    Lock lock = registry.obtain("orders");
                    try {
                        boolean got = lock.tryLock(seconds, TimeUnit.SECONDS);
                        if (got) {
                            lock.unlock();
                        }
                        return got;
                    } catch (InterruptedException e) {
                        throw new AssertionError(e);
                    }
                })
                .join();
    }
}
