package io.github.zklock.zookeeper;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.apache.zookeeper.AsyncCallback.VoidCallback;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.OpResult;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.Watcher.WatcherType;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;

/** One ZooKeeper handle as a wire session: asynchronous calls, answers on the loop. */
final class CuratorSession implements WireSession {

    private static final byte[] NOTHING = new byte[0];

    private final ZooKeeper handle;
    private final UnaryOperator<String> fullPath;
    private final Function<String, List<ACL>> acls;
    private final Executor loop;
    private final long id;
    private final long timeoutNanos;
    /** Owned by the loop. */
    private final Map<Watch, LoopWatcher> watchers = new HashMap<>();

    private volatile boolean ended;

    /** @param handle connected */
    CuratorSession(ZooKeeper handle, UnaryOperator<String> fullPath, Function<String, List<ACL>> acls, Executor loop) {
        this.handle = handle;
        this.fullPath = fullPath;
        this.acls = acls;
        this.loop = loop;
        this.id = handle.getSessionId();
        this.timeoutNanos = handle.getSessionTimeout() * 1_000_000L;
    }

    /** The handle is about to be closed. */
    void markEnded() {
        ended = true;
    }

    @Override
    public long id() {
        return id;
    }

    @Override
    public long timeoutNanos() {
        return timeoutNanos;
    }

    @Override
    public OptionalLong createdAfterNanos() {
        return handle instanceof ObservedZooKeeper observed
                ? OptionalLong.of(observed.madeAfterNanos())
                : OptionalLong.empty();
    }

    @Override
    public Liveness liveness() {
        if (ended) {
            return Liveness.ENDED;
        }
        return switch (handle.getState()) {
            case CONNECTED -> Liveness.CONNECTED;
            case CLOSED -> Liveness.ENDED;
            case AUTH_FAILED -> Liveness.DENIED;
            // a read-only server is cut off from the majority: as good as none (M20)
            case CONNECTEDREADONLY, CONNECTING, ASSOCIATING, NOT_CONNECTED -> Liveness.DISCONNECTED;
        };
    }

    @Override
    public void create(String path, byte[] data, Reply<Node> reply) {
        handle.create(
                fullPath.apply(path),
                data,
                acls.apply(path),
                CreateMode.EPHEMERAL_SEQUENTIAL,
                (rc, asked, context, name, stat) -> answer(
                        reply,
                        rc,
                        () -> new Node(
                                parentOf(path) + name.substring(name.lastIndexOf('/')),
                                stat.getCzxid(),
                                stat.getEphemeralOwner(),
                                NOTHING)),
                null);
    }

    @Override
    public void makeFolder(String path, Reply<Void> reply) {
        for (int slash = path.indexOf('/', 1); slash > 0; slash = path.indexOf('/', slash + 1)) {
            makeContainer(path.substring(0, slash), (outcome, none) -> {});
        }
        makeContainer(
                path, (outcome, none) -> reply.answered(outcome == Outcome.NODE_EXISTS ? Outcome.OK : outcome, null));
    }

    @Override
    public void list(String folder, Reply<List<String>> reply) {
        handle.getChildren(
                fullPath.apply(folder),
                false,
                (rc, asked, context, children) -> answer(reply, rc, () -> children),
                null);
    }

    @Override
    public void listWatching(String folder, Watch watch, Reply<List<String>> reply) {
        handle.getChildren(
                fullPath.apply(folder),
                watcher(watch, WatcherType.Children),
                (rc, asked, context, children) -> answer(reply, rc, () -> children),
                null);
    }

    @Override
    public void read(String path, Reply<Node> reply) {
        handle.getData(
                fullPath.apply(path),
                false,
                (rc, asked, context, data, stat) -> answer(reply, rc, () -> nodeOf(path, data, stat)),
                null);
    }

    @Override
    public void readWatching(String path, Watch watch, Reply<Node> reply) {
        Reply<Node> forgettingUnset = (outcome, node) -> {
            if (outcome == Outcome.NO_NODE) {
                watchers.remove(watch);
            }
            reply.answered(outcome, node);
        };
        handle.getData(
                fullPath.apply(path),
                watcher(watch, WatcherType.Data),
                (rc, asked, context, data, stat) -> answer(forgettingUnset, rc, () -> nodeOf(path, data, stat)),
                null);
    }

