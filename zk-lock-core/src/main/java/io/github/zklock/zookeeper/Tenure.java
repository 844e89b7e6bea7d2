package io.github.zklock.zookeeper;

import io.github.zklock.zookeeper.SessionProof.Proves;
import io.github.zklock.zookeeper.internal.queue.Demand;
import io.github.zklock.zookeeper.internal.runtime.EngineLog;
import io.github.zklock.zookeeper.internal.runtime.EngineRun;
import io.github.zklock.zookeeper.internal.runtime.Time;
import io.github.zklock.zookeeper.internal.transport.Outcome;
import io.github.zklock.zookeeper.internal.transport.WireSession;
import io.github.zklock.zookeeper.internal.transport.WireSession.Liveness;
import io.github.zklock.zookeeper.internal.transport.WireSession.Node;
import io.github.zklock.zookeeper.internal.transport.WireSession.Reply;
import io.github.zklock.zookeeper.internal.transport.WireSession.Watch;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * The time for which one session is ours, from pinning until it ends: the session, the proof that it lives, and the
 * seats that stand on it. Every request of the engine goes through here, so that each answer adds to the proof.
 */
final class Tenure {

    /** Is told how requests ended, before whoever asked is. */
    interface Observer {
        void answered(Tenure tenure, Outcome outcome);

        /** A request that was sent after this instant has created this node. */
        default void created(Tenure tenure, Node node, long sentAt) {}
    }

    private static final Logger LOG = EngineLog.of(Tenure.class);
    private static final int UNKNOWN_PAUSES = 64;
    /** After so many session timeouts on a connection that is there, an answer does not come any more. */
    private static final int MOST_TIMEOUTS = 4;

    private final EngineRun run;
    private final WireSession session;
    private final SessionProof proof;
    private final Time time;
    private final Observer observer;
    private final Set<Seat> seats = new LinkedHashSet<>();
    private final SeatBudget budget = new SeatBudget();
    private final Asked<?> oldest = new Asked<>(0, Proves.NOTHING, (outcome, value) -> {});
    private long creates;
    private boolean ended;
    /** The connection by which the proof goes. */
    private long connection;

    /** The latest connection on which everything was asked for again that a new one needs. */
    private long settled;

    private boolean connectionLost;

    Tenure(EngineRun run, WireSession session, Time time, Observer observer) {
        this.run = run;
        this.session = session;
        this.time = time;
        this.observer = observer;
        this.connection = session.connectionNumber();
        this.settled = connection;
        OptionalLong attempted = session.attemptedAfterNanos();
        boolean known = attempted.isPresent() && run.isTrusted(attempted.getAsLong());
        this.proof = new SessionProof(
                session.timeoutNanos(),
                known ? attempted : OptionalLong.empty(),
                known && session.isFresh(),
                time.nanoTime());
    }

    long sessionId() {
        return session.id();
    }

    /** The shortest one that any connection has negotiated. (M27) */
    long timeoutNanos() {
        return proof.timeoutNanos();
    }

    Liveness liveness() {
        Liveness seen = session.liveness();
        // after the state: the client writes the id before it
        return session.currentId() == session.id() ? seen : Liveness.ENDED;
    }

    SessionProof proof() {
        return proof;
    }

    /** Whether a lock that rests on this session can be proven to be held. Any thread. */
    boolean isValid(long now) {
        // first: a shorter timeout than the proof knows of may have put the expiry forward, which the proof will say
        // afterwards
        return session.timeoutNanos() >= proof.timeoutNanos()
                && proof.isValid(now)
                && liveness() != Liveness.ENDED
                && !isForsaken();
    }

    /** Whether the engine was replaced: nothing rests on this session any more. Any thread. */
    boolean isForsaken() {
        return run.isOver();
    }

    /** The seats that stand in a queue or hold a lock. */
    Set<Seat> seats() {
        return seats;
    }

    /** How many nodes were asked for. */
    long creates() {
        return creates;
    }

    /** What the nodes take that this session has or may have. */
    SeatBudget budget() {
        return budget;
    }

