package io.github.zklock.zookeeper.internal.session;

import io.github.zklock.internal.Words;
import io.github.zklock.zookeeper.internal.queue.Demand;
import io.github.zklock.zookeeper.internal.queue.QueueView;
import io.github.zklock.zookeeper.internal.queue.SeatName;
import io.github.zklock.zookeeper.internal.runtime.EngineLog;
import io.github.zklock.zookeeper.internal.runtime.EngineRun;
import io.github.zklock.zookeeper.internal.runtime.Time;
import io.github.zklock.zookeeper.internal.session.SessionProof.Proves;
import io.github.zklock.zookeeper.internal.transport.Change;
import io.github.zklock.zookeeper.internal.transport.Connection;
import io.github.zklock.zookeeper.internal.transport.GroupCommit;
import io.github.zklock.zookeeper.internal.transport.Outcome;
import io.github.zklock.zookeeper.internal.transport.WireSession;
import io.github.zklock.zookeeper.internal.transport.WireSession.Liveness;
import io.github.zklock.zookeeper.internal.transport.WireSession.Node;
import io.github.zklock.zookeeper.internal.transport.WireSession.Reply;
import io.github.zklock.zookeeper.internal.transport.WireSession.TreeWatch;
import io.github.zklock.zookeeper.internal.transport.WireSession.Watch;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * One ZooKeeper session, from the moment when the engine starts to use it until it ends: its wire, the proof that it is
 * alive, and the nodes that it owns. Each request of the engine is sent through this class, so that each answer extends
 * the proof.
 */
public final class PinnedSession {

    /** A receiver of outcomes, which is called before the sender of the request. */
    public interface Observer {
        void answered(PinnedSession source, Outcome outcome);

        /**
         * Called when a request has created a node.
         *
         * @param sentAt an instant before the request was sent
         */
        default void created(PinnedSession source, Node node, long sentAt) {}
    }

    private record Search(String id, Reply<List<SeatName>> reply) {}

    private static final Logger LOG = EngineLog.of(PinnedSession.class);
    private static final int UNKNOWN_PAUSES = 64;
    /** The number of session timeouts on a live connection after which an answer counts as lost. */
    private static final int MOST_TIMEOUTS = 4;

    private final EngineRun run;
    private final WireSession wire;
    private final GroupCommit writes;
    private final SessionProof proof;
    private final Time time;
    private final Observer observer;
    /** By their ids. */
    private final Map<String, SessionNode> nodes = new LinkedHashMap<>();

    private final Set<Question<?>> unanswered = new LinkedHashSet<>();
    /** The searches whose listing is not sent yet, by folder. */
    private final Map<String, List<Search>> searches = new HashMap<>(0);

    private final SeatBudget budget;
    private final Asked<?> oldest = new Asked<>(0, Proves.NOTHING, (outcome, value) -> {}, false);
    private long creates;
    /** Whether a server may still execute a create that counts as lost. */
    private boolean mayCreateLate;

    private boolean ended;
    /** The connection to which the proof applies; null from its loss until the next one is noticed. */
    private @Nullable Connection connection;

    /**
     * The number of the connection on which everything that a new connection requires was requested again; empty from its
     * loss until that is done on the next one.
     */
    private OptionalLong settled;

    /** @param writes sends the writes and listings of the same session */
    public PinnedSession(EngineRun run, WireSession wire, GroupCommit writes, Time time, Observer observer) {
        this.run = run;
        this.wire = wire;
        this.writes = writes;
        this.time = time;
        this.observer = observer;
        this.budget = new SeatBudget(wire.seatBytes());
        Connection present = wire.connection();
        this.connection = present;
        this.settled = OptionalLong.of(present.number());
        Connection.Attempt attempt = present.attempt();
        boolean trusted = attempt != null && run.isTrusted(attempt.afterNanos());
        this.proof = new SessionProof(
                present.timeoutNanos(),
                trusted ? present.attemptedAfterNanos() : OptionalLong.empty(),
                attempt != null && attempt.fresh(),
                time.nanoTime());
    }

    public long sessionId() {
        return wire.id();
    }

    /** Returns the shortest timeout that any connection of the session has negotiated. (M27) */
    public long timeoutNanos() {
        return proof.timeoutNanos();
    }

    public Liveness liveness() {
        Liveness seen = wire.liveness();
        // read after the state: the client writes the id before it
        return wire.currentId() == wire.id() ? seen : Liveness.ENDED;
    }

    public SessionProof proof() {
        return proof;
    }

    /** Returns whether a lock that depends on this session can be proven to be held. Any thread. */
    public boolean isValid(long now) {
        if (wire.isKnownToLive()) {
            return liveness() == Liveness.CONNECTED && !isForsaken();
        }
        // checks the timeout first: until the proof is updated, a shorter timeout may make the session expire earlier
        // than the proof shows
        return !isShorter(wire.connection()) && proof.isValid(now) && liveness() != Liveness.ENDED && !isForsaken();
    }

