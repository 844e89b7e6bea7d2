package io.github.zklock.zookeeper.internal.transport;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A session that notes what it is sent, and answers when and what the test says. Watches are remembered from the request until
 * they are used up or removed, so that the test can fire them.
 */
public final class RecordedSession implements WireSession {

    public int accessBytes;
    private static final long ID = 0xabc;
    private static final int UNLIMITED = 1_000_000;

    private record Pending(String request, BiConsumer<Outcome, @Nullable Object> reply) {}

    private final List<Pending> unanswered = new ArrayList<>();
    private final List<String> sent = new ArrayList<>();
    private final Map<String, Watch> watches = new TreeMap<>();
    private final Map<String, TreeWatch> treeWatches = new TreeMap<>();
    private @Nullable String unsendable;
    private long currentId = ID;
    private Liveness liveness = Liveness.CONNECTED;
    private Connection connection = connection(1, 20_000_000_000L, null);
    private byte[] written = new byte[0];
    private boolean knownToLive;

    /** Returns the create of a seat without data, which shares no transaction with another one in its folder. */
    public static Change.CreateSeat createSeat(String stem) {
        return new Change.CreateSeat(stem, new byte[0], null, false, () -> true);
    }

    /** The session needs no proof as long as the client says that it is connected. */
    public void needNoProof() {
        knownToLive = true;
    }

    /** The session needs a proof, also while the client is connected. */
    public void needProof() {
        knownToLive = false;
    }

    /** Writes that leave at once, each alone. */
    public GroupCommit ungrouped() {
        return new GroupCommit(this, "/locks", () -> 0, new CommitWindow(UNLIMITED, UNLIMITED));
    }

    /** No request with this text can be sent from now on; any can if it is null. */
    public void refuseToSend(@Nullable String part) {
        unsendable = part;
    }

    /** The client goes on with another session. */
    public void replaceSession() {
        currentId++;
    }

    /** What the client says of the session from now on. */
    public void become(Liveness state) {
        liveness = state;
    }

    /** The client is on its next connection, which it attempted at this instant and which has negotiated this timeout. */
    public void reconnect(long attemptedAt, long timeoutNanos) {
        Connection.Attempt attempt = new Connection.Attempt(attemptedAt, OptionalLong.empty(), true);
        connection = connection(connection.number() + 1, timeoutNanos, attempt);
    }

    /** The present connection turns out to have negotiated this timeout. */
    public void grant(long timeoutNanos) {
        connection = connection(connection.number(), timeoutNanos, connection.attempt());
    }

    private static Connection connection(long number, long timeoutNanos, Connection.@Nullable Attempt attempt) {
        OptionalLong after = attempt == null ? OptionalLong.empty() : OptionalLong.of(attempt.afterNanos());
        return new Connection(number, timeoutNanos, timeoutNanos, attempt, after);
    }

    /** What was sent since the last call. */
    public List<String> sent() {
        List<String> all = List.copyOf(sent);
        sent.clear();
        return all;
    }

    /** Answers the oldest request that contains this text. */
    public void answer(String part, Outcome outcome, @Nullable Object value) {
        Pending first = unanswered.stream()
                .filter(pending -> pending.request().contains(part))
                .findFirst()
                .orElseThrow(() -> new AssertionError("No request with '" + part + "' among " + unanswered));
        unanswered.remove(first);
        first.reply().accept(outcome, value);
    }

    /** Answers the oldest request that contains this text, a transaction that creates these seats. */
    public void created(String part, String... paths) {
        answer(
                part,
                Outcome.OK,
                Transacted.created(Stream.of(paths).map(RecordedSession::seat).toList()));
    }

    /** Answers all single creates that were sent, and those that are sent on account of that. */
    public void answerAll() {
        while (!unanswered.isEmpty()) {
            created("CreateSeat", "/any");
        }
    }

    /** The nodes that are watched. */
    public Set<String> watched() {
        return Set.copyOf(watches.keySet());
    }

    /** The folders that are watched with all that is below them. */
    public Set<String> watchedTrees() {
        return Set.copyOf(treeWatches.keySet());
    }

    /** Fires the watch of a node, which is used up by that. */
    public void fire(String path, Event event) {
        Watch watch = watches.remove(path);
        if (watch == null) {
            throw new AssertionError("No watch of " + path + " among " + watches.keySet());
        }
        watch.happened(event);
    }

