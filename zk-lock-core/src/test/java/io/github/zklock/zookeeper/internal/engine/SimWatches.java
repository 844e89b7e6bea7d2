package io.github.zklock.zookeeper.internal.engine;

import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The watches that one server keeps: of nodes, and of nodes with all that is below them, one for each connection and path. */
final class SimWatches {

    /** What a server tells a client about a path. */
    enum News {
        DELETED,
        REWRITTEN,
        TREE_CREATED,
        TREE_DELETED
    }

    private final Map<String, Set<SimConnection>> nodes = new HashMap<>();
    private final Map<String, Set<SimConnection>> trees = new HashMap<>();

    void add(String path, SimConnection connection) {
        nodes.computeIfAbsent(path, absent -> new LinkedHashSet<>(2)).add(connection);
    }

    void remove(String path, SimConnection connection) {
        removeFrom(nodes, path, connection);
    }

    void addTree(String path, SimConnection connection) {
        trees.computeIfAbsent(path, absent -> new LinkedHashSet<>(2)).add(connection);
    }

    void removeTree(String path, SimConnection connection) {
        removeFrom(trees, path, connection);
    }

    void removeAll(SimConnection connection) {
        nodes.values().removeIf(watchers -> watchers.remove(connection) && watchers.isEmpty());
        trees.values().removeIf(watchers -> watchers.remove(connection) && watchers.isEmpty());
    }

    /** Watches whose clients would have had them removed. */
    List<String> left() {
        return Stream.of(nodes, trees)
                .flatMap(watches -> watches.entrySet().stream())
                .filter(each -> each.getValue().stream().anyMatch(connection -> !connection.client.isShared()))
                .map(Map.Entry::getKey)
                .toList();
    }

    void changed(SimTxn.Change change) {
        String path = change.path();
        if (change instanceof SimTxn.Change.Rewritten) {
            tell(nodes.remove(path), path, News.REWRITTEN);
        } else if (change instanceof SimTxn.Change.Created) {
            tellTrees(path, News.TREE_CREATED);
        } else if (change instanceof SimTxn.Change.Deleted) {
            tell(nodes.remove(path), path, News.DELETED);
            tellTrees(path, News.TREE_DELETED);
        }
    }

    private void tellTrees(String path, News news) {
        if (!trees.isEmpty()) {
            for (int end = path.length(); end > 0; end = path.lastIndexOf('/', end - 1)) {
                tell(trees.get(path.substring(0, end)), path, news);
            }
        }
    }

    private static void tell(@Nullable Set<SimConnection> watchers, String path, News news) {
        if (watchers != null) {
            for (SimConnection each : watchers) {
                each.toClient.send(() -> each.client.watchFired(each, path, news));
            }
        }
    }

    private static void removeFrom(Map<String, Set<SimConnection>> watches, String path, SimConnection connection) {
        Set<SimConnection> watchers = watches.get(path);
        if (watchers != null && watchers.remove(connection) && watchers.isEmpty()) {
            watches.remove(path);
        }
    }
}
