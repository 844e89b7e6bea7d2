package io.github.zklock.zookeeper.internal.transport;

import io.github.zklock.zookeeper.internal.runtime.EngineLog;
import io.github.zklock.zookeeper.internal.runtime.EngineRun;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.apache.zookeeper.AddWatchMode;
import org.apache.zookeeper.AsyncCallback.VoidCallback;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.OpResult;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.Watcher.Event.EventType;
import org.apache.zookeeper.Watcher.Event.KeeperState;
import org.apache.zookeeper.Watcher.WatcherType;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/** One ZooKeeper handle as a wire session: asynchronous calls, answers on the loop. */
public final class CuratorSession implements WireSession {

    private static final Logger LOG = EngineLog.of(CuratorSession.class);
    private static final WatchedTrees WATCHED_TREES = new WatchedTrees();
    /** The bytes of seats on each handle. Thread-safe, because each registry has a loop of its own. */
    private static final Map<ZooKeeper, AtomicLong> SEAT_BYTES = Collections.synchronizedMap(new WeakHashMap<>());

    private static final byte[] NOTHING = new byte[0];

    private final ObservedZooKeeper handle;
    private final UnaryOperator<String> fullPath;
    private final Function<String, List<ACL>> acls;
    private final EngineRun run;
    private final long id;
    /** The length of the prefix that the client's namespace adds to each path. */
    private final int namespaceLength;

    private final int prefixBytes;
    /** The access list that was measured last: most nodes have the same. */
    private @Nullable List<ACL> measured;

    private int measuredBytes;

    private final boolean shared;
    /** Whether the end of the registry's client, which need not be the handle's, has begun. */
    private final BooleanSupplier clientIsClosed;

    private final Executor clientThread;
    /** Owned by the loop, as the next map is. */
    private final Map<Watch, LoopWatcher> watchers = new HashMap<>();
    /** The number of watchers of each node. */
    private final Map<Watched, Integer> watched = new HashMap<>();

    /** Owned by the loop. */
    private final Map<TreeWatch, LoopTreeWatcher> trees = new HashMap<>();

    private volatile boolean ended;

    /**
     * @param handle a connected handle
     * @param acls returns the access list of a full path
     * @param shared whether the handle belongs to other code, which may set watches on it
     * @param clientIsClosed returns whether the client of the registry is closed; any thread calls it
     * @param clientThread runs what may block
     */
    public CuratorSession(
            ObservedZooKeeper handle,
            UnaryOperator<String> fullPath,
            Function<String, List<ACL>> acls,
            EngineRun run,
            boolean shared,
            BooleanSupplier clientIsClosed,
            Executor clientThread) {
        this.clientThread = clientThread;
        this.shared = shared;
        this.clientIsClosed = clientIsClosed;
        this.handle = handle;
        this.fullPath = fullPath;
        this.acls = acls;
        this.run = run;
        this.id = handle.getSessionId();
        String sample = fullPath.apply("/x");
        this.namespaceLength = sample.length() - 2;
        this.prefixBytes = (handle.root() + sample).getBytes(StandardCharsets.UTF_8).length - 2;
    }

    @Override
    public boolean isShared() {
        return shared;
    }

    /** Records that the handle is about to be closed. */
    public void markEnded() {
        ended = true;
    }

    @Override
    public long id() {
        return id;
    }

    @Override
    public long currentId() {
        return handle.getSessionId();
    }

    @Override
    public int accessBytes(String path) {
        List<ACL> list;
        try {
            list = acls.apply(fullPath.apply(path));
        } catch (IllegalStateException forgotten) {
            // the request fails when it is sent
            return 0;
        }
        if (list != measured) {
            measured = list;
            measuredBytes = AccessLists.bytesOf(list);
        }
        return measuredBytes;
    }

    @Override
    public int prefixBytes() {
        return prefixBytes;
    }

    @Override
    public AtomicLong seatBytes() {
        return SEAT_BYTES.computeIfAbsent(handle, absent -> new AtomicLong());
    }

