package io.github.zklock.zookeeper.internal.transport;

import io.github.zklock.zookeeper.internal.runtime.Loop;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A wire of one client without failures: its session never ends, and each request is answered as soon as the loop runs it.
 * Unlike {@link RecordedSession}, which answers what the test says, it keeps nodes and watches itself.
 */
public final class IdealWire implements Wire, WireSession {

    private static final int UNLIMITED = 1_000_000;

    private final Executor loop;
    private long latestTimeout = timeoutNanos();
    /** Seats and what is made beside them; folders are there by themselves. */
    private final Map<String, Node> nodes = new TreeMap<>();

    private final Map<String, List<Watch>> dataWatches = new HashMap<>();
    private final Map<String, List<TreeWatch>> treeWatches = new HashMap<>();
    /** The nodes of other sessions. */
    private final Set<String> expiring = new HashSet<>();

    private long zxid = 1L << 32;

    private OptionalLong wallLeadAtAttempt = OptionalLong.empty();
    private int sequence;

    public IdealWire(Executor loop) {
        this.loop = loop;
    }

    /** A loop for what has no engine around it: no task may fail. */
    public static Loop loop() {
        return new Loop(Runnable::run, (failed, error) -> {
            throw new AssertionError(error);
        });
    }

    /** Writes that leave at once, each alone. */
    public GroupCommit ungrouped() {
        return new GroupCommit(this, "/locks", () -> 0, new CommitWindow(UNLIMITED, UNLIMITED));
    }

    /** Deletes all nodes, as an operator does. Only on the loop. */
    public void clear() {
        List.copyOf(nodes.keySet()).forEach(this::remove);
    }

    /** How far the wall clock was ahead when the client connected. */
    public void attemptWithWallLead(long nanos) {
        wallLeadAtAttempt = OptionalLong.of(nanos);
    }

    /** Only on the loop. */
    public void deleteFirst() {
        remove(nodes.keySet().iterator().next());
    }

    /** Deletes the nodes of this id. Only on the loop. */
    public void deleteOf(String id) {
        List.copyOf(nodes.keySet()).stream().filter(path -> path.contains(id)).forEach(this::remove);
    }

    /** Has the next create begin at zero again, as in a folder that was deleted. */
    public void restartSequence() {
        sequence = 0;
    }

    /** Only on the loop. */
    public int size() {
        return nodes.size();
    }

    /** Whether no node is there but that of the session, which lives as long as the session. Only on the loop. */
    public boolean isEmpty() {
        return nodes.keySet().stream().allMatch(path -> path.contains("/_session-"));
    }

    @Override
    public void pin(Consumer<Pin> answer) {
        loop.execute(() -> answer.accept(new Pin.Pinned(this)));
    }

    @Override
    public void onHint(Runnable hint) {}

    @Override
    public void leave() {}

    @Override
    public void close() {}

    @Override
    public long id() {
        return 1;
    }

    public long timeoutNanos() {
        return 20_000_000_000L;
    }

    @Override
    public Connection connection() {
        Connection.Attempt attempt = new Connection.Attempt(0, wallLeadAtAttempt, true);
        return new Connection(1, timeoutNanos(), latestTimeout, attempt, OptionalLong.of(0));
    }

    /** The latest connection is to a server that grants another timeout. */
    public void grant(long timeoutNanos) {
        latestTimeout = timeoutNanos;
    }

    @Override
    public long currentId() {
        return id();
    }

    @Override
    public Liveness liveness() {
        return Liveness.CONNECTED;
    }

    @Override
    public void change(Change change, Reply<Node> reply) {
        transact(
                List.of(change),
                (outcome, done) -> reply.answered(
                        outcome,
                        done == null || done.seats().isEmpty()
                                ? null
                                : done.seats().get(0)));
    }

    @Override
    public void transact(List<Change> changes, Reply<Transacted> reply) {
        loop.execute(() -> carryOut(changes, reply));
    }

    private void carryOut(List<Change> changes, Reply<Transacted> reply) {
        Set<String> there = new HashSet<>(nodes.keySet());
        for (int i = 0; i < changes.size(); i++) {
            Change change = changes.get(i);
            boolean creates = change instanceof Change.CreateEphemeral || change instanceof Change.CreateFolder;
            if (creates ? !there.add(change.path()) : isMissing(change, there)) {
                reply.answered(creates ? Outcome.NODE_EXISTS : Outcome.NO_NODE, Transacted.failed(i));
                return;
            }
        }
        long transaction = ++zxid;
        List<Node> seats = new ArrayList<>();
        for (Change change : changes) {
            if (change instanceof Change.CreateSeat seat) {
                seats.add(createNow(seat.path(), transaction));
            } else if (change instanceof Change.CreateEphemeral node) {
                nodes.put(node.path(), new Node(node.path(), transaction, id(), new byte[0], 0));
                tellOfTree(TreeEvent.CREATED, node.path());
            } else if (change instanceof Change.Delete delete) {
                remove(delete.path());
            } else if (change instanceof Change.Write write) {
                tell(dataWatches.remove(write.path()), Event.DATA_CHANGED);
            } else if (expiring.remove(change.path())) {
                remove(change.path());
            }
        }
        // behind the events: FinalRequestProcessor.processRequest applies the transaction, which triggers the watches,
        // before it sends the response
        loop.execute(() -> reply.answered(Outcome.OK, Transacted.created(seats)));
    }

