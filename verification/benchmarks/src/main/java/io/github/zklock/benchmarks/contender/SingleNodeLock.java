package io.github.zklock.benchmarks.contender;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.apache.curator.framework.CuratorFramework;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.KeeperException.NodeExistsException;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooKeeper;

/**
 * The naive recipe: the client that creates the one node holds the lock, and all others watch the node. Each release
 * wakes all of them.
 */
final class SingleNodeLock implements Contender {

    private static final int ANY_VERSION = -1;

    private final String servers;
    private final List<CuratorFramework> clients = new ArrayList<>();
    private final ZooKeeper zooKeeper;

    SingleNodeLock(String servers) throws Exception {
        this.servers = servers;
        this.zooKeeper = session();
    }

    @Override
    public LockAdapter exclusive(String name) {
        return adapter(zooKeeper, name);
    }

    /** Each waiter has a session of its own, because waiters of one session would share its events. */
    @Override
    public List<LockAdapter> waiters(String name, int length) throws Exception {
        List<LockAdapter> waiters = new ArrayList<>();
        for (int waiter = 0; waiter < length; waiter++) {
            waiters.add(adapter(session(), name));
        }
        return waiters;
    }

    @Override
    public void close() {
        clients.forEach(CuratorFramework::close);
    }

    private ZooKeeper session() throws Exception {
        CuratorFramework client = Clients.connect(servers);
        clients.add(client);
        return client.getZookeeperClient().getZooKeeper();
    }

    private static LockAdapter adapter(ZooKeeper session, String name) {
        String node = "/one-node-watched-" + name;
        return () -> {
            while (!isCreated(session, node)) {
                CountDownLatch changed = new CountDownLatch(1);
                if (session.exists(node, event -> changed.countDown()) != null) {
                    changed.await();
                }
            }
            return () -> session.delete(node, ANY_VERSION);
        };
    }

    private static boolean isCreated(ZooKeeper session, String node) throws InterruptedException, KeeperException {
        try {
            session.create(node, new byte[0], Ids.OPEN_ACL_UNSAFE, CreateMode.EPHEMERAL);
            return true;
        } catch (NodeExistsException taken) {
            return false;
        }
    }
}
