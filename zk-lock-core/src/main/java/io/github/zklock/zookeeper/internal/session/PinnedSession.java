package io.github.zklock.zookeeper.internal.session;

import io.github.zklock.zookeeper.internal.queue.Demand;
import io.github.zklock.zookeeper.internal.runtime.EngineLog;
import io.github.zklock.zookeeper.internal.runtime.EngineRun;
import io.github.zklock.zookeeper.internal.runtime.Time;
import io.github.zklock.zookeeper.internal.session.SessionProof.Proves;
import io.github.zklock.zookeeper.internal.transport.Change;
import io.github.zklock.zookeeper.internal.transport.Outcome;
import io.github.zklock.zookeeper.internal.transport.WireSession;
import io.github.zklock.zookeeper.internal.transport.WireSession.Liveness;
import io.github.zklock.zookeeper.internal.transport.WireSession.Node;
import io.github.zklock.zookeeper.internal.transport.WireSession.Reply;
import io.github.zklock.zookeeper.internal.transport.WireSession.TreeWatch;
import io.github.zklock.zookeeper.internal.transport.WireSession.Watch;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * The time for which one session is ours, from pinning until it ends: the wire, the proof that it lives, and the
 * seats that stand on it. Every request of the engine goes through here, so that each answer adds to the proof.
 */
public final class PinnedSession {

    /** Is told how requests ended, before whoever asked is. */
    public interface Observer {
        void answered(PinnedSession source, Outcome outcome);

        /** A request that was sent after this instant has created this node. */
        default void created(PinnedSession source, Node node, long sentAt) {}
    }

    private static final Logger LOG = EngineLog.of(PinnedSession.class);
    private static final int UNKNOWN_PAUSES = 64;
    /** After so many session timeouts on a connection that is there, an answer does not come any more. */
    private static final int MOST_TIMEOUTS = 4;

    private final EngineRun run;
    private final WireSession wire;
    private final SessionProof proof;
    private final Time time;
    private final Observer observer;
    private final Set<SessionNode> nodes = new LinkedHashSet<>();
    private final Set<Question<?>> unanswered = new LinkedHashSet<>();
    private final SeatBudget budget = new SeatBudget();
    private final Asked<?> oldest = new Asked<>(0, Proves.NOTHING, (outcome, value) -> {});
    private long creates;
    private boolean ended;
    /** The connection by which the proof goes. */
    private long connection;

    /** The latest connection on which everything was asked for again that a new one needs. */
    private long settled;

    private boolean connectionLost;

    public PinnedSession(EngineRun run, WireSession wire, Time time, Observer observer) {
        this.run = run;
        this.wire = wire;
        this.time = time;
        this.observer = observer;
        this.connection = wire.connectionNumber();
        this.settled = connection;
        OptionalLong attempted = wire.attemptedAfterNanos();
        boolean known = attempted.isPresent() && run.isTrusted(attempted.getAsLong());
        this.proof = new SessionProof(
                wire.timeoutNanos(),
                known ? attempted : OptionalLong.empty(),
                known && wire.isFresh(),
                time.nanoTime());
    }

    public long sessionId() {
        return wire.id();
    }

    /** The shortest one that any connection has negotiated. (M27) */
    public long timeoutNanos() {
        return proof.timeoutNanos();
    }

    public Liveness liveness() {
        Liveness seen = wire.liveness();
        // after the state: the client writes the id before it
        return wire.currentId() == wire.id() ? seen : Liveness.ENDED;
    }

    public SessionProof proof() {
        return proof;
    }

    /** Whether a lock that rests on this session can be proven to be held. Any thread. */
    public boolean isValid(long now) {
        if (wire.isKnownToLive()) {
            return liveness() == Liveness.CONNECTED && !isForsaken();
        }
        // first: a shorter timeout than the proof knows of may have put the expiry forward, which the proof will say
        // afterwards
        return wire.timeoutNanos() >= proof.timeoutNanos()
                && proof.isValid(now)
                && liveness() != Liveness.ENDED
                && !isForsaken();
    }

    /** For how long a lock that rests on this session can be proven to be held from now on. Any thread. */
    public long remainingNanos(long now) {
        if (!isValid(now)) {
            return 0;
        }
        return wire.isKnownToLive() ? timeoutNanos() : proof.remainingNanos(now);
    }

