package io.github.zklock.faults.client;

import io.github.zklock.faults.timeline.Disruption;
import io.github.zklock.zookeeper.ZooKeeperLockRegistry;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.ExponentialBackoffRetry;
import org.apache.zookeeper.Watcher.Event.KeeperState;
import org.apache.zookeeper.ZooKeeper;

/** A Curator client that several users of a process could share, and what these users can do to it. */
final class SharedClient {

    private static final int FIRST_PAUSE_MILLIS = 100;
    private static final int RETRIES = 5;
    private static final int MAX_WAIT_SECONDS = 30;

    private SharedClient() {}

    static CuratorFramework client(ClientConfig config) {
        int timeout = Math.toIntExact(config.sessionTimeout().toMillis());
        CuratorFramework client = builder()
                .connectString(config.connectString())
                .sessionTimeoutMs(timeout)
                .connectionTimeoutMs(timeout)
                .retryPolicy(new ExponentialBackoffRetry(FIRST_PAUSE_MILLIS, RETRIES))
                .build();
        client.start();
        return client;
    }

    private static CuratorFrameworkFactory.Builder builder() {
        return isForeign() ? CuratorFrameworkFactory.builder() : ZooKeeperLockRegistry.clientBuilder();
    }

    static boolean isForeign() {
        return Boolean.getBoolean("faults.foreign-client");
    }

    static void apply(Disruption disruption, CuratorFramework client) throws Exception {
        switch (disruption) {
            case RESET -> client.getZookeeperClient().reset();
            case FOREIGN_CLOSE -> closeFromElsewhere(client);
        }
    }

    /** Closes the session by a second connection with its id and password. */
    private static void closeFromElsewhere(CuratorFramework client) throws Exception {
        ZooKeeper session = client.getZookeeperClient().getZooKeeper();
        CountDownLatch connected = new CountDownLatch(1);
        ZooKeeper duplicate = new ZooKeeper(
                client.getZookeeperClient().getCurrentConnectionString(),
                session.getSessionTimeout(),
                event -> {
                    if (event.getState() == KeeperState.SyncConnected) {
                        connected.countDown();
                    }
                },
                session.getSessionId(),
                session.getSessionPasswd());
        // closing a client that is not connected would not end the session
        boolean there = connected.await(MAX_WAIT_SECONDS, TimeUnit.SECONDS);
        duplicate.close();
        if (!there) {
            throw new IllegalStateException(
                    "No second connection for session 0x" + Long.toHexString(session.getSessionId()));
        }
    }
}
