package io.github.zklock.benchmarks.contender;

import java.util.ArrayList;
import java.util.List;
import org.apache.curator.framework.CuratorFramework;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooKeeper;

/**
 * The least that a lock can cost: the plain client creates a node and deletes it, without reading any other. A system
 * can only be cheaper if it does not wait for the deletion.
 */
final class CreateAndDelete implements Contender {

    private static final int ANY_VERSION = -1;

    private final CuratorFramework client;
    private final ZooKeeper zooKeeper;

    CreateAndDelete(String servers) throws Exception {
        client = Clients.connect(servers);
        zooKeeper = client.getZookeeperClient().getZooKeeper();
    }

    @Override
    public LockAdapter exclusive(String name) {
        String folder = "/floor/" + name;
        try {
            client.create().orSetData().creatingParentsIfNeeded().forPath(folder);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted before there was " + folder, e);
        } catch (Exception e) {
            throw new IllegalStateException("Cannot create " + folder, e);
        }
        return () -> {
            String node = zooKeeper.create(
                    folder + "/node-", new byte[0], Ids.OPEN_ACL_UNSAFE, CreateMode.EPHEMERAL_SEQUENTIAL);
            return () -> zooKeeper.delete(node, ANY_VERSION);
        };
    }

    @Override
    public LockAdapter all(List<String> names) {
        List<LockAdapter> adapters = names.stream().map(this::exclusive).toList();
        return () -> {
            List<AutoCloseable> taken = new ArrayList<>();
            for (LockAdapter adapter : adapters) {
                taken.add(adapter.acquire());
            }
            return () -> {
                for (AutoCloseable one : taken) {
                    one.close();
                }
            };
        };
    }

    @Override
    public void close() {
        client.close();
    }
}
