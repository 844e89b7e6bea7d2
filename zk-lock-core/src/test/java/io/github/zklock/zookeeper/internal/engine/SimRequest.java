package io.github.zklock.zookeeper.internal.engine;

import io.github.zklock.zookeeper.internal.transport.Change;
import io.github.zklock.zookeeper.internal.transport.Outcome;
import io.github.zklock.zookeeper.internal.transport.WireSession.Reply;
import io.github.zklock.zookeeper.internal.transport.WireSession.TreeWatch;
import io.github.zklock.zookeeper.internal.transport.WireSession.Watch;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One request of a simulated client, on its way there and back. */
final class SimRequest {

    enum Kind {
        CREATE(true),
        MAKE_FOLDER(true),
        DELETE(true),
        CHECK(true),
        SYNC(false),
        CLOSE_SESSION(true),
        OPEN_SESSION(true),
        REWRITE(true),
        REPLACE(true),
        /** Several changes of other kinds than those above. */
        BATCH(true),
        COLLECT(true),
        COUNT(true),
        LIST(false),
        LIST_ALL(false),
        WATCH_TREE(false),
        REMOVE_TREE(false),
        EXIST(false),
        READ(false),
        EPHEMERALS(false),
        PING(false),
        REMOVE_WATCH(false),
        SET_WATCHES(false);

        private final boolean write;

        Kind(boolean write) {
            this.write = write;
        }

        /** Whether it goes to the leader. */
        boolean isForwarded() {
            return write || this == SYNC;
        }
    }

    static final byte[] NO_DATA = {};

    final Kind kind;
    final String path;
    final Reply<Object> reply;
    /** What a transaction is to change. */
    List<Change> changes = List.of();
    /** For {@link Kind#LIST_ALL}, {@link Kind#EXIST} and {@link Kind#SET_WATCHES}. */
    List<String> paths = List.of();

    @Nullable Watch watch;

    @Nullable TreeWatch treeWatch;

    /** For {@link Kind#REPLACE}: the node that comes in place of the old one. */
    String replacement = "";

    /** The server from which the leader has it. */
    @Nullable SimServer handedOverBy;

    /** The session has moved since it was sent, and the leader cannot tell: an observer and its observer master are one for it. */
    boolean overtaken;

    /** For {@link Kind#OPEN_SESSION}: the timeout that the server granted. */
    long timeout;

    /** For {@link Kind#COUNT}: how many creates the folder is to have seen. */
    int creates;

    /** For {@link Kind#REMOVE_WATCH}: the server keeps its watch. */
    boolean onlyHere;
    /** For {@link Kind#SET_WATCHES}: what the client had seen, and the trees it watched. */
    long seenZxid;

    List<String> trees = List.of();

    /** Set where it is carried out. */
    boolean done;

    Outcome outcome = Outcome.OK;

    @Nullable Object value;

    /** Faults. */
    boolean cutBeforeReply;

    boolean dropped;

    boolean answered;

    SimRequest(Kind kind, String path, Reply<Object> reply) {
        this.kind = kind;
        this.path = path;
        this.reply = reply;
    }

    /** A request to whose answer nobody listens. */
    static SimRequest silent(Kind kind, String path) {
        return new SimRequest(kind, path, (outcome, value) -> {});
    }

    /** A transaction to whose answer nobody listens. */
    static SimRequest of(Kind kind, Change change) {
        SimRequest request = silent(kind, change.path());
        request.changes = List.of(change);
        return request;
    }

    void done(Outcome how, @Nullable Object what) {
        done = true;
        outcome = how;
        value = what;
    }

    /** Tells the asker, once. */
    void answer(Outcome how, @Nullable Object what) {
        if (!answered) {
            answered = true;
            reply.answered(how, what);
        }
    }
}
