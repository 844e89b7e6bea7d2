package io.github.zklock.faults.client;

import io.github.zklock.faults.client.Engine.Disruption;
import io.github.zklock.zookeeper.ZooKeeperLockRegistry;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.retry.ExponentialBackoffRetry;
import org.apache.zookeeper.ZooKeeper;

/** A client as applications share it, and what others do to it. */
final class Disruptions {

    private static final int FIRST_PAUSE_MILLIS = 100;
    private static final int RETRIES = 5;

    private Disruptions() {}

    static CuratorFramework client(Place place) {
        int timeout = Math.toIntExact(place.sessionTimeout().toMillis());
        CuratorFramework client = ZooKeeperLockRegistry.clientBuilder()
                .connectString(place.connectString())
                .sessionTimeoutMs(timeout)
                .connectionTimeoutMs(timeout)
                .retryPolicy(new ExponentialBackoffRetry(FIRST_PAUSE_MILLIS, RETRIES))
                .build();
        client.start();
        return client;
    }

    static void apply(Disruption disruption, CuratorFramework client) throws Exception {
        switch (disruption) {
            case RESET -> client.getZookeeperClient().reset();
            case FOREIGN_CLOSE -> closeFromElsewhere(client);
        }
    }

    /** Whoever knows number and password of a session may take it over, and end it. */
    private static void closeFromElsewhere(CuratorFramework client) throws Exception {
        ZooKeeper session = client.getZookeeperClient().getZooKeeper();
        ZooKeeper thief = new ZooKeeper(
                client.getZookeeperClient().getCurrentConnectionString(),
                session.getSessionTimeout(),
                event -> {},
                session.getSessionId(),
                session.getSessionPasswd());
        thief.close();
    }
}
