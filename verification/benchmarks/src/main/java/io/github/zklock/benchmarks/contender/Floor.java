package io.github.zklock.benchmarks.contender;

import java.util.List;
import java.util.Optional;
import org.apache.curator.framework.CuratorFramework;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooKeeper;

/**
 * No lock: a node is made and deleted by the bare client, one after the other, and nobody looks at any other. Only who does
 * not wait for the deletion can do with less.
 */
final class Floor implements Contender {

    private static final String BASE = "/floor";
    private static final int ANY_VERSION = -1;

    private final CuratorFramework client;
    private final ZooKeeper zooKeeper;

    Floor(String servers) throws Exception {
        client = Clients.connect(servers);
        zooKeeper = client.getZookeeperClient().getZooKeeper();
    }

    @Override
    public Claim exclusive(String name) {
        String folder = BASE + "/" + name;
        try {
            makeUnlessThere(BASE);
            makeUnlessThere(folder);
        } catch (KeeperException e) {
            throw new IllegalStateException("Cannot make " + folder, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted before there was " + folder, e);
        }
        return new Claim() {

            @Override
            public Held take() throws InterruptedException, KeeperException {
                String node = zooKeeper.create(
                        folder + "/node-", new byte[0], Ids.OPEN_ACL_UNSAFE, CreateMode.EPHEMERAL_SEQUENTIAL);
                return () -> zooKeeper.delete(node, ANY_VERSION);
            }

            @Override
            public Optional<Held> tryTake() throws InterruptedException, KeeperException {
                return Optional.of(take());
            }
        };
    }

    @Override
    public Claim all(List<String> names) {
        List<Claim> claims = names.stream().map(this::exclusive).toList();
        return new Claim() {

            @Override
            public Held take() throws Exception {
                Held[] taken = new Held[claims.size()];
                for (int claim = 0; claim < taken.length; claim++) {
                    taken[claim] = claims.get(claim).take();
                }
                return () -> {
                    for (Held one : taken) {
                        one.close();
                    }
                };
            }

            @Override
            public Optional<Held> tryTake() throws Exception {
                return Optional.of(take());
            }
        };
    }

    @Override
    public void close() {
        client.close();
    }

    private void makeUnlessThere(String path) throws InterruptedException, KeeperException {
        try {
            zooKeeper.create(path, new byte[0], Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
        } catch (KeeperException.NodeExistsException there) {
            // another process of this run has made it
        }
    }
}