    /** Whether the engine was replaced: nothing rests on this session any more. Any thread. */
    public boolean isForsaken() {
        return run.isOver();
    }

    /** The nodes of the seats that stand in a queue or hold a lock. */
    public Set<SessionNode> nodes() {
        return nodes;
    }

    /** How many nodes were asked for. */
    public long creates() {
        return creates;
    }

    /** What the nodes take that this session has or may have. */
    public SeatBudget budget() {
        return budget;
    }

    /** The bytes that the node of a seat in this folder takes of the budget. */
    public int bytesOf(String folder, Demand demand) {
        return SeatBudget.bytesOf(wire.prefixBytes(), folder, demand);
    }

    public boolean hasEnded() {
        return ended;
    }

    public void end() {
        ended = true;
        unanswered.clear();
    }

    /** The engine needs it no more, although it goes on. */
    public void leave() {
        wire.leave();
    }

    /**
     * Asks until there is an answer.
     *
     * @param request sends the request once
     */
    public <T> Question<T> ask(Consumer<Reply<T>> request, Reply<T> reply) {
        Question<T> question = new Question<>(this, request, reply);
        question.ask();
        return question;
    }

    public void askOnNextConnection(Question<?> question) {
        unanswered.add(question);
    }

    public void forget(Question<?> question) {
        unanswered.remove(question);
    }

    /** A connection is there again. */
    public void askAgain() {
        List<Question<?>> lost = List.copyOf(unanswered);
        unanswered.clear();
        lost.forEach(Question::ask);
    }

    public void create(Change.CreateSeat seat, Reply<Node> reply) {
        creates++;
        long sentAt = time.nanoTime();
        Reply<Node> noting = (outcome, node) -> {
            if (node != null && !ended) {
                observer.created(this, node, sentAt);
            }
            reply.answered(outcome, node);
        };
        send(Proves.COMMIT, noting, observed -> wire.create(seat, observed));
    }

    public void makeFolder(String path, Reply<Void> reply) {
        send(Proves.NOTHING, reply, observed -> wire.makeFolder(path, observed));
    }

    /** Runs the action, and sends the writes that it asks for in one transaction where that is possible. */
    public void together(Runnable asking) {
        wire.together(asking);
    }

    public void list(String folder, Reply<List<String>> reply) {
        send(Proves.NOTHING, reply, observed -> wire.list(folder, observed));
    }

    /** Whether nodes exist: the answers in the order of the paths. */
    public void exist(List<String> paths, Reply<List<Boolean>> reply) {
        send(Proves.NOTHING, reply, observed -> wire.exist(paths, observed));
    }