    private static boolean isMissing(Change change, Set<String> there) {
        return change instanceof Change.Delete
                ? !there.remove(change.path())
                : !(change instanceof Change.CreateSeat) && !there.contains(change.path());
    }

    @Override
    public void listAll(List<String> folders, Reply<List<Listing>> reply) {
        loop.execute(() -> reply.answered(
                Outcome.OK,
                folders.stream()
                        .map(folder -> new Listing(Outcome.OK, children(folder)))
                        .toList()));
    }

    @Override
    public void exist(List<String> paths, Reply<List<Boolean>> reply) {
        // each folder is there
        loop.execute(() ->
                reply.answered(Outcome.OK, paths.stream().map(path -> true).toList()));
    }

    /** Without a way to go. Only on the loop. */
    public Node createNow(String path) {
        return createNow(path, ++zxid);
    }

    private Node createNow(String path, long transaction) {
        Node node = new Node("%s%010d".formatted(path, sequence++), transaction, id(), new byte[0], 0);
        nodes.put(node.path(), node);
        tellOfTree(TreeEvent.CREATED, node.path());
        return node;
    }

    @Override
    public void makeFolder(String path, Reply<Void> reply) {
        loop.execute(() -> reply.answered(Outcome.OK, null));
    }

    @Override
    public void list(String folder, Reply<List<String>> reply) {
        loop.execute(() -> reply.answered(Outcome.OK, children(folder)));
    }

    @Override
    public void watchTree(String folder, TreeWatch watch, Reply<Void> reply) {
        loop.execute(() -> {
            treeWatches.computeIfAbsent(folder, absent -> new ArrayList<>()).add(watch);
            reply.answered(Outcome.OK, null);
        });
    }

    @Override
    public void unwatchTree(String folder, TreeWatch watch) {
        treeWatches.getOrDefault(folder, new ArrayList<>()).removeIf(each -> each == watch);
    }

    private void tellOfTree(TreeEvent event, String path) {
        treeWatches
                .getOrDefault(folderOf(path), List.of())
                .forEach(watch -> loop.execute(() -> watch.happened(event, path)));
    }

    @Override
    public void read(String path, Reply<Node> reply) {
        loop.execute(() -> answer(path, reply));
    }

    @Override
    public void readWatching(String path, Watch watch, Reply<Node> reply) {
        loop.execute(() -> {
            if (nodes.containsKey(path)) {
                dataWatches.computeIfAbsent(path, absent -> new ArrayList<>()).add(watch);
            }
            answer(path, reply);
        });
    }

    @Override
    public void unwatch(String path, Watch watch) {
        dataWatches.getOrDefault(path, new ArrayList<>()).remove(watch);
    }

    @Override
    public void ephemerals(String folder, Reply<List<String>> reply) {
        loop.execute(() -> reply.answered(
                Outcome.OK,
                nodes.keySet().stream().filter(path -> path.startsWith(folder)).toList()));
    }

    /** The other session expires as soon as its node was found. */
    @Override
    public void createExpiring(String path, long timeout, Reply<Long> reply) {
        loop.execute(() -> {
            nodes.put(path, new Node(path, ++zxid, id() + 1, new byte[0], 0));
            expiring.add(path);
            reply.answered(Outcome.OK, timeout);
        });
    }

    @Override
    public void sync(String path, Reply<Void> reply) {
        loop.execute(() -> reply.answered(Outcome.OK, null));
    }

    private void answer(String path, Reply<Node> reply) {
        Node node = nodes.get(path);
        reply.answered(node == null ? Outcome.NO_NODE : Outcome.OK, node);
    }

    private boolean remove(String path) {
        if (nodes.remove(path) == null) {
            return false;
        }
        tellOfTree(TreeEvent.DELETED, path);
        tell(dataWatches.remove(path), Event.NODE_DELETED);
        return true;
    }

    private void tell(@Nullable List<Watch> watches, Event event) {
        if (watches != null) {
            watches.forEach(watch -> loop.execute(() -> watch.happened(event)));
        }
    }

    private List<String> children(String folder) {
        return nodes.keySet().stream()
                .filter(path -> folderOf(path).equals(folder))
                .map(path -> path.substring(folder.length() + 1))
                .toList();
    }

    private static String folderOf(String path) {
        return path.substring(0, path.lastIndexOf('/'));
    }
}
