package io.github.zklock.faults.context;

import io.github.zklock.faults.cluster.ServerProcess;
import io.github.zklock.faults.timeline.Event;
import io.github.zklock.faults.timeline.Event.Kind;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.zip.CRC32;
import org.apache.zookeeper.AsyncCallback.Children2Callback;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.KeeperException.ConnectionLossException;
import org.apache.zookeeper.KeeperException.NoNodeException;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.Stat;

/** What one server still stores below a path. */
final class Leftovers {

    // twice the permitted time: a checker judges whether the time was kept
    private static final Duration MAX_WAIT = ScenarioContext.T.multipliedBy(4);
    private static final long BETWEEN_LOOKS_MILLIS = 50;
    private static final int SESSION_MILLIS = 60_000;
    /** Within this time, seats that linger are deleted. */
    private static final Duration LINGERING = Duration.ofSeconds(1);

    private static final String WATCHES = "zk_watch_count";
    private static final String EPHEMERALS = "zk_ephemerals_count";

    private final ServerProcess server;
    private final String path;
    private final ZooKeeper session;
    private final CRC32 tree = new CRC32();
    private int nodes;
    private int seats;
    private Optional<Long> ephemerals = Optional.empty();
    private Optional<Long> watches = Optional.empty();
    /** An instant at which the server had no more than this. */
    private long seenAt;
    /** The first instant since which nothing was left; empty if something is. */
    private Optional<Long> cleanSince = Optional.empty();

    private Leftovers(ServerProcess server, String path) throws IOException {
        this.server = server;
        this.path = path;
        this.session = new ZooKeeper(server.connectString(), SESSION_MILLIS, event -> {});
    }

    /**
     * Polls all servers until nothing is left or the time is over, and returns one event for each server. An event
     * carries the instant since which its server has been clean.
     */
    static List<Event> await(List<ServerProcess> servers, String path) throws InterruptedException {
        List<Leftovers> all = new ArrayList<>();
        try {
            for (ServerProcess server : servers) {
                all.add(new Leftovers(server, path));
            }
            int nodesBefore = 0;
            long begin = System.nanoTime();
            long end = begin + MAX_WAIT.toNanos();
            while (true) {
                // the last look begins when the time is over, for it may take long to read thousands of empty folders
                long now = System.nanoTime();
                boolean over = now - end > 0;
                boolean early = now - begin < LINGERING.toNanos();
                // the counters of all servers, before the first tree: the instant at which a server was clean must not
                // depend on the time that it takes to read thousands of empty folders
                for (Leftovers each : all) {
                    each.count();
                }
                if (all.stream().anyMatch(seen -> (!over && seen.isWatched()) || (early && seen.hasEphemerals()))) {
                    all.stream().filter(Leftovers::isWatched).forEach(seen -> seen.cleanSince = Optional.empty());
                    Thread.sleep(BETWEEN_LOOKS_MILLIS);
                    continue;
                }
                List<Leftovers> answered = new ArrayList<>();
                for (Leftovers each : all) {
                    if (each.read()) {
                        answered.add(each);
                    }
                }
                boolean complete = answered.size() == servers.size();
                boolean equal =
                        answered.stream().map(Leftovers::tree).distinct().count() == 1;
                boolean clean = answered.stream().allMatch(Leftovers::isClean);
                int nodes = answered.stream().mapToInt(seen -> seen.nodes).sum();
                if (complete && clean && nodes < nodesBefore) {
                    // The leader deletes empty containers one by one: the trees differ until it has deleted the last
                    // one.
                    end = Math.max(end, System.nanoTime() + ScenarioContext.T.toNanos());
                }
                nodesBefore = complete ? nodes : nodesBefore;
                if (complete && ((equal && clean) || over)) {
                    return answered.stream().map(Leftovers::toEvent).toList();
                }
                if (over) {
                    List<String> names =
                            answered.stream().map(seen -> seen.server.name()).toList();
                    throw new AssertionError("Only %s answered within %s".formatted(names, MAX_WAIT));
                }
                Thread.sleep(BETWEEN_LOOKS_MILLIS);
            }
        } catch (IOException | KeeperException e) {
            throw new AssertionError("Cannot see what is left on the servers", e);
        } finally {
            for (Leftovers each : all) {
                each.session.close();
            }
        }
    }

    /** Begins a look at the server with its counters. */
    private void count() throws InterruptedException {
        CountDownLatch synced = new CountDownLatch(1);
        session.sync(path, (code, asked, context) -> synced.countDown(), null);
        synced.await();
        ephemerals = server.ask("mntr").map(figures -> figure(EPHEMERALS, figures));
        watches = watches();
        seenAt = System.nanoTime();
    }