    @Override
    public Connection connection() {
        return handle.connection();
    }

    @Override
    public Liveness liveness() {
        if (ended || clientIsClosed.getAsBoolean()) {
            return Liveness.ENDED;
        }
        return switch (handle.getState()) {
            case CONNECTED -> Liveness.CONNECTED;
            case CLOSED -> Liveness.ENDED;
            case AUTH_FAILED -> Liveness.DENIED;
            // a read-only server is cut off from the majority and counts as no connection (M20)
            case CONNECTEDREADONLY, CONNECTING, ASSOCIATING, NOT_CONNECTED -> Liveness.DISCONNECTED;
        };
    }

    @Override
    public void change(Change change, Reply<Node> reply) {
        String full = fullPath.apply(change.path());
        if (change instanceof Change.CreateSeat seat) {
            handle.create(
                    full,
                    seat.data(),
                    acls.apply(full),
                    CreateMode.EPHEMERAL_SEQUENTIAL,
                    (rc, asked, context, name, stat) -> answer(reply, rc, nodeOf(seat, name, stat)),
                    null);
        } else if (change instanceof Change.CreateEphemeral node) {
            create(full, node, node.data(), CreateMode.EPHEMERAL, reply);
        } else if (change instanceof Change.Create node) {
            create(full, node, node.data(), CreateMode.PERSISTENT, reply);
        } else if (change instanceof Change.CreateFolder) {
            makeContainer(full, (outcome, none) -> reply.answered(outcome, null));
        } else if (change instanceof Change.Delete delete) {
            handle.delete(full, delete.version(), (rc, asked, context) -> answer(reply, rc, null), null);
        } else if (change instanceof Change.Write write) {
            handle.setData(
                    full,
                    write.data(),
                    write.version(),
                    (rc, asked, context, stat) -> answer(reply, rc, nodeOf(write.path(), write.data(), stat)),
                    null);
        } else if (change instanceof Change.Check) {
            transact(List.of(change), (outcome, none) -> reply.answered(outcome, null));
        }
    }

    private void create(String full, Change change, byte[] data, CreateMode mode, Reply<Node> reply) {
        handle.create(
                full,
                data,
                acls.apply(full),
                mode,
                (rc, asked, context, name, stat) -> answer(reply, rc, nodeOf(change.path(), data, stat)),
                null);
    }

    /*
     * A create in a transaction is sent as Op.create with a mode, not with CreateOptions. Servers before 3.7.2 and 3.8.2
     * cannot execute create2 in a committed transaction (DataTree.processTxn), so the data of a mixed ensemble would
     * diverge. Therefore the answer has no Stat, and the number of the transaction comes from a node that is written in
     * it.
     */
    @Override
    public void transact(List<Change> changes, Reply<Transacted> reply) {
        handle.multi(
                changes.stream().map(this::operation).toList(),
                (rc, asked, context, results) -> {
                    Outcome outcome = outcomeOf(rc);
                    run.execute(() -> reply.answered(
                            outcome,
                            outcome == Outcome.OK
                                    ? Transacted.created(seats(changes, results))
                                    : outcome.isUnknown() ? null : Transacted.failed(firstFailed(results))));
                },
                null);
    }

    private Op operation(Change change) {
        String full = fullPath.apply(change.path());
        if (change instanceof Change.CreateSeat seat) {
            return Op.create(full, seat.data(), acls.apply(full), CreateMode.EPHEMERAL_SEQUENTIAL);
        } else if (change instanceof Change.CreateEphemeral node) {
            return Op.create(full, node.data(), acls.apply(full), CreateMode.EPHEMERAL);
        } else if (change instanceof Change.Create node) {
            return Op.create(full, node.data(), acls.apply(full), CreateMode.PERSISTENT);
        } else if (change instanceof Change.CreateFolder) {
            return Op.create(full, NOTHING, acls.apply(full), CreateMode.CONTAINER);
        } else if (change instanceof Change.Delete delete) {
            return Op.delete(full, delete.version());
        } else if (change instanceof Change.Write write) {
            return Op.setData(full, write.data(), write.version());
        } else {
            return Op.check(full, Change.ANY_VERSION);
        }
    }

