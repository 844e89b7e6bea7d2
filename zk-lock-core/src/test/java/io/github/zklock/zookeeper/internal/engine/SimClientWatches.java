package io.github.zklock.zookeeper.internal.engine;

import io.github.zklock.zookeeper.internal.engine.SimWatches.News;
import io.github.zklock.zookeeper.internal.transport.WireSession.Event;
import io.github.zklock.zookeeper.internal.transport.WireSession.TreeEvent;
import io.github.zklock.zookeeper.internal.transport.WireSession.TreeWatch;
import io.github.zklock.zookeeper.internal.transport.WireSession.Watch;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The watches that one client believes to have, to be told, and to be set again on the next connection. */
final class SimClientWatches {

    private final Map<String, Set<Watch>> nodes = new LinkedHashMap<>();
    private final Map<String, Set<TreeWatch>> trees = new LinkedHashMap<>();

    void add(String path, Watch watch) {
        nodes.computeIfAbsent(path, absent -> new LinkedHashSet<>(2)).add(watch);
    }

    void remove(String path, Watch watch) {
        Set<Watch> there = nodes.get(path);
        if (there != null && there.remove(watch) && there.isEmpty()) {
            nodes.remove(path);
        }
    }

    void removeAll(String path) {
        nodes.remove(path);
    }

    void addTree(String path, TreeWatch watch) {
        trees.computeIfAbsent(path, absent -> new LinkedHashSet<>(1)).add(watch);
    }

    void removeTree(String path) {
        trees.remove(path);
    }

    /** Tells those whom it concerns: those who watch a node once, those who watch a tree each time. */
    void tell(String path, News news) {
        switch (news) {
            case DELETED -> tellNode(path, Event.NODE_DELETED);
            case REWRITTEN -> tellNode(path, Event.DATA_CHANGED);
            case TREE_CREATED -> tellTrees(path, TreeEvent.CREATED);
            case TREE_DELETED -> tellTrees(path, TreeEvent.DELETED);
        }
    }

    /** The connection was lost. ZKWatchManager.materialize, None: all watchers are told, these among them. */
    void tellOfLoss() {
        List.copyOf(trees.values())
                .forEach(watches -> List.copyOf(watches).forEach(watch -> watch.happened(TreeEvent.MISSED, "")));
    }

    /** The connection has changed, which uses the watches up: zookeeper.disableAutoWatchReset. Their owners take no notice. */
    void forgetAll() {
        nodes.clear();
        trees.clear();
    }

    Optional<SimRequest> restoreRequest(long seenZxid) {
        if (nodes.isEmpty() && trees.isEmpty()) {
            return Optional.empty();
        }
        SimRequest request = SimRequest.silent(SimRequest.Kind.SET_WATCHES, "");
        request.seenZxid = seenZxid;
        request.paths = List.copyOf(nodes.keySet());
        request.trees = List.copyOf(trees.keySet());
        return Optional.of(request);
    }

    private void tellNode(String path, Event event) {
        Set<Watch> there = nodes.remove(path);
        if (there != null) {
            there.forEach(watch -> watch.happened(event));
        }
    }

    private void tellTrees(String path, TreeEvent event) {
        for (int end = path.length(); end > 0; end = path.lastIndexOf('/', end - 1)) {
            List.copyOf(trees.getOrDefault(path.substring(0, end), Set.of()))
                    .forEach(watch -> watch.happened(event, path));
        }
    }
}
