package io.github.zklock.benchmarks.contender;

import java.time.Duration;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.ExponentialBackoffRetry;
import org.apache.zookeeper.KeeperException.NoNodeException;

/** Creates the clients of all systems on ZooKeeper, with the same settings. */
public final class Clients {

    /** The property of a process with its session timeout, in seconds. */
    public static final String SESSION_SECONDS = "benchmarks.session.seconds";

    /** By default half of ZooKeeper's default limit. */
    private static final Duration SESSION_TIMEOUT = Duration.ofSeconds(Integer.getInteger(SESSION_SECONDS, 20));

    private static final Duration CONNECTION_TIMEOUT = Duration.ofSeconds(5);
    private static final Duration FIRST_PAUSE = Duration.ofMillis(50);
    private static final int ATTEMPTS = 3;

    private Clients() {}

    /** Returns a connected client. */
    static CuratorFramework connect(CuratorFrameworkFactory.Builder builder, String servers) {
        CuratorFramework client = builder.connectString(servers)
                .sessionTimeoutMs(Math.toIntExact(SESSION_TIMEOUT.toMillis()))
                .connectionTimeoutMs(Math.toIntExact(CONNECTION_TIMEOUT.toMillis()))
                // the tracker would set a watch on the list of servers at an arbitrary moment
                .ensembleTracker(false)
                .retryPolicy(new ExponentialBackoffRetry(Math.toIntExact(FIRST_PAUSE.toMillis()), ATTEMPTS))
                .build();
        client.start();
        try {
            client.blockUntilConnected();
        } catch (InterruptedException e) {
            client.close();
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted before " + servers + " was reached", e);
        }
        return client;
    }

    /** Returns a connected client with Curator's defaults. */
    static CuratorFramework connect(String servers) {
        return connect(CuratorFrameworkFactory.builder(), servers);
    }

    /** Returns the number of nodes in a subtree; 0 if it does not exist. */
    static int nodes(CuratorFramework client, String path) throws Exception {
        try {
            return 1 + client.getZookeeperClient().getZooKeeper().getAllChildrenNumber(path);
        } catch (NoNodeException absent) {
            return 0;
        }
    }
}