    private List<Node> seats(List<Change> changes, List<OpResult> results) {
        Stat written = results.stream()
                .flatMap(result ->
                        result instanceof OpResult.SetDataResult set ? Stream.of(set.getStat()) : Stream.empty())
                .findFirst()
                .orElse(null);
        List<Node> seats = new ArrayList<>();
        for (int i = 0; i < results.size(); i++) {
            if (changes.get(i) instanceof Change.CreateSeat seat
                    && results.get(i) instanceof OpResult.CreateResult created) {
                if (written == null) {
                    throw new IllegalArgumentException(
                            "A transaction that creates seats has to write a node: " + changes);
                }
                seats.add(node(seat, created.getPath(), written.getMzxid(), id, written.getMtime()));
            }
        }
        return seats;
    }

    private static Node node(Change.CreateSeat seat, String name, long zxid, long owner, long millis) {
        return new Node(parentOf(seat.path()) + name.substring(name.lastIndexOf('/')), zxid, owner, NOTHING, millis);
    }

    @Override
    public void makeFolder(String path, Reply<Void> reply) {
        // from the root of the tree: the folder of the namespace is a container, too, and may have been deleted
        String full = fullPath.apply(path);
        for (int slash = full.indexOf('/', 1); slash > 0; slash = full.indexOf('/', slash + 1)) {
            makeContainer(full.substring(0, slash), (outcome, none) -> {});
        }
        makeContainer(
                full, (outcome, none) -> reply.answered(outcome == Outcome.NODE_EXISTS ? Outcome.OK : outcome, null));
    }

    @Override
    public void list(String folder, Reply<List<String>> reply) {
        handle.getChildren(
                fullPath.apply(folder), false, (rc, asked, context, children) -> answer(reply, rc, children), null);
    }

    @Override
    public void listAll(List<String> folders, Reply<List<Listing>> reply) {
        readAll(folders.stream().map(fullPath).map(Op::getChildren).toList(), CuratorSession::listing, reply);
    }

    @Override
    public void exist(List<String> paths, Reply<List<Boolean>> reply) {
        readAll(paths.stream().map(fullPath).map(Op::getData).toList(), CuratorSession::exists, reply);
    }

    private <T> void readAll(List<Op> reads, Function<OpResult, T> value, Reply<List<T>> reply) {
        handle.multi(
                reads,
                (rc, asked, context, results) -> {
                    // if one read fails, the client reports all of them as failed (ClientCnxn.EventThread.processEvent)
                    boolean answered = results != null && results.size() == reads.size();
                    Outcome outcome = answered ? Outcome.OK : outcomeOf(rc);
                    run.execute(() -> reply.answered(
                            outcome, answered ? results.stream().map(value).toList() : null));
                },
                null);
    }

    private static Listing listing(OpResult result) {
        return result instanceof OpResult.GetChildrenResult listed
                ? new Listing(Outcome.OK, listed.getChildren())
                : new Listing(outcomeOf(((OpResult.ErrorResult) result).getErr()), null);
    }

    /** A node that this client may not read exists. */
    private static boolean exists(OpResult result) {
        return !(result instanceof OpResult.ErrorResult error && error.getErr() == Code.NONODE.intValue());
    }

    @Override
    public void read(String path, Reply<Node> reply) {
        handle.getData(
                fullPath.apply(path),
                false,
                (rc, asked, context, data, stat) -> answer(reply, rc, nodeOf(path, data, stat)),
                null);
    }

    @Override
    public void readWatching(String path, Watch watch, Reply<Node> reply) {
        Reply<Node> forgettingUnset = (outcome, node) -> {
            if (outcome == Outcome.NO_NODE) {
                forget(watch);
            }
            reply.answered(outcome, node);
        };
        handle.getData(
                fullPath.apply(path),
                watcher(watch, path),
                (rc, asked, context, data, stat) -> answer(forgettingUnset, rc, nodeOf(path, data, stat)),
                null);
    }