    /** Fires the watch of a folder and all below it. */
    public void fire(String folder, TreeEvent event, String path) {
        TreeWatch watch = treeWatches.get(folder);
        if (watch == null) {
            throw new AssertionError("No watch of the tree " + folder + " among " + treeWatches.keySet());
        }
        watch.happened(event, path);
    }

    /** A node that was written so often, and at last at this instant of the leader's clock. */
    public static Node node(byte[] data, int version, long writtenMillis) {
        return new Node("", 7, 0, data, 0, version, writtenMillis);
    }

    private static Node seat(String path) {
        return new Node(path, 7, 1, new byte[0], 0);
    }

    @SuppressWarnings("unchecked")
    private <T> void note(String request, Reply<T> reply) {
        if (unsendable != null && request.contains(unsendable)) {
            throw new IllegalStateException("not to be sent: " + request);
        }
        sent.add(request);
        unanswered.add(new Pending(request, (outcome, value) -> reply.answered(outcome, (T) value)));
    }

    private static String text(Change change) {
        String text = change.getClass().getSimpleName() + " " + change.path();
        int version = change instanceof Change.Write write
                ? write.version()
                : change instanceof Change.Delete delete ? delete.version() : Change.ANY_VERSION;
        return version == Change.ANY_VERSION ? text : text + " version " + version;
    }

    @Override
    public void change(Change change, Reply<Node> reply) {
        if (change instanceof Change.Create create) {
            written = create.data();
        } else if (change instanceof Change.CreateEphemeral create) {
            written = create.data();
        } else if (change instanceof Change.Write write && write.version() != Change.ANY_VERSION) {
            written = write.data();
        }
        note(
                text(change),
                (Outcome outcome, @Nullable Object value) ->
                        reply.answered(outcome, value instanceof Transacted done ? seatOf(done) : (Node) value));
    }

    private static @Nullable Node seatOf(Transacted done) {
        return done.seats().isEmpty() ? null : done.seats().get(0);
    }

    @Override
    public void transact(List<Change> changes, Reply<Transacted> reply) {
        String request =
                String.join(", ", changes.stream().map(RecordedSession::text).toList());
        note(request, reply);
    }

    @Override
    public void listAll(List<String> folders, Reply<List<Listing>> reply) {
        note("listAll " + folders, reply);
    }

    @Override
    public void exist(List<String> paths, Reply<List<Boolean>> reply) {
        note("exist " + paths, reply);
    }

    @Override
    public void makeFolder(String path, Reply<Void> reply) {
        note("makeFolder " + path, reply);
    }

    @Override
    public void list(String folder, Reply<List<String>> reply) {
        note("list " + folder, reply);
    }

    @Override
    public void read(String path, Reply<Node> reply) {
        note("read " + path, reply);
    }

    @Override
    public void readWatching(String path, Watch watch, Reply<Node> reply) {
        watches.put(path, watch);
        note("readWatching " + path, (Outcome outcome, @Nullable Node node) -> {
            if (outcome == Outcome.NO_NODE) {
                watches.remove(path, watch);
            }
            reply.answered(outcome, node);
        });
    }

    @Override
    public void unwatch(String path, Watch watch) {
        if (watches.remove(path, watch)) {
            sent.add("unwatch " + path);
        }
    }

    @Override
    public void watchTree(String folder, TreeWatch watch, Reply<Void> reply) {
        treeWatches.put(folder, watch);
        note("watchTree " + folder, reply);
    }

    @Override
    public void unwatchTree(String folder, TreeWatch watch) {
        if (treeWatches.remove(folder, watch)) {
            sent.add("unwatchTree " + folder);
        }
    }

    @Override
    public void ephemerals(String folder, Reply<List<String>> reply) {
        note("ephemerals " + folder, reply);
    }

    @Override
    public void createExpiring(String path, long timeoutNanos, Reply<Long> reply) {
        note("createExpiring " + path + " " + timeoutNanos, reply);
    }

    /** The data of the latest node that was to be created, or written in a version that was named. */
    public byte[] written() {
        return written;
    }

    @Override
    public void sync(String path, Reply<Void> reply) {
        note("sync " + path, reply);
    }

    @Override
    public long id() {
        return ID;
    }

    @Override
    public long currentId() {
        return currentId;
    }

    @Override
    public int accessBytes(String path) {
        return accessBytes;
    }

    /** As the latest connection has negotiated it. */
    public long timeoutNanos() {
        return connection.timeoutNanos();
    }

    @Override
    public Connection connection() {
        return connection;
    }

    @Override
    public Liveness liveness() {
        return liveness;
    }

    @Override
    public boolean isKnownToLive() {
        return knownToLive;
    }
}