    private boolean isShorter(Connection present) {
        return present.timeoutNanos() < proof.timeoutNanos();
    }

    /** Returns for how long from now a lock that depends on this session can be proven to be held. Any thread. */
    public long remainingNanos(long now) {
        if (!isValid(now)) {
            return 0;
        }
        return wire.isKnownToLive() ? timeoutNanos() : proof.remainingNanos(now);
    }

    /** Returns whether the engine was replaced, so that no lock depends on this session any more. Any thread. */
    public boolean isForsaken() {
        return run.isOver();
    }

    /** Returns whether the session is proven only after the expiry of a later one. */
    boolean isSuspect() {
        return !ended && !wire.isKnownToLive() && proof.isSuspect();
    }

    /** Returns the nodes of seats that wait in a queue or hold a lock. */
    public Collection<SessionNode> nodes() {
        return Collections.unmodifiableCollection(nodes.values());
    }

    /** Returns the node of this id. */
    public Optional<SessionNode> node(String id) {
        return Optional.ofNullable(nodes.get(id));
    }

    public void add(SessionNode node) {
        nodes.put(node.id(), node);
    }

    public void remove(SessionNode node) {
        nodes.remove(node.id(), node);
    }

    /** Returns the number of nodes that were requested. */
    public long creates() {
        return creates;
    }

    /**
     * Returns whether the answer to a create was lost; {@code OrphanSweep} then looks for its node. It may be executed
     * at any later time while the session lives, even after it was repeated and after a listing behind a commit: a
     * server that was cut off may pass it on to the leader when the session has moved to the same server again, or to
     * one behind it.
     */
    public boolean mayCreateLate() {
        return mayCreateLate && !ended;
    }

    /** Returns whether the session stays when the registry is closed, because its client belongs to other code. */
    public boolean outlivesRegistry() {
        return wire.isShared();
    }

    /** Returns the bytes of the nodes that this session has or may have. */
    public SeatBudget budget() {
        return budget;
    }

    /** Returns the bytes of the budget that the node of a seat in this folder takes. */
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

    /** Stops using the session, which stays open. */
    public void leave() {
        budget.leave();
        writes.leave();
    }

    /**
     * Sends a request until it is answered.
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

    /** Sends the unanswered requests again, on a new connection. */
    public void askAgain() {
        List<Question<?>> lost = List.copyOf(unanswered);
        unanswered.clear();
        lost.forEach(Question::ask);
    }

    /**
     * Creates a seat. After {@link Outcome#UNKNOWN} the caller makes the pause of {@link #afterPause} itself, if it
     * needs the node.
     */
    public void create(Change.CreateSeat seat, Reply<Node> reply) {
        creates++;
        long sentAt = time.nanoTime();
        Reply<Node> noting = (outcome, node) -> {
            if (node != null && !ended) {
                observer.created(this, node, sentAt);
            }
            mayCreateLate |= outcome.isUnknown();
            reply.answered(outcome, node);
        };
        // answered at once, because other seats are requested behind this one until its outcome counts as unknown
        send(new Asked<>(sentAt, Proves.COMMIT, noting, true), observed -> writes.create(seat, observed));
    }

    public void makeFolder(String path, Reply<Void> reply) {
        send(Proves.NOTHING, reply, observed -> wire.makeFolder(path, observed));
    }

    /** Runs the action, and sends the writes that it requests in one transaction where possible. */
    public void together(Runnable asking) {
        writes.together(asking);
    }

    public void list(String folder, Reply<List<String>> reply) {
        send(Proves.NOTHING, reply, observed -> writes.list(folder, observed));
    }

    /** Queries whether nodes exist. The answers are in the order of the paths. */
    public void exist(List<String> paths, Reply<List<Boolean>> reply) {
        send(Proves.NOTHING, reply, observed -> wire.exist(paths, observed));
    }

    /**
     * Lists the present children of a folder. If a node is not listed, it does not exist, and no request that was sent
     * earlier on this session creates it later, except as {@link #mayCreateLate} states. The outcome is {@link
     * Outcome#UNKNOWN} if the list may be older than that.
     */
    public void listCommitted(String folder, Reply<List<String>> reply) {
        list(folder, behindCommit(folder, reply));
    }

    /**
     * Searches for the nodes of a seat of this session, with the guarantee of {@link #listCommitted}. The reply receives
     * them in their order. Searches in the same folder share one listing until it is sent: after a lost connection, a
     * process may have to search for thousands of nodes.
     */
    public void find(String folder, String id, Reply<List<SeatName>> reply) {
        List<Search> together = searches.get(folder);
        if (together != null) {
            together.add(new Search(id, reply));
        } else {
            searches.put(folder, new ArrayList<>(List.of(new Search(id, reply))));
            run.continueWith(() -> search(folder));
        }
    }