    @Override
    public void watchTree(String folder, TreeWatch watch, Reply<Void> reply) {
        String path = fullPath.apply(folder);
        LoopTreeWatcher watcher = trees.computeIfAbsent(watch, absent -> {
            WATCHED_TREES.count(handle, path, 1);
            return new LoopTreeWatcher(watch, path);
        });
        handle.addWatch(
                path,
                watcher,
                AddWatchMode.PERSISTENT_RECURSIVE,
                (rc, asked, context) -> answer(reply, rc, null),
                null);
    }

    /*
     * Servers before 3.9 have no type of their own for watches of trees. If a watcher were removed on this client only,
     * the servers would send its events until the connection ends. Therefore all watches of the folder are removed,
     * unless another registry on this client watches the folder as well. No other code is expected to watch the folder
     * of a lock.
     */
    @Override
    public void unwatchTree(String folder, TreeWatch watch) {
        LoopTreeWatcher watcher = trees.remove(watch);
        if (watcher == null) {
            return;
        }
        WATCHED_TREES.count(handle, watcher.what.path(), -1);
        watcher.remove();
    }

    @Override
    public void unwatch(String path, Watch watch) {
        LoopWatcher watcher = forget(watch);
        if (watcher != null) {
            watcher.remove();
        }
    }

    @Override
    public void ephemerals(String folder, Reply<List<String>> reply) {
        // unlike all other calls, this one expects the root of the connect string from its caller
        // (ZooKeeper.getEphemerals)
        String root = handle.root();
        int prefix = root.length() + namespaceLength;
        String full = fullPath.apply(folder);
        handle.getEphemerals(
                full.equals("/") && !root.isEmpty() ? root : root + full,
                (rc, context, paths) -> answer(
                        reply,
                        rc,
                        paths == null
                                ? null
                                : paths.stream()
                                        .map(path -> path.substring(prefix))
                                        .toList()),
                null);
    }

    @Override
    public void createExpiring(String path, long timeoutNanos, Reply<Long> reply) {
        String full = fullPath.apply(path);
        List<ACL> list = acls.apply(full);
        int timeoutMillis = (int) Math.max(1, timeoutNanos / 1_000_000L);
        clientThread.execute(() -> {
            try {
                AbandonedZooKeeper.create(
                        handle, timeoutMillis, full, list, (rc, granted) -> answer(reply, rc, granted * 1_000_000L));
            } catch (Throwable failed) {
                // also an Error, such as too many threads: nothing of this session is lost
                LOG.debug("No other session can be requested", failed);
                run.execute(() -> reply.answered(Outcome.NOT_SENT, null));
            }
        });
    }

    @Override
    public void sync(String path, Reply<Void> reply) {
        handle.sync(fullPath.apply(path), (rc, asked, context) -> answer(reply, rc, null), null);
    }

    private void makeContainer(String full, Reply<Void> reply) {
        handle.create(
                full,
                NOTHING,
                acls.apply(full),
                CreateMode.CONTAINER,
                (rc, asked, context, name, stat) -> answer(reply, rc, null),
                null);
    }

    private LoopWatcher watcher(Watch watch, String path) {
        return watchers.computeIfAbsent(watch, absent -> {
            Watched what = new Watched(fullPath.apply(path), WatcherType.Data);
            watched.merge(what, 1, Integer::sum);
            return new LoopWatcher(watch, what);
        });
    }

    private @Nullable LoopWatcher forget(Watch watch) {
        LoopWatcher watcher = watchers.remove(watch);
        if (watcher != null) {
            watched.computeIfPresent(watcher.what, (what, count) -> count == 1 ? null : count - 1);
        }
        return watcher;
    }

    private <T> void answer(Reply<T> reply, int rc, @Nullable T value) {
        Outcome outcome = outcomeOf(rc);
        run.execute(() -> reply.answered(outcome, outcome == Outcome.OK ? value : null));
    }

