package io.github.zklock.docs.walk;

import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.Watcher.Event.EventType;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooKeeper;

/** The obvious lock: one ephemeral node, which everybody who waits watches. Here to be counted, not to be used. */
final class NaiveLock implements AutoCloseable {

    private static final String NODE = "/naive-lock";

    private final ZooKeeper client;

    NaiveLock(String servers) throws IOException {
        client = new ZooKeeper(servers, 600_000, event -> {});
    }

    void acquire() throws KeeperException, InterruptedException {
        while (true) {
            try {
                client.create(NODE, new byte[0], ZooDefs.Ids.OPEN_ACL_UNSAFE, CreateMode.EPHEMERAL);
                return;
            } catch (KeeperException.NodeExistsException taken) {
                awaitItsEnd();
            }
        }
    }

    private void awaitItsEnd() throws KeeperException, InterruptedException {
        CountDownLatch gone = new CountDownLatch(1);
        boolean there = client.exists(NODE, event -> {
                    if (event.getType() == EventType.NodeDeleted) {
                        gone.countDown();
                    }
                })
                != null;
        if (there) {
            gone.await();
        }
    }

    void release() throws KeeperException, InterruptedException {
        client.delete(NODE, -1);
    }

    @Override
    public void close() throws InterruptedException {
        client.close();
    }
}
