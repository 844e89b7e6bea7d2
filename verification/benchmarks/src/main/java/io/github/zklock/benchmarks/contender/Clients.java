package io.github.zklock.benchmarks.contender;

import java.time.Duration;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.ExponentialBackoffRetry;
import org.apache.zookeeper.KeeperException.NoNodeException;

/** The client that every system on ZooKeeper is given, with the same settings. */
final class Clients {

    /** By default half of what the servers grant at most. */
    private static final Duration SESSION_TIMEOUT =
            Duration.ofSeconds(Integer.getInteger(Contenders.SESSION_SECONDS, 20));

    private static final Duration CONNECTION_TIMEOUT = Duration.ofSeconds(5);
    private static final Duration FIRST_PAUSE = Duration.ofMillis(50);
    private static final int ATTEMPTS = 3;

    private Clients() {}

    /** A client that is connected. */
    static CuratorFramework connect(CuratorFrameworkFactory.Builder builder, String servers) {
        CuratorFramework client = builder.connectString(servers)
                .sessionTimeoutMs(Math.toIntExact(SESSION_TIMEOUT.toMillis()))
                .connectionTimeoutMs(Math.toIntExact(CONNECTION_TIMEOUT.toMillis()))
                // it would watch the list of servers, at any moment after the client has connected
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

    /** One as Curator makes it. */
    static CuratorFramework connect(String servers) {
        return connect(CuratorFrameworkFactory.builder(), servers);
    }

    /** How many children a node has; none if it is not there. */
    static int children(CuratorFramework client, String path) throws Exception {
        var stat = client.checkExists().forPath(path);
        return stat == null ? 0 : stat.getNumChildren();
    }

    /** How many nodes there are from this one downwards; none if it is not there. */
    static int nodes(CuratorFramework client, String path) throws Exception {
        try {
            return 1 + client.getZookeeperClient().getZooKeeper().getAllChildrenNumber(path);
        } catch (NoNodeException absent) {
            return 0;
        }
    }
}