    private static @Nullable Node nodeOf(Change.CreateSeat seat, @Nullable String name, @Nullable Stat stat) {
        return name == null || stat == null
                ? null
                : node(seat, name, stat.getCzxid(), stat.getEphemeralOwner(), stat.getCtime());
    }

    /** @param stat null unless the request succeeded */
    private static @Nullable Node nodeOf(String path, byte @Nullable [] data, @Nullable Stat stat) {
        if (stat == null) {
            return null;
        }
        return new Node(
                path,
                stat.getCzxid(),
                stat.getEphemeralOwner(),
                data == null ? NOTHING : data,
                stat.getCtime(),
                stat.getVersion(),
                stat.getMtime());
    }

    /**
     * Returns the place of the failed change: the changes before it are reported as OK, those behind it as
     * RUNTIMEINCONSISTENCY (DataTree.processTxn).
     */
    private static int firstFailed(@Nullable List<OpResult> results) {
        if (results != null) {
            for (int i = 0; i < results.size(); i++) {
                if (results.get(i) instanceof OpResult.ErrorResult error
                        && error.getErr() != Code.OK.intValue()
                        && error.getErr() != Code.RUNTIMEINCONSISTENCY.intValue()) {
                    return i;
                }
            }
        }
        return -1;
    }

    static Outcome outcomeOf(int rc) {
        Code code;
        try {
            code = Code.get(rc);
        } catch (IllegalArgumentException ofALaterServer) {
            return Outcome.REFUSED;
        }
        return switch (code) {
            case OK -> Outcome.OK;
            case NONODE -> Outcome.NO_NODE;
            case NODEEXISTS -> Outcome.NODE_EXISTS;
            case CONNECTIONLOSS -> Outcome.CONNECTION_LOST;
            case REQUESTTIMEOUT, OPERATIONTIMEOUT, THROTTLEDOP, SESSIONMOVED, NOTREADONLY -> Outcome.UNKNOWN;
            // a session without authentication is of no use: another handle has to be found
            case SESSIONEXPIRED, AUTHFAILED -> Outcome.SESSION_ENDED;
            case NOAUTH, SESSIONCLOSEDREQUIRESASLAUTH -> Outcome.ACCESS_DENIED;
            case EPHEMERALONLOCALSESSION -> Outcome.LOCAL_SESSION;
            default -> Outcome.REFUSED;
        };
    }

    private static String parentOf(String path) {
        return path.substring(0, path.lastIndexOf('/'));
    }

    private record Watched(String path, WatcherType type) {}

    /**
     * The number of registries that watch a folder on one handle. Thread-safe, because each registry has a loop of its
     * own.
     */
    private static final class WatchedTrees {

        private final Lock lock = new ReentrantLock();
        private final Map<ZooKeeper, Map<String, Integer>> counts = new WeakHashMap<>();

        void count(ZooKeeper handle, String path, int more) {
            lock.lock();
            try {
                counts.computeIfAbsent(handle, absent -> new HashMap<>())
                        .merge(path, more, (before, added) -> before + added == 0 ? null : before + added);
            } finally {
                lock.unlock();
            }
        }

        boolean contain(ZooKeeper handle, String path) {
            lock.lock();
            try {
                return counts.getOrDefault(handle, Map.of()).containsKey(path);
            } finally {
                lock.unlock();
            }
        }
    }

    /** A watch on the handle that passes its events to the loop until it is removed. */
    private abstract class LoopEvents implements Watcher {

        /*
         * ZooKeeper's client has a flag, local, that removes a watch even if the server does not answer. If the
         * connection is lost meanwhile, the client reports that only to the removed watch, and to no listener of the
         * application (ClientCnxn.finishPacket, EventThread.queueEvent). Therefore the flag is not set here. If the
         * servers could not remove the watch, it is removed on the next connection, which ZooKeeper's client reports to
         * the watcher.
         */

        final Watched what;
        private volatile boolean notRemoved;

