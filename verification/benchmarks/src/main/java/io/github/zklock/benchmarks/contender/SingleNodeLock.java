package io.github.zklock.benchmarks.contender;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.curator.framework.CuratorFramework;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.KeeperException.NodeExistsException;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooKeeper;

/** The naive recipe: the client that creates the one node holds the lock, and all others retry. */
final class SingleNodeLock implements Contender {

    private static final String BASE = "/one-node-";
    private static final int ANY_VERSION = -1;
    private static final long PAUSE_MILLIS = 10;

    private final String servers;
    private final List<CuratorFramework> clients = new ArrayList<>();
    private final ZooKeeper zooKeeper;
    private final boolean watching;

    /** @param watching whether each release wakes all waiters; otherwise they retry after a pause */
    SingleNodeLock(String servers, boolean watching) throws Exception {
        this.servers = servers;
        CuratorFramework client = Clients.connect(servers);
        clients.add(client);
        this.zooKeeper = client.getZookeeperClient().getZooKeeper();
        this.watching = watching;
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
            CuratorFramework own = Clients.connect(servers);
            clients.add(own);
            waiters.add(adapter(own.getZookeeperClient().getZooKeeper(), name));
        }
        return waiters;
    }

    private LockAdapter adapter(ZooKeeper session, String name) {
        String node = BASE + (watching ? "watched-" : "polled-") + name;
        return new LockAdapter() {

            @Override
            public Held acquire() throws InterruptedException, KeeperException {
                Optional<Held> taken = tryAcquire();
                while (taken.isEmpty()) {
                    await(session, node);
                    taken = tryAcquire();
                }
                return taken.get();
            }

            @Override
            public Optional<Held> tryAcquire() throws InterruptedException, KeeperException {
                try {
                    session.create(node, new byte[0], Ids.OPEN_ACL_UNSAFE, CreateMode.EPHEMERAL);
                    return Optional.of(() -> session.delete(node, ANY_VERSION));
                } catch (NodeExistsException taken) {
                    return Optional.empty();
                }
            }
        };
    }

    @Override
    public void close() {
        clients.forEach(CuratorFramework::close);
    }

    private void await(ZooKeeper session, String node) throws InterruptedException, KeeperException {
        if (!watching) {
            TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
            return;
        }
        CountDownLatch changed = new CountDownLatch(1);
        if (session.exists(node, event -> changed.countDown()) != null) {
            changed.await();
        }
    }
}