    /** The bytes that the node of a seat in this folder takes of the budget. */
    int bytesOf(String folder, Demand demand) {
        return SeatBudget.bytesOf(session.prefixBytes(), folder, demand);
    }

    boolean hasEnded() {
        return ended;
    }

    void end() {
        ended = true;
    }

    void create(String path, byte[] data, Reply<Node> reply) {
        creates++;
        long sentAt = time.nanoTime();
        session.create(path, data, observed(sentAt, Proves.COMMIT, (outcome, node) -> {
            if (node != null && !ended) {
                observer.created(this, node, sentAt);
            }
            reply.answered(outcome, node);
        }));
        sent();
    }

    void makeFolder(String path, Reply<Void> reply) {
        session.makeFolder(path, observed(Proves.NOTHING, reply));
        sent();
    }

    void list(String folder, Reply<List<String>> reply) {
        session.list(folder, observed(Proves.NOTHING, reply));
        sent();
    }

    /**
     * Lists a folder as it is now: a node that is not listed is not there, and does not come to exist by what was sent before
     * on this session. {@link Outcome#UNKNOWN} if what was listed may be older than that.
     */
    void listCommitted(String folder, Reply<List<String>> reply) {
        list(folder, behindCommit(folder, reply));
    }

    /** Sends a commit on which the answer to the next request depends. */
    private <T> Reply<T> behindCommit(String path, Reply<T> reply) {
        // a write, also one that fails, has its place behind all that this session sent before;
        // a sync is answered by a deposed leader, too (L25)
        AtomicBoolean committed = new AtomicBoolean();
        check(List.of(path), (outcome, missing) -> committed.set(!outcome.isUnknown()));
        return (outcome, value) -> {
            if (outcome.isUnknown() || committed.get()) {
                reply.answered(outcome, value);
            } else {
                reply.answered(Outcome.UNKNOWN, null);
            }
        };
    }

    void listWatching(String folder, Watch watch, Reply<List<String>> reply) {
        session.listWatching(folder, watch, observed(Proves.NOTHING, reply));
        sent();
    }

    void read(String path, Reply<Node> reply) {
        session.read(path, observed(Proves.NOTHING, reply));
        sent();
    }

    void readWatching(String path, Watch watch, Reply<Node> reply) {
        session.readWatching(path, watch, observed(Proves.NOTHING, reply));
        sent();
    }

    void unwatch(String path, Watch watch) {
        try {
            session.unwatch(path, watch);
        } catch (RuntimeException error) {
            // whoever leaves must not be held up by it: a watch too many does no harm (L19)
            LOG.debug("The watch on {} could not be removed", path, error);
        }
    }

    void delete(String path, Reply<Void> reply) {
        session.delete(path, observed(Proves.COMMIT, reply));
        sent();
    }

    void deleteAll(List<String> paths, List<String> others, Reply<Integer> reply) {
        session.deleteAll(paths, others, observed(Proves.COMMIT, reply));
        sent();
    }

    void write(String path, byte[] data, Reply<Void> reply) {
        session.write(path, data, observed(Proves.COMMIT, reply));
        sent();
    }

    void replace(String path, String replacement, byte[] data, Reply<Void> reply) {
        session.replace(path, replacement, data, observed(Proves.COMMIT, reply));
        sent();
    }

    void check(List<String> paths, Reply<Integer> reply) {
        session.check(paths, observed(Proves.COMMIT, reply));
        sent();
    }

    void sync(String path, Reply<Void> reply) {
        session.sync(path, observed(Proves.LEADER, reply));
        sent();
    }

    void ephemerals(String folder, Reply<List<String>> reply) {
        session.ephemerals(folder, observed(Proves.NOTHING, reply));
        sent();
    }

    /** As {@link #ephemerals}, with the guarantee of {@link #listCommitted}. */
    void ephemeralsCommitted(String folder, Reply<List<String>> reply) {
        ephemerals(folder, behindCommit(folder, reply));
    }

    /** Requests sent on the connection were lost. */
    void connectionBroken() {
        connectionLost = true;
        proof.disconnected();
    }

