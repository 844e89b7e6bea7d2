package io.github.zklock.zookeeper.internal.transport;

import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * One ZooKeeper session, pinned: requests sent here are carried out on this session or not at all.
 *
 * <p>No method blocks. Each request is answered once, on the loop; answers come in the order of the requests, and a
 * request sent later is carried out later, but for what {@link GroupCommit} says. Paths are below the client's namespace.
 */
public interface WireSession {

    /** The session's id when it was pinned. */
    long id();

    /** The session's id on the latest connection. A server may have replaced the session without saying so. (M33) */
    long currentId();

    /** The shortest one that any connection has negotiated, as far as that is known; at least that of the latest. Any thread. */
    long timeoutNanos();

    /** The timeout that the latest connection has negotiated, as far as that is known. */
    long latestTimeoutNanos();

    /** Another number than before if there may have been another connection, as far as that is known. */
    long connectionNumber();

    /** An instant before the latest connection was attempted, where that is known. */
    OptionalLong attemptedAfterNanos();

    /** How far the wall clock was ahead of the monotonic one at that instant, where it is known. */
    OptionalLong wallLeadAtAttemptNanos();

    /** As {@link #attemptedAfterNanos}, of the connection that negotiated {@link #timeoutNanos}. */
    default OptionalLong shortenedAfterNanos() {
        return attemptedAfterNanos();
    }

    /** Whether the session was created by the latest connection. */
    boolean isFresh();

    /** The bytes that the servers put in front of each path of this session: a change root, a namespace. */
    default int prefixBytes() {
        return 0;
    }

    /** What the client itself thinks of the session. No I/O; may be asked from any thread. */
    Liveness liveness();

    /**
     * Whether {@link #liveness} is the truth at each instant, so that a session that is connected needs no proof. Not so with servers
     * on a network. Any thread.
     */
    default boolean isKnownToLive() {
        return false;
    }

    /**
     * Carries out all changes, or none, in one committed transaction.
     *
     * <p>Servers tell the number of a transaction of several changes only by a {@link Change.Write} in it, so one that creates
     * seats needs one.
     *
     * @param reply the value is present unless the outcome is unknown
     */
    void transact(List<Change> changes, Reply<Transacted> reply);

    /** Creates a sequential ephemeral node; the server appends ten digits to the path. */
    default void create(Change.CreateSeat seat, Reply<Node> reply) {
        transact(
                List.of(seat),
                (outcome, done) -> reply.answered(
                        outcome,
                        outcome == Outcome.OK && done != null ? done.seats().get(0) : null));
    }

    /** Creates a folder, and those above it, as containers. An existing one is {@link Outcome#OK}. */
    void makeFolder(String path, Reply<Void> reply);

    /** The names of a folder's children. */
    void list(String folder, Reply<List<String>> reply);

    /** As {@link #list} for several folders at one instant: the answers in the order of the folders. */
    void listAll(List<String> folders, Reply<List<Listing>> reply);

    /** Whether nodes exist: the answers in the order of the paths. */
    void exist(List<String> paths, Reply<List<Boolean>> reply);

    void read(String path, Reply<Node> reply);

    /** As {@link #read}, and tells of the next change of the node, once. A missing node is not watched. */
    void readWatching(String path, Watch watch, Reply<Node> reply);

    /**
     * Watches a folder and all that is below it until {@link #unwatchTree}, on each connection anew. {@link Outcome#OK} also if the
     * folder does not exist. What happened while there was no connection is not told.
     */
    void watchTree(String folder, TreeWatch watch, Reply<Void> reply);

    /** Ends a watch set by {@link #watchTree}. Not answered. */
    void unwatchTree(String folder, TreeWatch watch);

    /** Ends a watch set by {@link #readWatching}. Not answered. */
    void unwatch(String path, Watch watch);

    default void delete(String path, Reply<Void> reply) {
        transact(List.of(new Change.Delete(path)), (outcome, done) -> reply.answered(outcome, null));
    }

