package io.github.zklock.benchmarks.contender;

import java.util.List;
import java.util.Optional;
import org.apache.curator.framework.CuratorFramework;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooKeeper;

/**
 * The least that a lock can cost: the plain client creates a node and deletes it, without reading any other. A system
 * can only be cheaper if it does not wait for the deletion.
 */
final class CreateAndDelete implements Contender {

    private static final String BASE = "/floor";
    private static final int ANY_VERSION = -1;

    private final CuratorFramework client;
    private final ZooKeeper zooKeeper;

    CreateAndDelete(String servers) throws Exception {
        client = Clients.connect(servers);
        zooKeeper = client.getZookeeperClient().getZooKeeper();
    }

    @Override
    public LockAdapter exclusive(String name) {
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
        return new LockAdapter() {

            @Override
            public Held acquire() throws InterruptedException, KeeperException {
                String node = zooKeeper.create(
                        folder + "/node-", new byte[0], Ids.OPEN_ACL_UNSAFE, CreateMode.EPHEMERAL_SEQUENTIAL);
                return () -> zooKeeper.delete(node, ANY_VERSION);
            }

            @Override
            public Optional<Held> tryAcquire() throws InterruptedException, KeeperException {
                return Optional.of(acquire());
            }
        };
    }

    @Override
    public LockAdapter all(List<String> names) {
        List<LockAdapter> adapters = names.stream().map(this::exclusive).toList();
        return new LockAdapter() {

            @Override
            public Held acquire() throws Exception {
                Held[] taken = new Held[adapters.size()];
                for (int lock = 0; lock < taken.length; lock++) {
                    taken[lock] = adapters.get(lock).acquire();
                }
                return () -> {
                    for (Held one : taken) {
                        one.close();
                    }
                };
            }

            @Override
            public Optional<Held> tryAcquire() throws Exception {
                return Optional.of(acquire());
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
            // created by another process of this run
        }
    }
}
