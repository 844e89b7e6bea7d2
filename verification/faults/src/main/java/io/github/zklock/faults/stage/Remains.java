package io.github.zklock.faults.stage;

import io.github.zklock.faults.record.Event;
import io.github.zklock.faults.record.Event.Kind;
import io.github.zklock.faults.rig.ServerProcess;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.zip.CRC32;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.KeeperException.ConnectionLossException;
import org.apache.zookeeper.KeeperException.NoNodeException;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.Stat;

/** What one server has below a path, as itself sees it. */
final class Remains {

    // twice of what is promised: whether that was kept is judged afterwards
    private static final Duration PATIENCE = Stage.T.multipliedBy(4);
    private static final long BETWEEN_LOOKS_MILLIS = 50;
    private static final String WATCHES = "zk_watch_count";

    private final String server;
    private final CRC32 tree = new CRC32();
    private int nodes;
    private int seats;
    private long watches;

    private Remains(String server) {
        this.server = server;
    }

    /** Looks at all servers until nothing is left, or it has been long enough; then tells what was seen last. */
    static List<Event> await(List<ServerProcess> servers, String path) throws InterruptedException {
        List<ZooKeeper> sessions = new ArrayList<>();
        try {
            for (ServerProcess server : servers) {
                int timeout = Math.toIntExact(Duration.ofMinutes(1).toMillis());
                sessions.add(new ZooKeeper(server.connectString(), timeout, event -> {}));
            }
            long end = System.nanoTime() + PATIENCE.toNanos();
            while (true) {
                List<Remains> all = new ArrayList<>();
                for (int i = 0; i < servers.size(); i++) {
                    look(servers.get(i), sessions.get(i), path).ifPresent(all::add);
                }
                boolean complete = all.size() == servers.size();
                boolean equal = all.stream().map(Remains::tree).distinct().count() == 1;
                boolean clean = all.stream().allMatch(Remains::isClean);
                boolean over = System.nanoTime() - end > 0;
                if (complete && ((equal && clean) || over)) {
                    return all.stream().map(Remains::toEvent).toList();
                }
                if (over) {
                    throw new AssertionError("Only %s told within %s what they have"
                            .formatted(all.stream().map(seen -> seen.server).toList(), PATIENCE));
                }
                Thread.sleep(BETWEEN_LOOKS_MILLIS);
            }
        } catch (IOException | KeeperException e) {
            throw new AssertionError("Cannot see what is left on the servers", e);
        } finally {
            for (ZooKeeper session : sessions) {
                session.close();
            }
        }
    }

    /** Empty if the server does not say what watches it has, or has just found another leader and closed all connections. */
    private static Optional<Remains> look(ServerProcess server, ZooKeeper session, String path)
            throws InterruptedException, KeeperException {
        Remains remains = new Remains(server.name());
        session.sync(path, (code, synced, context) -> {}, null);
        try {
            remains.walk(session, path);
        } catch (ConnectionLossException e) {
            return Optional.empty();
        }
        OptionalLong watches = watches(server, path);
        watches.ifPresent(count -> remains.watches = count);
        return watches.isPresent() ? Optional.of(remains) : Optional.empty();
    }

    /** How many watches a server has on nodes below the path, and on folders anywhere; empty if it does not say. */
    static OptionalLong watches(ServerProcess server, String path) {
        Optional<String> watched = server.ask("wchp");
        Optional<String> figures = server.ask("mntr");
        return watched.isPresent() && figures.isPresent()
                ? OptionalLong.of(watchesBelow(path, watched.get()) + watchesOfFolders(watched.get(), figures.get()))
                : OptionalLong.empty();
    }

    /** Those for children are in no list, but all are counted; nobody but the clients of the scenario is there to set any. */
    static long watchesOfFolders(String watched, String figures) {
        return figures.lines()
                        .filter(line -> line.startsWith(WATCHES))
                        .mapToLong(line ->
                                Long.parseLong(line.substring(WATCHES.length()).strip()))
                        .findFirst()
                        .orElseThrow(() -> new IllegalArgumentException("No number of watches in " + figures))
                - watchesBelow("", watched);
    }

    private void walk(ZooKeeper session, String path) throws InterruptedException, KeeperException {
        try {
            Stat stat = new Stat();
            byte[] bytes = session.getData(path, false, stat);
            tree.update("%s %d %d %d "
                    .formatted(path, stat.getCzxid(), stat.getMzxid(), stat.getEphemeralOwner())
                    .getBytes(StandardCharsets.UTF_8));
            if (bytes != null) {
                tree.update(bytes);
            }
            nodes++;
            seats += stat.getEphemeralOwner() != 0 ? 1 : 0;
            List<String> children = new ArrayList<>(session.getChildren(path, false));
            children.sort(null);
            for (String child : children) {
                walk(session, path + "/" + child);
            }
        } catch (NoNodeException e) {
            // it left while we looked
        }
    }

    /** In the answer each path stands on a line, and the sessions that watch it on those that follow. */
    static long watchesBelow(String folder, String answer) {
        long count = 0;
        boolean below = false;
        for (String line : answer.lines().toList()) {
            if (line.startsWith("/")) {
                below = line.startsWith(folder + "/") || line.equals(folder);
            } else if (below && !line.isBlank()) {
                count++;
            }
        }
        return count;
    }

    private boolean isClean() {
        return seats == 0 && watches == 0;
    }

    private String tree() {
        return "%d-nodes-%08x".formatted(nodes, tree.getValue());
    }

    private Event toEvent() {
        return Event.of(server, System.nanoTime(), Kind.REMAINED, "seats", seats, "watches", watches, "tree", tree());
    }
}
