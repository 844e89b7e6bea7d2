package io.github.zklock.zookeeper;

import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/** The watches that one server keeps: of nodes and of folders' children, one for each connection and path. */
final class SimWatches {

    /** What a server tells a client about a path. */
    enum News {
        DELETED,
        REWRITTEN,
        CHILDREN
    }

    private final Map<String, Set<SimConnection>> nodes = new HashMap<>();
    private final Map<String, Set<SimConnection>> folders = new HashMap<>();

    void add(String path, boolean children, SimConnection connection) {
        (children ? folders : nodes)
                .computeIfAbsent(path, absent -> new LinkedHashSet<>(2))
                .add(connection);
    }

    void remove(String path, boolean children, SimConnection connection) {
        Map<String, Set<SimConnection>> watches = children ? folders : nodes;
        Set<SimConnection> watchers = watches.get(path);
        if (watchers != null && watchers.remove(connection) && watchers.isEmpty()) {
            watches.remove(path);
        }
    }

    void removeAll(SimConnection connection) {
        removeFrom(nodes, connection);
        removeFrom(folders, connection);
    }

    /** Watches whose clients would have had them removed. */
    List<String> left() {
        return Stream.of(nodes, folders)
                .flatMap(watches -> watches.entrySet().stream())
                .filter(each -> each.getValue().stream().anyMatch(connection -> !connection.client.isShared()))
                .map(Map.Entry::getKey)
                .toList();
    }

    void changed(SimTxn.Change change) {
        if (change instanceof SimTxn.Change.Counted || (nodes.isEmpty() && folders.isEmpty())) {
            return;
        }
        if (change instanceof SimTxn.Change.Rewritten) {
            tell(nodes.remove(change.path()), change.path(), News.REWRITTEN);
        } else {
            if (change instanceof SimTxn.Change.Deleted) {
                Set<SimConnection> watchers = nodes.remove(change.path());
                Set<SimConnection> folderWatchers = folders.remove(change.path());
                tell(watchers, change.path(), News.DELETED);
                if (folderWatchers != null && watchers != null) {
                    folderWatchers.removeAll(watchers);
                }
                tell(folderWatchers, change.path(), News.DELETED);
            }
            String parent = SimTree.parentOf(change.path());
            tell(folders.remove(parent), parent, News.CHILDREN);
        }
    }

    private static void tell(Set<SimConnection> watchers, String path, News news) {
        if (watchers != null) {
            for (SimConnection each : watchers) {
                each.toClient.send(() -> each.client.watchFired(each, path, news));
            }
        }
    }

    private static void removeFrom(Map<String, Set<SimConnection>> watches, SimConnection connection) {
        watches.values().removeIf(watchers -> watchers.remove(connection) && watchers.isEmpty());
    }
}
