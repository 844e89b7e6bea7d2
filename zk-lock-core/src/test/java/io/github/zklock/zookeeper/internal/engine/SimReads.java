package io.github.zklock.zookeeper.internal.engine;

import io.github.zklock.zookeeper.internal.engine.SimTree.Entry;
import io.github.zklock.zookeeper.internal.engine.SimWatches.News;
import io.github.zklock.zookeeper.internal.transport.Outcome;
import io.github.zklock.zookeeper.internal.transport.WireSession.Listing;
import io.github.zklock.zookeeper.internal.transport.WireSession.Node;
import java.util.List;

/** What a server does alone, from its own copy of the tree. */
final class SimReads {

    private SimReads() {}

    static void carryOut(SimRequest request, SimConnection connection, SimTree tree, SimWatches watches) {
        switch (request.kind) {
            case LIST -> {
                Entry folder = found(request, connection, tree, watches);
                if (folder != null) {
                    request.done(Outcome.OK, List.copyOf(folder.children));
                }
            }
            case LIST_ALL ->
                request.done(
                        Outcome.OK,
                        request.paths.stream().map(path -> listing(tree, path)).toList());
            case EXIST ->
                request.done(
                        Outcome.OK,
                        request.paths.stream()
                                .map(path -> tree.entry(path) != null)
                                .toList());
            case READ -> {
                Entry entry = found(request, connection, tree, watches);
                if (entry != null) {
                    request.done(
                            Outcome.OK,
                            new Node(entry.path, entry.czxid, entry.owner, entry.data, entry.createdMillis));
                }
            }
            case REMOVE_WATCH -> {
                if (!request.onlyHere) {
                    watches.remove(request.path, connection);
                }
                request.done(Outcome.OK, null);
            }
            case WATCH_TREE -> {
                // also of a node that is not there
                watches.addTree(request.path, connection);
                request.done(Outcome.OK, null);
            }
            case REMOVE_TREE -> {
                watches.removeTree(request.path, connection);
                request.done(Outcome.OK, null);
            }
            case SET_WATCHES -> {
                request.paths.forEach(path -> restore(path, request.seenZxid, connection, tree, watches));
                // of what happened meanwhile nothing is told: DataTree.setWatches
                request.trees.forEach(path -> watches.addTree(path, connection));
                request.done(Outcome.OK, null);
            }
            case EPHEMERALS -> request.done(Outcome.OK, tree.ephemerals(connection.session, request.path));
            case PING -> request.done(Outcome.OK, null);
            default -> throw new IllegalStateException("No read: " + request.kind);
        }
    }

    private static Listing listing(SimTree tree, String path) {
        Entry folder = tree.entry(path);
        return folder == null
                ? new Listing(Outcome.NO_NODE, null)
                : new Listing(Outcome.OK, List.copyOf(folder.children));
    }

    private static Entry found(SimRequest request, SimConnection connection, SimTree tree, SimWatches watches) {
        Entry entry = tree.entry(request.path);
        if (entry == null) {
            request.done(Outcome.NO_NODE, null);
        } else if (request.watch != null) {
            watches.add(request.path, connection);
        }
        return entry;
    }

    /** A client that was away watches again, unless what it waits for has happened meanwhile. */
    private static void restore(String path, long seen, SimConnection connection, SimTree tree, SimWatches watches) {
        Entry entry = tree.entry(path);
        if (entry == null) {
            tell(connection, path, News.DELETED);
        } else if (entry.mzxid > seen) {
            tell(connection, path, News.REWRITTEN);
        } else {
            watches.add(path, connection);
        }
    }

    private static void tell(SimConnection connection, String path, News news) {
        connection.toClient.send(() -> connection.client.watchFired(connection, path, news));
    }
}
