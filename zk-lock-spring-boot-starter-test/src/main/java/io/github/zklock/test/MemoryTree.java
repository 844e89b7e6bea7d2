package io.github.zklock.test;

import io.github.zklock.zookeeper.internal.transport.Change;
import io.github.zklock.zookeeper.internal.transport.Outcome;
import io.github.zklock.zookeeper.internal.transport.WireSession.Event;
import io.github.zklock.zookeeper.internal.transport.WireSession.Node;
import io.github.zklock.zookeeper.internal.transport.WireSession.Transacted;
import io.github.zklock.zookeeper.internal.transport.WireSession.TreeEvent;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** The nodes of ZooKeeper in memory. Not thread-safe: {@link MemoryServers} serializes its callers. */
final class MemoryTree {

    /** If there are more folders, empty ones are removed, as ZooKeeper removes empty containers. */
    private static final int MOST_FOLDERS = 10_000;

    private static final long NO_SESSION = 0;

    private static final class Folder {
        private final NavigableMap<String, Node> nodes = new TreeMap<>();
        private final Set<String> folders = new TreeSet<>();
        private int sequence;

        boolean isEmpty() {
            return nodes.isEmpty() && folders.isEmpty();
        }
    }

    /** Receives each change of the tree. */
    interface Observer {
        void node(String path, Event event);

        void tree(String path, TreeEvent event);
    }

    private final Observer observer;
    /** The clock of the servers, in milliseconds. */
    private final LongSupplier clock;
    /** In the order of their creation. */
    private final Map<String, Folder> folders = new LinkedHashMap<>();

    private final Map<Long, Set<String>> ephemerals = new HashMap<>();
    private long zxid = 1L << 32;

    MemoryTree(Observer observer, LongSupplier clock) {
        this.observer = observer;
        this.clock = clock;
        folders.put("/", new Folder());
    }

    /** Makes one change. */
    void change(long session, Change change, BiConsumer<Outcome, @Nullable Node> reply) {
        Outcome refusal = new Draft().refusal(change);
        if (refusal != Outcome.OK) {
            reply.accept(refusal, null);
            return;
        }
        zxid++;
        reply.accept(Outcome.OK, apply(session, change));
        collectEmptyFolder();
    }

    /** Makes all changes in one transaction, or none of them. */
    void transact(long session, List<Change> changes, BiConsumer<Outcome, Transacted> reply) {
        Draft draft = new Draft();
        for (int i = 0; i < changes.size(); i++) {
            Outcome refusal = draft.refusal(changes.get(i));
            if (refusal != Outcome.OK) {
                reply.accept(refusal, Transacted.failed(i));
                return;
            }
        }
        zxid++;
        List<Node> seats = new ArrayList<>();
        for (Change change : changes) {
            Node node = apply(session, change);
            if (change instanceof Change.CreateSeat && node != null) {
                seats.add(node);
            }
        }
        reply.accept(Outcome.OK, Transacted.created(seats));
        collectEmptyFolder();
    }

    /** Returns the node that the change creates or writes; null if there is none. */
    private @Nullable Node apply(long session, Change change) {
        if (change instanceof Change.CreateSeat seat) {
            Folder folder = folderOf(seat.path());
            String path = String.format(Locale.ROOT, "%s%010d", seat.path(), folder.sequence++);
            return create(session, path, seat.data());
        } else if (change instanceof Change.CreateEphemeral node) {
            return create(session, node.path(), node.data());
        } else if (change instanceof Change.Create node) {
            return create(NO_SESSION, node.path(), node.data());
        } else if (change instanceof Change.CreateFolder folder) {
            add(folder.path());
        } else if (change instanceof Change.Delete delete) {
            delete(delete.path());
        } else if (change instanceof Change.Write write) {
            return overwrite(write.path(), write.data());
        }
        return null;
    }

    /** The tree as the earlier changes of the same transaction leave it. */
    private final class Draft {
        private final Set<String> newFolders = new HashSet<>();
        private final Set<String> newNodes = new HashSet<>();
        private final Set<String> deleted = new HashSet<>();

        Outcome refusal(Change change) {
            String path = change.path();
            if (change instanceof Change.CreateSeat) {
                return hasFolder(parentOf(path)) ? Outcome.OK : Outcome.NO_NODE;
            }
            boolean there = hasFolder(path) || newNodes.contains(path) || (!deleted.contains(path) && exists(path));
            if (change instanceof Change.CreateEphemeral
                    || change instanceof Change.Create
                    || change instanceof Change.CreateFolder) {
                if (there) {
                    return Outcome.NODE_EXISTS;
                }
                boolean possible = hasFolder(parentOf(path));
                (change instanceof Change.CreateFolder ? newFolders : newNodes).add(path);
                return possible ? Outcome.OK : Outcome.NO_NODE;
            }
            if (there && !newNodes.contains(path) && !hasVersion(change)) {
                return Outcome.REFUSED;
            }
            if (change instanceof Change.Delete) {
                Folder folder = folders.get(path);
                if (folder != null && !folder.isEmpty()) {
                    return Outcome.REFUSED;
                }
                newFolders.remove(path);
                newNodes.remove(path);
                deleted.add(path);
            }
            return there ? Outcome.OK : Outcome.NO_NODE;
        }