    private void search(String folder) {
        List<Search> together = searches.remove(folder);
        if (together == null) {
            return;
        }
        listCommitted(folder, (outcome, children) -> {
            Map<String, List<SeatName>> found = new HashMap<>();
            QueueView.of(children == null ? List.of() : children)
                    .seats()
                    .forEach(seat -> found.computeIfAbsent(seat.id(), id -> new ArrayList<>(1))
                            .add(seat));
            for (Search each : together) {
                each.reply.answered(outcome, children == null ? null : found.getOrDefault(each.id, List.of()));
            }
        });
    }

    /** Sends a commit, and returns a reply whose result is valid only if the commit succeeded. */
    private <T> Reply<T> behindCommit(String path, Reply<T> reply) {
        // the server orders a write, also one that fails, behind everything that this session sent before; a sync is
        // not enough, because a deposed leader answers it, too (L25)
        AtomicBoolean committed = new AtomicBoolean();
        check(List.of(path), (outcome, missing) -> committed.set(!outcome.isUnknown() && outcome.isOfSentRequest()));
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
            // an extra watch does no harm (L19)
            LOG.debug("The watch of {} could not be removed", folder, error);
        }
    }

    public void unwatch(String path, Watch watch) {
        try {
            wire.unwatch(path, watch);
        } catch (RuntimeException error) {
            // a failure must not delay the removal of a seat: an extra watch does no harm (L19)
            LOG.debug("The watch on {} could not be removed", path, error);
        }
    }

    public void delete(Change.Delete deletion, Reply<Void> reply) {
        send(Proves.COMMIT, reply, observed -> writes.delete(deletion, observed));
    }

    /** Called at intervals of an eighth of the session timeout, while the session is connected. */
    void tick() {
        writes.tick();
    }

    public void write(String path, byte[] data, Reply<Void> reply) {
        send(Proves.COMMIT, reply, observed -> writes.write(path, data, observed));
    }

    /**
     * Creates an ephemeral node with exactly this path and deletes another one, in this order, in one committed
     * transaction. The outcome is {@link Outcome#NO_NODE} if the old node does not exist.
     */
    public void replace(String path, String replacement, byte[] data, Reply<Void> reply) {
        List<Change> changes = List.of(new Change.CreateEphemeral(replacement, data), new Change.Delete(path));
        send(
                Proves.COMMIT,
                reply,
                observed -> wire.transact(changes, (outcome, done) -> {
                    mayCreateLate |= outcome.isUnknown();
                    observed.answered(outcome, null);
                }));
    }

    /**
     * Checks in one committed transaction that all these nodes exist.
     *
     * @param reply {@link Outcome#NO_NODE} or {@link Outcome#ACCESS_DENIED} with the index of the first node that is
     *     missing or may not be read
     */
    public void check(List<String> paths, Reply<Integer> reply) {
        List<Change> checks = paths.stream().<Change>map(Change.Check::new).toList();
        send(
                Proves.COMMIT,
                reply,
                observed -> wire.transact(
                        checks,
                        (outcome, done) -> observed.answered(
                                outcome, done == null || done.failedAt() < 0 ? null : done.failedAt())));
    }

    public void sync(String path, Reply<Void> reply) {
        send(Proves.LEADER, reply, observed -> wire.sync(path, observed));
    }

    /** Creates a node as {@link WireSession#createExpiring} does. The outcome shows nothing about this session. */
    void createExpiring(String path, long timeoutNanos, Reply<Long> reply) {
        try {
            wire.createExpiring(path, timeoutNanos, reply);
        } catch (RuntimeException error) {
            LOG.debug("The node {} could not be requested", path, error);
            run.execute(() -> reply.answered(Outcome.NOT_SENT, null));
        }
    }

    public void ephemerals(String folder, Reply<List<String>> reply) {
        send(Proves.NOTHING, reply, observed -> wire.ephemerals(folder, observed));
    }

    /** Lists as {@link #ephemerals} does, with the guarantee of {@link #listCommitted}. */
    public void ephemeralsCommitted(String folder, Reply<List<String>> reply) {
        ephemerals(folder, behindCommit(folder, reply));
    }

    /**
     * Executes a change at once: unlike {@link #create}, {@link #delete} and {@link #write}, it does not wait for other
     * writes. A request that is sent later is executed later.
     */
    public void changeAtOnce(Change change, Reply<Node> reply) {
        send(Proves.COMMIT, reply, observed -> wire.change(change, observed));
    }

    /** Records that requests on the connection were lost. */
    public void connectionBroken() {
        connection = null;
        proof.disconnected();
    }

    /** Returns whether the engine sends requests: everything that the connection requires was requested on it. */
    public boolean isConnected() {
        return settled.isPresent() && !ended;
    }

    /**
     * Returns whether there was another connection than the settled one. While the client looks for the next server, it
     * reports itself as connected, and it sends on the next connection what it receives meanwhile. Nothing else shows
     * that there was another connection, on which watches may not be set.
     */
    public boolean hasMoved() {
        return connection != null && settled.isPresent() && settled.getAsLong() != connection.number();
    }

    /** Records that everything that a new connection requires is requested again on the present one. */
    public void settle() {
        settled = connection == null ? OptionalLong.empty() : OptionalLong.of(connection.number());
    }

    /** Records that the settled connection is lost or replaced. */
    public void unsettle() {
        settled = OptionalLong.empty();
    }

    /**
     * Updates the proof if the connection has changed or is lost.
     *
     * @return whether there is a connection to which the proof applies
     */
    public boolean noticeConnection() {
        Connection present = wire.connection();
        if (connection == null || present.number() != connection.number() || isShorter(present)) {
            if (wire.liveness() == Liveness.CONNECTED) {
                connection = present;
                warnIfShorter(present.timeoutNanos());
                proof.connected(
                        present.attemptedAfterNanos(),
                        present.timeoutNanos(),
                        present.shortenedAfterNanos(),
                        time.nanoTime());
            } else {
                connectionBroken();
            }
        }
        return connection != null;
    }

    private void warnIfShorter(long shorter) {
        if (shorter < proof.timeoutNanos()) {
            LOG.warn(
                    "A server granted session {} a timeout of {} instead of {}: the shorter one counts from now on. Configure"
                            + " the same minSessionTimeout and maxSessionTimeout on all servers",
                    Long.toHexString(wire.id()),
                    Words.of(Duration.ofNanos(shorter)),
                    Words.of(Duration.ofNanos(proof.timeoutNanos())));
        }
    }

    /**
     * Sends a request. If the client rejects it, the reply receives {@link Outcome#NOT_SENT}; other requests are not
     * affected. (L19)
     */
    private <T> void send(Proves success, Reply<T> reply, Consumer<Reply<T>> request) {
        send(new Asked<>(time.nanoTime(), success, reply, false), request);
    }

    private <T> void send(Asked<T> asked, Consumer<Reply<T>> request) {
        asked.follow(oldest.before);
        try {
            request.accept(asked);
        } catch (RuntimeException error) {
            LOG.warn("A request to ZooKeeper could not be sent", error);
            asked.leave();
            run.execute(() -> asked.reply.answered(Outcome.NOT_SENT, null));
        }
    }

    /** Runs the action after a pause: repeated requests must not overload a server in trouble. */
    public void afterPause(Runnable action) {
        time.after(timeoutNanos() / UNKNOWN_PAUSES, action);
    }

    /**
     * Returns whether a request was lost inside this process, because it has no answer for much longer than any server
     * takes. Counts the calls of this method instead of the elapsed time, because a stopped process does not wait.
     *
     * @param pauseNanos the time between two calls
     */
    public boolean hasLostAnAnswer(long pauseNanos) {
        Asked<?> first = oldest.next;
        if (first == oldest || liveness() != Liveness.CONNECTED) {
            return false;
        }
        // a server that grants more time than another one may also be silent for longer
        return ++first.looks * pauseNanos
                > MOST_TIMEOUTS * Math.max(timeoutNanos(), wire.connection().latestTimeoutNanos());
    }

    /** A request without an answer yet, in a ring of such requests in the order of their sending. */
    private final class Asked<T> implements Reply<T> {

        private final long sentAt;
        private final Proves success;
        private final Reply<T> reply;
        /** Whether the reply is answered without a pause. */
        private final boolean atOnce;

        private int looks;
        private Asked<?> before = this;
        private Asked<?> next = this;

        Asked(long sentAt, Proves success, Reply<T> reply, boolean atOnce) {
            this.sentAt = sentAt;
            this.success = success;
            this.reply = reply;
            this.atOnce = atOnce;
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
            if (outcome.isOfSentRequest()) {
                if (!ended && !outcome.isUnknown()) {
                    noticeConnection();
                    proof.answered(sentAt, time.nanoTime(), outcome == Outcome.OK ? success : Proves.NOTHING);
                }
                observer.answered(PinnedSession.this, outcome);
            }
            if (outcome == Outcome.UNKNOWN && !atOnce) {
                afterPause(() -> reply.answered(outcome, value));
            } else {
                reply.answered(outcome, value);
            }
        }
    }
}