    @Override
    public void unwatch(String path, Watch watch) {
        LoopWatcher watcher = watchers.remove(watch);
        if (watcher == null) {
            return;
        }
        VoidCallback done = (rc, asked, context) -> {};
        if (handle instanceof ObservedZooKeeper) {
            handle.removeAllWatches(fullPath.apply(path), watcher.type, true, done, null);
        } else {
            // others may share the handle: removing by watcher leaves theirs, and the server's until the node goes
            handle.removeWatches(fullPath.apply(path), watcher, watcher.type, true, done, null);
        }
    }

    @Override
    public void delete(String path, Reply<Void> reply) {
        handle.delete(fullPath.apply(path), -1, (rc, asked, context) -> answer(reply, rc, () -> null), null);
    }

    @Override
    public void check(List<String> paths, Reply<Integer> reply) {
        List<Op> checks =
                paths.stream().map(path -> Op.check(fullPath.apply(path), -1)).toList();
        handle.multi(
                checks,
                (rc, asked, context, results) -> loop.execute(() ->
                        reply.answered(outcomeOf(rc), rc == Code.NONODE.intValue() ? firstMissing(results) : null)),
                null);
    }

    @Override
    public void sync(String path, Reply<Void> reply) {
        handle.sync(fullPath.apply(path), (rc, asked, context) -> answer(reply, rc, () -> null), null);
    }

    private void makeContainer(String path, Reply<Void> reply) {
        handle.create(
                fullPath.apply(path),
                NOTHING,
                acls.apply(path),
                CreateMode.CONTAINER,
                (rc, asked, context, name, stat) -> answer(reply, rc, () -> null),
                null);
    }

    private LoopWatcher watcher(Watch watch, WatcherType type) {
        return watchers.computeIfAbsent(watch, absent -> new LoopWatcher(watch, type));
    }

    private <T> void answer(Reply<T> reply, int rc, Supplier<@Nullable T> value) {
        Outcome outcome = outcomeOf(rc);
        loop.execute(() -> reply.answered(outcome, outcome == Outcome.OK ? value.get() : null));
    }

    private static Node nodeOf(String path, byte @Nullable [] data, Stat stat) {
        return new Node(path, stat.getCzxid(), stat.getEphemeralOwner(), data == null ? NOTHING : data);
    }

    private static int firstMissing(@Nullable List<OpResult> results) {
        if (results != null) {
            for (int i = 0; i < results.size(); i++) {
                if (results.get(i) instanceof OpResult.ErrorResult error && error.getErr() == Code.NONODE.intValue()) {
                    return i;
                }
            }
        }
        return 0;
    }

    private static Outcome outcomeOf(int rc) {
        Code code = Code.get(rc);
        if (code == null) {
            return Outcome.REFUSED;
        }
        return switch (code) {
            case OK -> Outcome.OK;
            case NONODE -> Outcome.NO_NODE;
            case NODEEXISTS -> Outcome.NODE_EXISTS;
            // a read-only server, or one to which the session no longer belongs: a new connection is needed
            case CONNECTIONLOSS, SESSIONMOVED, NOTREADONLY -> Outcome.CONNECTION_LOST;
            case REQUESTTIMEOUT, OPERATIONTIMEOUT -> Outcome.UNKNOWN;
            case SESSIONEXPIRED -> Outcome.SESSION_ENDED;
            case NOAUTH, AUTHFAILED, SESSIONCLOSEDREQUIRESASLAUTH -> Outcome.ACCESS_DENIED;
            default -> Outcome.REFUSED;
        };
    }

    private static String parentOf(String path) {
        return path.substring(0, path.lastIndexOf('/'));
    }

    /** Brings what the event thread says to the loop. */
    private final class LoopWatcher implements Watcher {

        private final Watch watch;
        private final WatcherType type;

        LoopWatcher(Watch watch, WatcherType type) {
            this.watch = watch;
            this.type = type;
        }

        @Override
        public void process(WatchedEvent event) {
            switch (event.getType()) {
                case NodeDeleted -> happened(WireSession.Event.NODE_DELETED);
                case NodeChildrenChanged -> happened(WireSession.Event.CHILDREN_CHANGED);
                case NodeCreated, NodeDataChanged -> happened(WireSession.Event.OTHER);
                default -> {
                    // connections are the keeper's business, and a removed watch was removed by us
                }
            }
        }

        private void happened(WireSession.Event event) {
            loop.execute(() -> {
                if (watchers.remove(watch, this)) {
                    watch.happened(event);
                }
            });
        }
    }
}