    /**
     * Lists a folder as it is now: a node that is not listed is not there, and does not come to exist by what was sent before
     * on this wire. {@link Outcome#UNKNOWN} if what was listed may be older than that.
     */
    public void listCommitted(String folder, Reply<List<String>> reply) {
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

    public void read(String path, Reply<Node> reply) {
        send(Proves.NOTHING, reply, observed -> wire.read(path, observed));
    }

    public void readWatching(String path, Watch watch, Reply<Node> reply) {
        send(Proves.NOTHING, reply, observed -> wire.readWatching(path, watch, observed));
    }

    public void watchTree(String folder, TreeWatch watch, Reply<Void> reply) {
        send(Proves.NOTHING, reply, observed -> wire.watchTree(folder, watch, observed));
    }

    public void unwatchTree(String folder, TreeWatch watch) {
        try {
            wire.unwatchTree(folder, watch);
        } catch (RuntimeException error) {
            // a watch too many does no harm (L19)
            LOG.debug("The watch of {} could not be removed", folder, error);
        }
    }

    public void unwatch(String path, Watch watch) {
        try {
            wire.unwatch(path, watch);
        } catch (RuntimeException error) {
            // whoever leaves must not be held up by it: a watch too many does no harm (L19)
            LOG.debug("The watch on {} could not be removed", path, error);
        }
    }

    public void delete(String path, Reply<Void> reply) {
        send(Proves.COMMIT, reply, observed -> wire.delete(path, observed));
    }

    public void write(String path, byte[] data, Reply<Void> reply) {
        send(Proves.COMMIT, reply, observed -> wire.write(path, data, observed));
    }

    public void replace(String path, String replacement, byte[] data, Reply<Void> reply) {
        send(Proves.COMMIT, reply, observed -> wire.replace(path, replacement, data, observed));
    }

    public void check(List<String> paths, Reply<Integer> reply) {
        send(Proves.COMMIT, reply, observed -> wire.check(paths, observed));
    }

    public void sync(String path, Reply<Void> reply) {
        send(Proves.LEADER, reply, observed -> wire.sync(path, observed));
    }

    public void ephemerals(String folder, Reply<List<String>> reply) {
        send(Proves.NOTHING, reply, observed -> wire.ephemerals(folder, observed));
    }

    /** As {@link #ephemerals}, with the guarantee of {@link #listCommitted}. */
    public void ephemeralsCommitted(String folder, Reply<List<String>> reply) {
        ephemerals(folder, behindCommit(folder, reply));
    }

    /** Requests sent on the connection were lost. */
    public void connectionBroken() {
        connectionLost = true;
        proof.disconnected();
    }

    /**
     * Whether there was another connection than the one that was settled on. The client calls itself connected while it looks
     * for the next server, and sends what it is given meanwhile on the next connection: nothing else shows that there was
     * another one, on which watches may not have been set again.
     */
    public boolean hasMoved() {
        return connection != settled;
    }

    /** All that has to be asked for again on this connection will be. */
    public void settle() {
        settled = connection;
    }

    /** Notices that there is another connection than the one by which the proof goes, or none. */
    public void noticeConnection() {
        long number = wire.connectionNumber();
        if (number == connection && wire.timeoutNanos() == proof.timeoutNanos() && !connectionLost) {
            return;
        }
        long shorter = wire.timeoutNanos();
        if (wire.liveness() != Liveness.CONNECTED || wire.connectionNumber() != number) {
            connectionBroken();
        } else if (connectionLost || number != connection || shorter < proof.timeoutNanos()) {
            connectionLost = false;
            connection = number;
            warnIfShorter(shorter);
            proof.connected(wire.attemptedAfterNanos(), shorter, wire.shortenedAfterNanos(), time.nanoTime());
        }
    }

    private void warnIfShorter(long shorter) {
        if (shorter < proof.timeoutNanos()) {
            LOG.warn(
                    "A server granted session {} a timeout of {} instead of {}: the shorter one counts from now on. Configure"
                            + " the same minSessionTimeout and maxSessionTimeout on all servers",
                    Long.toHexString(wire.id()),
                    Duration.ofNanos(shorter),
                    Duration.ofNanos(proof.timeoutNanos()));
        }
    }

    /** Sends a request. If the client does not take it, the reply is told {@link Outcome#NOT_SENT}, and nobody else suffers. (L19) */
    private <T> void send(Proves success, Reply<T> reply, Consumer<Reply<T>> request) {
        Asked<T> asked = new Asked<>(time.nanoTime(), success, reply);
        asked.follow(oldest.before);
        try {
            request.accept(asked);
        } catch (RuntimeException error) {
            LOG.warn("A request to ZooKeeper could not be sent", error);
            asked.leave();
            run.execute(() -> reply.answered(Outcome.NOT_SENT, null));
        }
    }

    /**
     * Whether a request was lost inside of this process: it had no answer for far longer than any server takes. Counts how often
     * it was asked, as a process that was stopped has not waited.
     *
     * @param pauseNanos from one such question to the next
     */
    public boolean hasLostAnAnswer(long pauseNanos) {
        Asked<?> first = oldest.next;
        if (first == oldest || liveness() != Liveness.CONNECTED) {
            return false;
        }
        // a server that grants more time than another one may also be silent for longer
        return ++first.looks * pauseNanos > MOST_TIMEOUTS * Math.max(timeoutNanos(), wire.latestTimeoutNanos());
    }

    /** A request on its way, in a ring with those sent before and after it. */
    private final class Asked<T> implements Reply<T> {

        private final long sentAt;
        private final Proves success;
        private final Reply<T> reply;
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
            observer.answered(PinnedSession.this, outcome);
            if (outcome == Outcome.UNKNOWN) {
                // whoever asks again does so after a pause: a server in trouble must not be stormed
                time.after(timeoutNanos() / UNKNOWN_PAUSES, () -> reply.answered(outcome, value));
            } else {
                reply.answered(outcome, value);
            }
        }
    }
}
