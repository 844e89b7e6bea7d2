package io.github.zklock.faults.context;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryForever;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.data.Stat;
import org.awaitility.Awaitility;

/** A client that reads and changes the nodes of a queue without holding the lock, as an operator can. */
public final class Operator implements AutoCloseable {

    private static final Duration MAX_WAIT = Duration.ofSeconds(60);
    private static final int BETWEEN_ATTEMPTS_MILLIS = 100;

    private final CuratorFramework client;
    private final String basePath;

    Operator(String connectString, String basePath) {
        this.client = CuratorFrameworkFactory.newClient(connectString, new RetryForever(BETWEEN_ATTEMPTS_MILLIS));
        this.basePath = basePath;
        client.start();
    }

    /** Returns the paths of the seats in the queue of a lock, lowest number first. */
    public List<String> seats(String lock) throws Exception {
        String folder = basePath + "/" + lock;
        if (client.checkExists().forPath(folder) == null) {
            return List.of();
        }
        return client.getChildren().forPath(folder).stream()
                .filter(node -> node.matches(".*\\d{10}"))
                .sorted(Comparator.comparing(node -> node.substring(node.length() - 10)))
                .map(node -> folder + "/" + node)
                .toList();
    }

    /** Waits for a seat of this session in the queue of a lock, and deletes it. Returns its path. */
    public String deleteSeat(String lock, String session) {
        return Awaitility.await("a seat of session " + session + " at " + lock)
                .atMost(MAX_WAIT)
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(10))
                .until(() -> deleteOneOf(seats(lock), session), Optional::isPresent)
                .orElseThrow();
    }

    private Optional<String> deleteOneOf(List<String> nodes, String session) throws Exception {
        try {
            for (String node : nodes) {
                Stat stat = client.checkExists().forPath(node);
                if (stat != null && Long.toHexString(stat.getEphemeralOwner()).equals(session)) {
                    delete(node);
                    return Optional.of(node);
                }
            }
        } catch (KeeperException.NoNodeException gone) {
            // its owner has deleted it
        }
        return Optional.empty();
    }

    public void write(String node, String text) throws Exception {
        client.setData().forPath(node, text.getBytes(StandardCharsets.UTF_8));
    }

    public void delete(String node) throws Exception {
        client.delete().forPath(node);
    }

    @Override
    public void close() {
        client.close();
    }
}
