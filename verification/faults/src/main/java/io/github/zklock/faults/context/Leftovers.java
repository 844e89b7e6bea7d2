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
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.Supplier;
import java.util.zip.CRC32;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.KeeperException.ConnectionLossException;
import org.apache.zookeeper.KeeperException.NoNodeException;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;

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
    private OptionalLong ephemerals = OptionalLong.empty();
    private OptionalLong watches = OptionalLong.empty();
    /** An instant at which the server had no more than this. */
    private long seenAt;
    /** The first instant since which nothing was left; empty if something is. */
    private OptionalLong cleanSince = OptionalLong.empty();

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
                    all.stream().filter(Leftovers::isWatched).forEach(seen -> seen.cleanSince = OptionalLong.empty());
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
        CompletableFuture<Integer> synced = new CompletableFuture<>();
        session.sync(path, (code, asked, context) -> synced.complete(code), null);
        try {
            synced.get();
        } catch (ExecutionException e) {
            throw new AssertionError("A sync was not answered", e);
        }
        ephemerals = ephemerals(server);
        watches = watches(server, path);
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
        if (ephemerals.orElse(1) != 0) {
            // The server may have deleted some of the counted seats before the walk reached them.
            seenAt = System.nanoTime();
        }
        if (ephemerals.isEmpty() || watches.isEmpty()) {
            return false;
        }
        cleanSince = !isClean() ? OptionalLong.empty() : cleanSince.isPresent() ? cleanSince : OptionalLong.of(seenAt);
        return true;
    }

    private static OptionalLong ephemerals(ServerProcess server) {
        return server.ask("mntr")
                .map(figures -> OptionalLong.of(figure(EPHEMERALS, figures)))
                .orElse(OptionalLong.empty());
    }

    /**
     * Returns the number of watches of a server on nodes below the path and on folders anywhere; empty if the server
     * does not answer.
     */
    private static OptionalLong watches(ServerProcess server, String path) {
        Optional<String> watched = server.ask("wchp");
        Optional<String> figures = server.ask("mntr");
        return watched.isPresent() && figures.isPresent()
                ? OptionalLong.of(
                        ofEachWatchBelow(path, watched.get()).size() + watchesOfFolders(watched.get(), figures.get()))
                : OptionalLong.empty();
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
            List<Node> asked =
                    level.stream().map(node -> Node.request(session, node)).toList();
            List<String> below = new ArrayList<>();
            for (Node node : asked) {
                below.addAll(take(node));
            }
            level = below;
        }
    }

    /** Returns whether a node is the marker that a session keeps in the base path. */
    private static boolean isOfASession(String path) {
        return path.substring(path.lastIndexOf('/') + 1).startsWith("_session-");
    }

    /** Counts a node, and returns the paths of its children in an order that is the same on all servers. */
    private List<String> take(Node node) throws InterruptedException, KeeperException {
        try {
            Node.Content content = answer(node.content());
            tree.update(content.description().getBytes(StandardCharsets.UTF_8));
            nodes++;
            seats += content.ephemeral() && !isOfASession(node.path()) ? 1 : 0;
            return answer(node.children()).stream()
                    .sorted()
                    .map(child -> node.path() + "/" + child)
                    .toList();
        } catch (NoNodeException e) {
            // deleted between the two requests
            return List.of();
        }
    }

    private static <T> T answer(CompletableFuture<T> future) throws InterruptedException, KeeperException {
        try {
            return future.get();
        } catch (ExecutionException e) {
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
        return ephemerals.orElse(0) > 0;
    }

    private boolean isWatched() {
        return watches.orElse(0) > 0;
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

    /** Two requests that were sent, and their future answers. */
    private record Node(String path, CompletableFuture<Content> content, CompletableFuture<List<String>> children) {

        /** @param description path, transactions, owner and data of the node, one character for each byte */
        private record Content(boolean ephemeral, String description) {

            static Content of(String path, Stat stat, byte @Nullable [] bytes) {
                return new Content(
                        stat.getEphemeralOwner() != 0,
                        "%s %d %d %d %s"
                                .formatted(
                                        path,
                                        stat.getCzxid(),
                                        stat.getMzxid(),
                                        stat.getEphemeralOwner(),
                                        bytes == null ? "" : new String(bytes, StandardCharsets.ISO_8859_1)));
            }
        }

        static Node request(ZooKeeper session, String path) {
            CompletableFuture<Content> content = new CompletableFuture<>();
            CompletableFuture<List<String>> children = new CompletableFuture<>();
            session.getData(
                    path,
                    false,
                    (code, asked, context, bytes, stat) ->
                            complete(content, code, path, () -> Content.of(path, stat, bytes)),
                    null);
            session.getChildren(
                    path,
                    false,
                    (int code, String asked, Object context, List<String> names) ->
                            complete(children, code, path, () -> names),
                    null);
            return new Node(path, content, children);
        }

        private static <T> void complete(CompletableFuture<T> future, int code, String path, Supplier<T> answer) {
            if (code == Code.OK.intValue()) {
                future.complete(answer.get());
            } else {
                future.completeExceptionally(KeeperException.create(Code.get(code), path));
            }
        }
    }
}
