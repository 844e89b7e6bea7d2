package io.github.zklock.benchmarks.contender;

import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.curator.framework.CuratorFramework;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.KeeperException.NodeExistsException;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooKeeper;

/** The recipe that textbooks warn of: whoever makes the one node has the lock, and the others try again. */
final class OneNode implements Contender {

    private static final String BASE = "/one-node-";
    private static final int ANY_VERSION = -1;
    private static final long PAUSE_MILLIS = 10;

    private final CuratorFramework client;
    private final ZooKeeper zooKeeper;
    private final boolean watching;

    /** @param watching whether all that wait are woken by each release; else they look again after a pause */
    OneNode(String servers, boolean watching) throws Exception {
        this.client = Clients.connect(servers);
        this.zooKeeper = client.getZookeeperClient().getZooKeeper();
        this.watching = watching;
    }

    @Override
    public Claim exclusive(String name) {
        String node = BASE + (watching ? "watched-" : "polled-") + name;
        return new Claim() {

            @Override
            public Held take() throws InterruptedException, KeeperException {
                Optional<Held> taken = tryTake();
                while (taken.isEmpty()) {
                    await(node);
                    taken = tryTake();
                }
                return taken.get();
            }

            @Override
            public Optional<Held> tryTake() throws InterruptedException, KeeperException {
                try {
                    zooKeeper.create(node, new byte[0], Ids.OPEN_ACL_UNSAFE, CreateMode.EPHEMERAL);
                    return Optional.of(() -> zooKeeper.delete(node, ANY_VERSION));
                } catch (NodeExistsException taken) {
                    return Optional.empty();
                }
            }
        };
    }

    @Override
    public void close() {
        client.close();
    }

    private void await(String node) throws InterruptedException, KeeperException {
        if (!watching) {
            TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
            return;
        }
        CountDownLatch changed = new CountDownLatch(1);
        if (zooKeeper.exists(node, event -> changed.countDown()) != null) {
            changed.await();
        }
    }
}