        private boolean hasFolder(String path) {
            return newFolders.contains(path) || (!deleted.contains(path) && folders.containsKey(path));
        }
    }

    /** Returns whether the node has the version that the change names. */
    private boolean hasVersion(Change change) {
        int named = change instanceof Change.Write write
                ? write.version()
                : change instanceof Change.Delete delete ? delete.version() : Change.ANY_VERSION;
        return named == Change.ANY_VERSION
                || read(change.path()).filter(node -> node.version() == named).isPresent();
    }

    private Node create(long session, String path, byte[] data) {
        Node node = new Node(path, zxid, session, data, clock.getAsLong());
        folderOf(path).nodes.put(nameOf(path), node);
        if (session != NO_SESSION) {
            ephemerals.computeIfAbsent(session, absent -> new HashSet<>()).add(path);
        }
        observer.tree(path, TreeEvent.CREATED);
        return node;
    }

    private @Nullable Node overwrite(String path, byte[] data) {
        Node before = read(path).orElse(null);
        if (before == null) {
            return null;
        }
        Node after = new Node(
                path,
                before.czxid(),
                before.owner(),
                data,
                before.createdMillis(),
                before.version() + 1,
                clock.getAsLong());
        if (!hasFolder(path)) {
            folderOf(path).nodes.put(nameOf(path), after);
            observer.node(path, Event.DATA_CHANGED);
        }
        return after;
    }

    void delete(String path) {
        Folder parent = folders.get(parentOf(path));
        if (parent == null) {
            return;
        }
        Node node = parent.nodes.remove(nameOf(path));
        if (node != null) {
            ephemerals.getOrDefault(node.owner(), new HashSet<>()).remove(path);
        } else if (parent.folders.remove(nameOf(path))) {
            folders.remove(path);
        } else {
            return;
        }
        observer.tree(path, TreeEvent.DELETED);
        observer.node(path, Event.NODE_DELETED);
    }

    /** Deletes the nodes of a session that has ended. */
    void deleteEphemerals(long session) {
        zxid++;
        Set<String> left = ephemerals.remove(session);
        if (left != null) {
            List.copyOf(left).forEach(this::delete);
        }
    }

    /** Creates a folder and the folders above it. */
    void makeFolder(String path) {
        if (!folders.containsKey(path)) {
            makeFolder(parentOf(path));
            add(path);
            collectEmptyFolder();
        }
    }

    private void add(String path) {
        folderOf(path).folders.add(nameOf(path));
        folders.put(path, new Folder());
        observer.tree(path, TreeEvent.CREATED);
    }

    /**
     * Removes the oldest empty folder if there are many folders. Keeps the newest one, whose first node is about to be
     * created.
     */
    private void collectEmptyFolder() {
        if (folders.size() > MOST_FOLDERS) {
            folders.entrySet().stream()
                    .limit(folders.size() - 1L)
                    .filter(each -> each.getValue().isEmpty())
                    .map(Map.Entry::getKey)
                    .findFirst()
                    .ifPresent(this::delete);
        }
    }

    boolean exists(String path) {
        return folders.containsKey(path) || read(path).isPresent();
    }

    /** Returns the names of the nodes and folders in a folder; empty if the folder does not exist. */
    Optional<List<String>> children(String path) {
        return Optional.ofNullable(folders.get(path)).map(folder -> {
            List<String> names = new ArrayList<>(folder.nodes.keySet());
            names.addAll(folder.folders);
            return names;
        });
    }

    Optional<Node> read(String path) {
        Folder folder = folders.get(path);
        if (folder != null) {
            return Optional.of(new Node(path, 1, 0, new byte[0], 0));
        }
        return Optional.ofNullable(folders.get(parentOf(path))).map(parent -> parent.nodes.get(nameOf(path)));
    }

    boolean hasFolder(String path) {
        return folders.containsKey(path);
    }

    /** Returns the paths of a session's nodes below a folder. */
    List<String> ephemerals(long session, String folder) {
        return ephemerals.getOrDefault(session, Set.of()).stream()
                .filter(path -> isBelow(path, folder))
                .sorted()
                .toList();
    }

    static boolean isBelow(String path, String folder) {
        return path.startsWith(folder.equals("/") ? "/" : folder + "/");
    }

    private Folder folderOf(String path) {
        Folder folder = folders.get(parentOf(path));
        if (folder == null) {
            throw new IllegalStateException("No folder for " + path);
        }
        return folder;
    }

    private static String parentOf(String path) {
        int slash = path.lastIndexOf('/');
        return slash <= 0 ? "/" : path.substring(0, slash);
    }

    private static String nameOf(String path) {
        return path.substring(path.lastIndexOf('/') + 1);
    }
}
