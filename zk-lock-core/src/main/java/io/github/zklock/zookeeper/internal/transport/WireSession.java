package io.github.zklock.zookeeper.internal.transport;

import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * One pinned ZooKeeper session: a request that is sent here is executed on this session or not at all, unless a
 * server has replaced the session (see {@link #currentId}).
 *
 * <p>No method blocks. Each request is answered once, on the loop. Answers arrive in the order of the requests, and a
 * request that is sent later is executed later. Paths are below the client's namespace.
 */
public interface WireSession {

    /** Returns the session's id when it was pinned. */
    long id();

    /**
     * Returns the session's id on the latest connection. A server may have replaced the session without a notification.
     * (M33)
     */
    long currentId();

    /** Returns what is known of the latest connection at this instant. Any thread. */
    Connection connection();

    /** Returns the size of the access list that a new node of this path gets. */
    default int accessBytes(String path) {
        return 0;
    }

    /** Returns the bytes that the servers add in front of each path of this session: a change root, a namespace. */
    default int prefixBytes() {
        return 0;
    }

    /**
     * Returns the bytes of the seats that all registries of this process have on the session, a number that they share
     * and correct themselves.
     */
    default AtomicLong seatBytes() {
        return new AtomicLong();
    }

    /** Returns the state of the session as the client regards it. No I/O. Any thread. */
    Liveness liveness();

    /**
     * Returns whether {@link #liveness} is correct at each instant, so that a connected session needs no proof. This is
     * not the case with servers on a network. Any thread.
     */
    default boolean isKnownToLive() {
        return false;
    }

    /** Returns whether other code uses the session as well, so that it stays when the wire is closed. Any thread. */
    default boolean isShared() {
        return false;
    }

    /**
     * Executes one change.
     *
     * @param reply {@link Outcome#OK} with the node if the change creates or writes a node other than a folder
     */
    void change(Change change, Reply<Node> reply);

    /**
     * Executes all changes, or none, in one committed transaction.
     *
     * <p>Servers report the number of a transaction of several changes only by a {@link Change.Write} in it. Therefore
     * a transaction that creates seats needs a write.
     *
     * @param reply the value is present unless the outcome is unknown
     */
    void transact(List<Change> changes, Reply<Transacted> reply);

    /** Creates a folder, and those above it, as containers. The outcome for an existing one is {@link Outcome#OK}. */
    void makeFolder(String path, Reply<Void> reply);

    /** Lists the names of a folder's children. */
    void list(String folder, Reply<List<String>> reply);

    /** Lists several folders at one instant. The answers are in the order of the folders. */
    void listAll(List<String> folders, Reply<List<Listing>> reply);

    /** Queries whether nodes exist. The answers are in the order of the paths. */
    void exist(List<String> paths, Reply<List<Boolean>> reply);

    void read(String path, Reply<Node> reply);

    /**
     * Reads a node as {@link #read} does, and reports the next change of the node, once. A missing node is not watched.
     */
    void readWatching(String path, Watch watch, Reply<Node> reply);

    /**
     * Watches a folder and everything below it until {@link #unwatchTree}; the watch is set again on each connection.
     * The outcome is {@link Outcome#OK} also if the folder does not exist. Changes while there was no connection are
     * not reported.
     */
    void watchTree(String folder, TreeWatch watch, Reply<Void> reply);

    /** Ends a watch set by {@link #watchTree}. There is no answer. */
    void unwatchTree(String folder, TreeWatch watch);

    /** Ends a watch set by {@link #readWatching}. There is no answer. */
    void unwatch(String path, Watch watch);

    /**
     * Creates an ephemeral node with exactly this path on another session, which is created after this call and abandoned
     * with the answer: nothing keeps it alive, and the leader expires it.
     *
     * @param timeoutNanos the session timeout to request; the servers grant no less than their minimum
     * @param reply {@link Outcome#OK} with the granted timeout in nanoseconds if the node was created; no outcome shows
     *     anything about this session
     * @throws UnsupportedOperationException if this session {@link #isKnownToLive}
     */
    default void createExpiring(String path, long timeoutNanos, Reply<Long> reply) {
        throw new UnsupportedOperationException("A session that is known to live needs no other one");
    }

    /** Lists the paths of all ephemeral nodes of this session below this folder, by the state of the answering server. */
    void ephemerals(String folder, Reply<List<String>> reply);

    /** Makes later reads see everything that was committed before. The leader answers. */
    void sync(String path, Reply<Void> reply);

    /**
     * The result of a transaction.
     *
     * @param seats the created seats, in the order of the changes
     * @param failedAt the place of the change that failed the transaction; -1 if it succeeded, or if the place is not
     *     known
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
     * The children of a folder.
     *
     * @param children present for {@link Outcome#OK}
     */
    record Listing(Outcome outcome, @Nullable List<String> children) {}

    /**
     * The receiver of an answer. The value is present if and only if the method's Javadoc states so for the outcome.
     */
    @FunctionalInterface
    interface Reply<T> {
        void answered(Outcome outcome, @Nullable T value);
    }

    /** The receiver of an event of a node. */
    @FunctionalInterface
    interface Watch {
        void happened(Event event);
    }

    /** The receiver of the events of a folder and everything below it, in the order of the transactions. */
    @FunctionalInterface
    interface TreeWatch {
        void happened(TreeEvent event, String path);
    }

    /** What happened to a node. */
    enum TreeEvent {
        CREATED,
        DELETED,
        /**
         * The connection was lost, or other code on the client has removed the watch. Until the watch is requested again,
         * events may be missing. The path is empty.
         */
        MISSED
    }

    /** What happened to a watched node. */
    enum Event {
        NODE_DELETED,
        /** The node's data was written. */
        DATA_CHANGED,
        /** Any other event. The watch may not be set any more. */
        OTHER
    }

    /** The state of the session as the client regards it. */
    enum Liveness {
        CONNECTED,
        DISCONNECTED,
        ENDED,
        DENIED
    }

    /**
     * A node as created, written or read. For a seat that was just created, {@code data} is empty.
     *
     * @param createdMillis the leader's wall clock when it proposed the node
     * @param version the number of writes since the node was created
     * @param writtenMillis the leader's wall clock when it proposed the last write
     */
    @SuppressWarnings("ArrayRecordComponent") // bytes as received, never compared
    record Node(String path, long czxid, long owner, byte[] data, long createdMillis, int version, long writtenMillis) {

        /** Creates a node that was not written since its creation. */
        public Node(String path, long czxid, long owner, byte[] data, long createdMillis) {
            this(path, czxid, owner, data, createdMillis, 0, createdMillis);
        }
    }
}