        LoopEvents(Watched what) {
            this.what = what;
        }

        @Override
        public final void process(WatchedEvent event) {
            try {
                if (event.getType() == EventType.None) {
                    boolean connected = event.getState() == KeeperState.SyncConnected;
                    if (connected && notRemoved) {
                        if (run.isOver()) {
                            removeHere();
                        } else {
                            run.execute(this::remove);
                        }
                    }
                    connection(connected);
                } else {
                    happened(event);
                }
            } catch (Throwable lost) {
                run.breakOff();
            }
        }

        abstract void happened(WatchedEvent event);

        /**
         * Called when the connection is established or lost, in the order of events and answers, unlike the listeners
         * of the client.
         */
        void connection(boolean there) {
            // the session keeper handles connections
        }

        /** Returns whether other watchers of this handle watch the same path. If so, the servers' watch stays. */
        abstract boolean isWatchedByOthers();

        final void remove() {
            notRemoved = false;
            if (isWatchedByOthers()) {
                removeHere();
            } else {
                handle.removeAllWatches(what.path(), what.type(), false, this::removed, null);
            }
        }

        /** Removes the watch from this client. The servers' watch stays. */
        private void removeHere() {
            notRemoved = false;
            handle.removeWatches(what.path(), this, what.type(), false, this::removed, null);
        }

        private void removed(int rc, String path, Object context) {
            if (rc == Code.CONNECTIONLOSS.intValue()) {
                notRemoved = true;
            } else if (rc == Code.NOWATCHER.intValue()) {
                // the servers do not have the watch any more
                VoidCallback done = (again, samePath, none) -> {};
                handle.removeWatches(what.path(), this, what.type(), true, done, null);
            }
        }
    }

    /** A watch of a folder and everything below it. */
    private final class LoopTreeWatcher extends LoopEvents {

        private final TreeWatch watch;
        private boolean toldOfLoss;

        LoopTreeWatcher(TreeWatch watch, String path) {
            super(new Watched(path, WatcherType.Any));
            this.watch = watch;
        }

        @Override
        void happened(WatchedEvent event) {
            switch (event.getType()) {
                case NodeCreated -> tell(TreeEvent.CREATED, event.getPath().substring(namespaceLength));
                case NodeDeleted -> tell(TreeEvent.DELETED, event.getPath().substring(namespaceLength));
                case DataWatchRemoved, ChildWatchRemoved, PersistentWatchRemoved ->
                    // other code on this client has removed all watches of the path
                    tell(TreeEvent.MISSED, "");
                default -> {
                    // changes of data are not needed
                }
            }
        }

        @Override
        void connection(boolean there) {
            // the loss may have been reported to another watch only
            if (!there || !toldOfLoss) {
                tell(TreeEvent.MISSED, "");
            }
            toldOfLoss = !there;
        }

        @Override
        boolean isWatchedByOthers() {
            return WATCHED_TREES.contain(handle, what.path());
        }

        private void tell(TreeEvent event, String path) {
            run.execute(() -> {
                if (trees.get(watch) == this) {
                    watch.happened(event, path);
                }
            });
        }
    }

    /** A watch of one node. */
    private final class LoopWatcher extends LoopEvents {

        private final Watch watch;

        LoopWatcher(Watch watch, Watched what) {
            super(what);
            this.watch = watch;
        }

        @Override
        void happened(WatchedEvent event) {
            switch (event.getType()) {
                case NodeDeleted -> tell(WireSession.Event.NODE_DELETED);
                case NodeDataChanged -> tell(WireSession.Event.DATA_CHANGED);
                case NodeCreated -> tell(WireSession.Event.OTHER);
                default -> {
                    // the engine itself removed the watch
                }
            }
        }

        @Override
        boolean isWatchedByOthers() {
            return shared || watched.containsKey(what);
        }

        private void tell(WireSession.Event event) {
            run.execute(() -> {
                if (watchers.get(watch) == this) {
                    forget(watch);
                    watch.happened(event);
                }
            });
        }
    }
}