    /**
     * Reads the tree. Returns false if the server did not report its counters, or has closed all connections because it
     * found another leader.
     */
    private boolean read() throws InterruptedException, KeeperException {
        nodes = 0;
        seats = 0;
        tree.reset();
        try {
            walk();
        } catch (ConnectionLossException e) {
            return false;
        }
        if (ephemerals.orElse(1L) != 0) {
            // The server may have deleted some of the counted seats before the walk reached them.
            seenAt = System.nanoTime();
        }
        if (ephemerals.isEmpty() || watches.isEmpty()) {
            return false;
        }
        cleanSince = isClean() ? cleanSince.or(() -> Optional.of(seenAt)) : Optional.empty();
        return true;
    }

    /**
     * Returns the number of watches on nodes below the path and on folders anywhere; empty if the server does not
     * answer.
     */
    private Optional<Long> watches() {
        return server.ask("wchp")
                .flatMap(watched -> server.ask("mntr")
                        .map(figures -> ofEachWatchBelow(path, watched).size() + watchesOfFolders(watched, figures)));
    }

    /** Child watches appear in the total only, not in the list. Only clients of the scenario set child watches. */
    static long watchesOfFolders(String watched, String figures) {
        return figure(WATCHES, figures) - ofEachWatchBelow("", watched).size();
    }

    private static long figure(String name, String figures) {
        return figures.lines()
                .filter(line -> line.startsWith(name))
                .mapToLong(line -> Long.parseLong(line.substring(name.length()).strip()))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("No " + name + " in " + figures));
    }

    /**
     * Reads the tree level by level, and sends all requests of a level before it waits for the first answer: after
     * thousands of locks, thousands of lock folders remain until the servers delete these containers.
     */
    private void walk() throws InterruptedException, KeeperException {
        List<String> level = List.of(path);
        while (!level.isEmpty()) {
            List<CompletableFuture<Node>> asked =
                    level.stream().map(this::request).toList();
            List<String> below = new ArrayList<>();
            for (CompletableFuture<Node> node : asked) {
                below.addAll(take(node));
            }
            level = below;
        }
    }

    /** Returns whether a node is the marker that a session keeps in the base path. */
    private static boolean isOfASession(String path) {
        return path.substring(path.lastIndexOf('/') + 1).startsWith("_session-");
    }

    private CompletableFuture<Node> request(String node) {
        CompletableFuture<Node> answer = new CompletableFuture<>();
        Children2Callback callback = (code, asked, context, children, stat) -> {
            if (code == Code.OK.intValue()) {
                answer.complete(new Node(node, stat, children));
            } else {
                answer.completeExceptionally(KeeperException.create(Code.get(code), node));
            }
        };
        session.getChildren(node, false, callback, null);
        return answer;
    }

    /** Counts a node, and returns the paths of its children in an order that is the same on all servers. */
    private List<String> take(CompletableFuture<Node> answer) throws InterruptedException, KeeperException {
        try {
            Node node = answer.get();
            tree.update(node.toString().getBytes(StandardCharsets.UTF_8));
            nodes++;
            seats += node.stat().getEphemeralOwner() != 0 && !isOfASession(node.path()) ? 1 : 0;
            return node.children().stream()
                    .sorted()
                    .map(child -> node.path() + "/" + child)
                    .toList();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof NoNodeException) {
                // deleted after its parent was read
                return List.of();
            }
            if (e.getCause() instanceof KeeperException failure) {
                throw failure;
            }
            throw new AssertionError("A request was not answered", e);
        }
    }

    /** Returns the sessions that watch a node below a folder. */
    static Set<String> watchersBelow(String folder, String answer) {
        return Set.copyOf(ofEachWatchBelow(folder, answer));
    }

    /**
     * Returns one session for each watch. In the answer, the sessions that watch a path follow the line of the path.
     */
    static List<String> ofEachWatchBelow(String folder, String answer) {
        List<String> sessions = new ArrayList<>();
        boolean below = false;
        for (String line : answer.lines().toList()) {
            if (line.startsWith("/")) {
                below = line.startsWith(folder + "/") || line.equals(folder);
            } else if (below && !line.isBlank()) {
                sessions.add(line.strip());
            }
        }
        return sessions;
    }

    private boolean hasEphemerals() {
        return ephemerals.orElse(0L) > 0;
    }

    private boolean isWatched() {
        return watches.orElse(0L) > 0;
    }

    private boolean isClean() {
        return seats == 0 && watches.orElseThrow() == 0;
    }

    private String tree() {
        return "%d-nodes-%08x".formatted(nodes, tree.getValue());
    }

    private Event toEvent() {
        String keys = "seats watches tree";
        long at = cleanSince.orElse(seenAt);
        return Event.of(server.name(), at, Kind.LEFT_ON_SERVER, keys, seats, watches.orElseThrow(), tree());
    }

    private record Node(String path, Stat stat, List<String> children) {

        /** Returns the path, and what identifies the transactions that have created and changed the node. */
        @Override
        public String toString() {
            return "%s %d %d %d %d"
                    .formatted(path, stat.getCzxid(), stat.getMzxid(), stat.getEphemeralOwner(), stat.getDataLength());
        }
    }
}