    /**
     * Whether there was another connection than the one that was settled on. The client calls itself connected while it looks
     * for the next server, and sends what it is given meanwhile on the next connection: nothing else shows that there was
     * another one, on which watches may not have been set again.
     */
    boolean hasMoved() {
        return connection != settled;
    }

    /** All that has to be asked for again on this connection will be. */
    void settle() {
        settled = connection;
    }

    /** Notices that there is another connection than the one by which the proof goes, or none. */
    void noticeConnection() {
        long number = session.connectionNumber();
        if (number == connection && session.timeoutNanos() == proof.timeoutNanos() && !connectionLost) {
            return;
        }
        long shorter = session.timeoutNanos();
        if (session.liveness() != Liveness.CONNECTED || session.connectionNumber() != number) {
            connectionBroken();
        } else if (connectionLost || number != connection || shorter < proof.timeoutNanos()) {
            connectionLost = false;
            connection = number;
            warnIfShorter(shorter);
            proof.connected(session.attemptedAfterNanos(), shorter, session.shortenedAfterNanos(), time.nanoTime());
        }
    }

    private void warnIfShorter(long shorter) {
        if (shorter < proof.timeoutNanos()) {
            LOG.warn(
                    "A server granted session {} a timeout of {} instead of {}: the shorter one counts from now on. Configure"
                            + " the same minSessionTimeout and maxSessionTimeout on all servers",
                    Long.toHexString(session.id()),
                    Duration.ofNanos(shorter),
                    Duration.ofNanos(proof.timeoutNanos()));
        }
    }

    private <T> Reply<T> observed(Proves success, Reply<T> reply) {
        return observed(time.nanoTime(), success, reply);
    }

    private <T> Reply<T> observed(long sentAt, Proves success, Reply<T> reply) {
        Asked<T> asked = new Asked<>(sentAt, success, reply);
        asked.follow(oldest.before);
        return asked;
    }

    /** The latest request could be sent: an answer will come. */
    private void sent() {
        oldest.before.sent = true;
    }

    /**
     * Whether a request was lost inside of this process: it had no answer for far longer than any server takes. Counts how often
     * it was asked, as a process that was stopped has not waited.
     *
     * @param pauseNanos from one such question to the next
     */
    boolean hasLostAnAnswer(long pauseNanos) {
        Asked<?> first = oldest.next;
        while (first != oldest && !first.sent) {
            // its sending has failed, which whoever asked knows
            first.leave();
            first = oldest.next;
        }
        if (first == oldest || liveness() != Liveness.CONNECTED) {
            return false;
        }
        return ++first.looks * pauseNanos > MOST_TIMEOUTS * timeoutNanos();
    }

    /** A request on its way, in a ring with those sent before and after it. */
    private final class Asked<T> implements Reply<T> {

        private final long sentAt;
        private final Proves success;
        private final Reply<T> reply;
        private boolean sent;
        private int looks;
        private Asked<?> before = this;
        private Asked<?> next = this;

        Asked(long sentAt, Proves success, Reply<T> reply) {
            this.sentAt = sentAt;
            this.success = success;
            this.reply = reply;
        }

        void follow(Asked<?> last) {
            before = last;
            next = last.next;
            last.next.before = this;
            last.next = this;
        }

        void leave() {
            before.next = next;
            next.before = before;
            before = this;
            next = this;
        }

        @Override
        public void answered(Outcome outcome, @Nullable T value) {
            leave();
            if (!ended && !outcome.isUnknown()) {
                noticeConnection();
                proof.answered(sentAt, time.nanoTime(), outcome == Outcome.OK ? success : Proves.NOTHING);
            }
            observer.answered(Tenure.this, outcome);
            if (outcome == Outcome.UNKNOWN) {
                // whoever asks again does so after a pause: a server in trouble must not be stormed
                time.after(timeoutNanos() / UNKNOWN_PAUSES, () -> reply.answered(outcome, value));
            } else {
                reply.answered(outcome, value);
            }
        }
    }
}