    /** Writes the data of a node. */
    default void write(String path, byte[] data, Reply<Void> reply) {
        transact(List.of(new Change.Write(path, data)), (outcome, done) -> reply.answered(outcome, null));
    }

    /**
     * Creates an ephemeral node of exactly this path and deletes another one, in this order, both or neither, in one committed
     * transaction. {@link Outcome#NO_NODE} if the old one is not there.
     */
    default void replace(String path, String replacement, byte[] data, Reply<Void> reply) {
        transact(
                List.of(new Change.CreateEphemeral(replacement, data), new Change.Delete(path)),
                (outcome, done) -> reply.answered(outcome, null));
    }

    /**
     * Checks in one committed transaction that all these nodes exist.
     *
     * @param reply {@link Outcome#NO_NODE} or {@link Outcome#ACCESS_DENIED} with the index of the first one that is
     *     missing or may not be read
     */
    default void check(List<String> paths, Reply<Integer> reply) {
        transact(paths.stream().<Change>map(Change.Check::new).toList(), placeOfFailure(reply));
    }

    /** The paths of all ephemeral nodes of this session below this folder, by the memory of the server that answers. */
    void ephemerals(String folder, Reply<List<String>> reply);

    /** Makes later reads see all that was committed before. Answered by the leader. */
    void sync(String path, Reply<Void> reply);

    /** Runs the action, and sends the writes that it asks for in one transaction where that is possible. */
    default void together(Runnable asking) {
        asking.run();
    }

    /** Nothing more is asked for here: what stands on the session for its own sake is removed. */
    default void leave() {}

    private static Reply<Transacted> placeOfFailure(Reply<Integer> reply) {
        return (outcome, done) ->
                reply.answered(outcome, done == null || done.failedAt() < 0 ? null : Integer.valueOf(done.failedAt()));
    }

    /**
     * What became of a transaction.
     *
     * @param seats those that were created, in the order of the changes
     * @param failedAt the place of the change because of which nothing was carried out; -1 if all was, or if it is not known
     */
    record Transacted(List<Node> seats, int failedAt) {

        public static Transacted created(List<Node> seats) {
            return new Transacted(seats, -1);
        }

        public static Transacted failed(int at) {
            return new Transacted(List.of(), at);
        }
    }

    /**
     * What a folder holds.
     *
     * @param children present for {@link Outcome#OK}
     */
    record Listing(Outcome outcome, @Nullable List<String> children) {}

    /** How an answer arrives. The value is present if and only if the interface says so for the outcome. */
    @FunctionalInterface
    interface Reply<T> {
        void answered(Outcome outcome, @Nullable T value);
    }

    /** How a watch tells. */
    @FunctionalInterface
    interface Watch {
        void happened(Event event);
    }

    /** How a watch of a folder and all below it tells, in the order of the transactions. */
    @FunctionalInterface
    interface TreeWatch {
        void happened(TreeEvent event, String path);
    }

    /** What has become of a node. */
    enum TreeEvent {
        CREATED,
        DELETED,
        /** The connection was lost: from here on, until the watch is asked for again, events may be missing. The path is empty. */
        MISSED
    }

    /** What a watch tells. */
    enum Event {
        NODE_DELETED,
        /** Somebody wrote the node's data. */
        DATA_CHANGED,
        /** Anything else. The watch may be used up. */
        OTHER
    }

    /** What the client thinks of its session. */
    enum Liveness {
        CONNECTED,
        DISCONNECTED,
        ENDED,
        DENIED
    }

    /**
     * A node as created or read: {@code data} is empty for one just created.
     *
     * @param createdMillis the leader's wall clock when it proposed the node
     */
    @SuppressWarnings("ArrayRecordComponent") // bytes as they came, never compared
    record Node(String path, long czxid, long owner, byte[] data, long createdMillis) {}
}
