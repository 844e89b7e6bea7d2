package io.github.zklock.zookeeper;

import io.github.zklock.zookeeper.SimWatches.News;
import io.github.zklock.zookeeper.internal.transport.WireSession.Event;
import io.github.zklock.zookeeper.internal.transport.WireSession.Watch;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The watches that one client believes to have, to be told, and to be set again on the next connection. */
final class SimClientWatches {

    private final Map<String, Set<Watch>> nodes = new LinkedHashMap<>();
    private final Map<String, Set<Watch>> folders = new LinkedHashMap<>();

    void add(String path, boolean children, Watch watch) {
        (children ? folders : nodes)
                .computeIfAbsent(path, absent -> new LinkedHashSet<>(2))
                .add(watch);
    }

    void remove(String path, boolean children, Watch watch) {
        Map<String, Set<Watch>> watches = children ? folders : nodes;
        Set<Watch> there = watches.get(path);
        if (there != null && there.remove(watch) && there.isEmpty()) {
            watches.remove(path);
        }
    }

    void removeAll(String path, boolean children) {
        (children ? folders : nodes).remove(path);
    }

    /** Tells those whom it concerns, once. */
    void tell(String path, News news) {
        Event event = switch (news) {
            case DELETED -> Event.NODE_DELETED;
            case CHILDREN -> Event.CHILDREN_CHANGED;
            case REWRITTEN -> Event.DATA_CHANGED;
        };
        taken(path, news).forEach(watch -> watch.happened(event));
    }

    /** The connection has changed, which uses the watches up: zookeeper.disableAutoWatchReset. Their owners take no notice. */
    void forgetAll() {
        nodes.clear();
        folders.clear();
    }

    private List<Watch> taken(String path, News news) {
        List<Watch> told = new ArrayList<>(2);
        if (news != News.CHILDREN) {
            take(nodes, path, told);
        }
        if (news != News.REWRITTEN) {
            take(folders, path, told);
        }
        return told;
    }

    Optional<SimRequest> restoreRequest(long seenZxid) {
        if (nodes.isEmpty() && folders.isEmpty()) {
            return Optional.empty();
        }
        SimRequest request = SimRequest.silent(SimRequest.Kind.SET_WATCHES, "");
        request.seenZxid = seenZxid;
        request.paths = List.copyOf(nodes.keySet());
        request.folders = List.copyOf(folders.keySet());
        return Optional.of(request);
    }

    private static void take(Map<String, Set<Watch>> watches, String path, List<Watch> told) {
        Set<Watch> there = watches.remove(path);
        if (there != null) {
            told.addAll(there);
        }
    }
}
