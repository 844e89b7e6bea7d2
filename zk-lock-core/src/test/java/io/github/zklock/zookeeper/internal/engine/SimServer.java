package io.github.zklock.zookeeper.internal.engine;

import io.github.zklock.zookeeper.internal.transport.Outcome;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * One server of the ensemble: serves reads and pings from its own copy, however old, and hands writes and syncs to the
 * leader.
 *
 * <pre>
 * DOWN -&gt; LOOKING -&gt; FOLLOWING | LEADING | OBSERVING -&gt; LOOKING ...
 * any -&gt; DOWN
 * </pre>
 *
 * <p>An observer has no vote, and is served by a follower, its observer master ({@code ObserverMaster}). What it hears of
 * sessions goes into the follower's own table, and waits there for the leader's next ping.
 */
final class SimServer {

    enum Role {
        DOWN,
        LOOKING,
        FOLLOWING,
        LEADING,
        OBSERVING
    }

    final int id;
    final SimTree tree = new SimTree();
    final SimWatches watches = new SimWatches();

    private final SimEnsemble ensemble;
    /** Learner.pendingRevalidations: the latest connection that waits for an answer of the leader, by session. */
    private final Map<Long, SimConnection> revalidations = new HashMap<>();

    private final Set<SimConnection> connections = new LinkedHashSet<>();
    private final SimTouches touches = new SimTouches();
    private final ArrayDeque<Runnable> deferred = new ArrayDeque<>(0);
    /** Those that it serves as observer master. */
    private final Set<SimServer> observers = new LinkedHashSet<>(1);

    Role role = Role.LOOKING;
    /** While FOLLOWING: whom, and the two directions to it. */
    @Nullable SimReign leader;

    /** While OBSERVING: the observer master. The two directions lead to it. */
    @Nullable SimServer master;

    SimLink up;
    SimLink down;
    /** While LEADING. */
    @Nullable SimReign reign;

    long heardFromLeaderAt;
    /** When the observer master heard of this observer. */
    private long heardByMasterAt;
    /** That of the observer master when it took this observer in. */
    private int masterMembership;

    long leftAt;
    long lookingUntil;

    /** Fault: what is committed is carried out, and syncs are answered, this much later. As with a slow disk. (L2) */
    long slowBy;

    private final ArrayDeque<Runnable> toCarryOut = new ArrayDeque<>(0);
    private long carriedOutUntil;
    private int membership;

    /** Faults: messages to and from other servers do not pass. Clients are not concerned. */
    boolean deaf;

    boolean mute;

    /** The session timeout that it grants, by its limits. Servers may be configured differently. (M27) */
    long grants;

    private final long wallOffset;
    private boolean paused;
    private long pausedSince;
    private long pausedUntil;
    private long stoodStill;

    SimServer(int id, SimEnsemble ensemble) {
        this.id = id;
        this.ensemble = ensemble;
        this.grants = ensemble.timeout();
        this.wallOffset = ensemble.within(3_600_000);
        this.up = ensemble.newLink(this::enter, false);
        this.down = ensemble.newLink(this::enter, false);
    }

    /** Carries this out now, or when the server goes on. */
    void enter(Runnable action) {
        if (paused) {
            deferred.add(action);
        } else {
            action.run();
        }
    }

    /** As {@link #enter}, before all that waits: what is late by then is not later than what came after it. */
    void enterFirst(Runnable action) {
        if (paused) {
            deferred.addFirst(action);
        } else {
            action.run();
        }
    }

    /** The wall clock of this server, up to an hour ahead of true time. */
    long wallMillis() {
        return wallOffset + ensemble.now() / 1_000_000;
    }

    /** When the present pause began. */
    long pausedSince() {
        return pausedSince;
    }

    /** All pauses that clients notice. */
    long stoodStill() {
        return stoodStill;
    }

    boolean isPaused() {
        return paused;
    }

    /** Stops the process for a while, as by SIGSTOP or garbage collection: what arrives waits in its sockets. */
    void pause(long nanos) {
        if (role == Role.DOWN) {
            return;
        }
        pausedSince = paused ? pausedSince : ensemble.now();
        paused = true;
        pausedUntil = Math.max(pausedUntil, ensemble.now() + nanos);
        ensemble.stopsLogging(this);
        ensemble.at(pausedUntil, () -> {
            if (ensemble.now() >= pausedUntil) {
                goOn();
            }
        });
    }

    /** Ends a pause. */
    void goOn() {
        if (!paused) {
            return;
        }
        paused = false;
        pausedUntil = ensemble.now();
        long length = ensemble.now() - pausedSince;
        stoodStill += length > ensemble.timeout() / SimPlan.STANDSTILL ? length : 0;
        if (reign != null) {
            reign.wokeUp();
        }
        while (!deferred.isEmpty() && !paused) {
            deferred.poll().run();
        }
        if (leader != null && !up.isCut() && !down.isCut()) {
            leader.linksHealed(this);
        }
    }

    /** Another number each time that the server joins or leaves an ensemble. */
    int membership() {
        return membership;
    }

    boolean isServing() {
        return role == Role.FOLLOWING || role == Role.LEADING || role == Role.OBSERVING;
    }

    /** The one that tells the leader of what this one hears. */
    SimServer teller() {
        return master == null ? this : master;
    }

    boolean isVoter() {
        return id < SimEnsemble.VOTERS;
    }

    /** Whom it hears of the leader by. */
    @Nullable SimServer upstream() {
        return leader == null ? master : leader.server();
    }

    Set<SimConnection> connections() {
        return connections;
    }

    /** A client wants to be served: with a new session, or with one that it says it has. */
    void connect(SimConnection connection, long session, long seenZxid) {
        if (!isServing() || seenZxid > tree.zxid()) {
            connection.closeAtServer();
            return;
        }
        connection.timeout = connection.client.granted(grants);
        connections.add(connection);
        if (session == 0) {
            connection.session = ensemble.newSessionId();
            SimRequest open = SimRequest.silent(SimRequest.Kind.OPEN_SESSION, "");
            open.timeout = connection.timeout;
            connection.unanswered.add(open);
            forward(connection, open);
        } else {
            // whatever still comes on an earlier connection of the session is no longer read
            List.copyOf(connections).stream()
                    .filter(each -> each != connection && each.session == session)
                    .forEach(SimConnection::closeAtServer);
            connection.session = session;
            revalidate(connection);
        }
    }

    void receive(SimConnection connection, SimRequest request) {
        if (!connection.openAtServer || !isServing()) {
            return;
        }
        heard(connection);
        connection.unanswered.add(request);
        if (request.kind.isForwarded()) {
            forward(connection, request);
        } else {
            answerInOrder(connection);
        }
    }

    /** Takes what the leader sent, in order, as fast as the server is. */
    void take(Runnable work) {
        if (slowBy == 0 && toCarryOut.isEmpty()) {
            work.run();
            return;
        }
        toCarryOut.add(work);
        carriedOutUntil = Math.max(carriedOutUntil, ensemble.now() + slowBy);
        int takenIn = membership;
        ensemble.at(
                carriedOutUntil,
                () -> enter(() -> {
                    if (takenIn == membership) {
                        toCarryOut.remove().run();
                    }
                }));
    }

    /** The leader has committed this: Follower.processPacket. */
    void committed(SimTxn txn) {
        take(() -> apply(txn));
        for (SimServer observer : observers) {
            tell(observer, () -> observer.take(() -> observer.apply(txn)));
        }
    }

    /** Carries out a committed transaction. */
    void apply(SimTxn txn) {
        tree.apply(txn);
        for (SimTxn.Change change : txn.changes()) {
            watches.changed(change);
        }
        SimConnection origin = txn.origin();
        if (origin != null && origin.server == this && origin.openAtServer) {
            txn.request().done(txn.outcome(), txn.value());
            if (txn.opened() != 0) {
                // LearnerSessionTracker.commitSession touches the session, ZooKeeperServer.finishSessionInit does not
                heard(origin);
                establish(origin);
            }
            answerInOrder(origin);
        }
        if (txn.closed() != 0) {
            List.copyOf(connections).stream()
                    .filter(each -> each.session == txn.closed())
                    .forEach(SimConnection::closeAtServer);
        }
    }

    /** The leader has answered a sync. */
    void synced(SimConnection connection, SimRequest request, Outcome outcome) {
        if (connection.openAtServer) {
            request.done(outcome, null);
            answerInOrder(connection);
        }
    }

    /** The leader asks who is there. */
    void pinged(SimReign by) {
        heardFromLeaderAt = ensemble.now();
        Map<Long, Long> touched = touches.swap(ensemble);
        up.send(() -> by.answeredPing(this, touched));
    }

    /** Whether an observer can join it: not while it has yet to carry out what it was told. */
    boolean takesObservers() {
        return role == Role.FOLLOWING && !paused && toCarryOut.isEmpty();
    }

    /** Serves this observer from now on. */
    void takeIn(SimServer observer) {
        observers.add(observer);
        observer.masterMembership = membership;
        observer.heardByMasterAt = ensemble.now();
    }

    /** As an observer master it asks who is there: ObserverMaster.ping, which is not told of the leader's pings. */
    void pingObservers() {
        for (SimServer observer : List.copyOf(observers)) {
            if (observer.heardByMasterAt < ensemble.now() - ensemble.patience()) {
                observers.remove(observer);
                if (observer.master == this) {
                    observer.up.close();
                    tell(observer, observer::look);
                }
            } else {
                tell(observer, () -> observer.pinged(this));
            }
        }
    }

    private void pinged(SimServer by) {
        heardFromLeaderAt = ensemble.now();
        Map<Long, Long> touched = touches.swap(ensemble);
        up.send(() -> by.answeredPing(this, touched));
    }

    private void answeredPing(SimServer observer, Map<Long, Long> touched) {
        if (observers.contains(observer)) {
            observer.heardByMasterAt = ensemble.now();
            touched.forEach(touches::put);
        }
    }

    /** Passes something of the leader on to one of its observers, or takes it itself. */
    void passDown(SimServer receiver, Runnable message) {
        if (receiver == this) {
            message.run();
        } else if (observers.contains(receiver)) {
            tell(receiver, message);
        }
    }

    /** Nothing of an observer master reaches an observer that has left it. */
    private void tell(SimServer observer, Runnable message) {
        if (observer.master == this) {
            int sentTo = observer.membership;
            observer.down.send(() -> {
                if (observer.membership == sentTo) {
                    message.run();
                }
            });
        }
    }

    /** Its end of the connection was closed. */
    private void left(SimServer observer) {
        if (observer.master != this) {
            observers.remove(observer);
        }
    }

    /** No longer part of an ensemble: clients are dropped. */
    void look() {
        leftAt = ensemble.now();
        ensemble.countBrokenUp();
        lookingUntil = ensemble.electionAfter();
        role = Role.LOOKING;
        leave();
    }

    void lookIfFollowing() {
        if (role == Role.FOLLOWING) {
            look();
        }
    }

    void stop() {
        if (role != Role.LOOKING) {
            leftAt = ensemble.now();
        }
        role = Role.DOWN;
        paused = false;
        deferred.clear();
        leave();
    }

    void forget(SimConnection connection) {
        connections.remove(connection);
        watches.removeAll(connection);
    }

    private void leave() {
        SimReign left = leader;
        SimServer leftMaster = master;
        leader = null;
        master = null;
        reign = null;
        membership++;
        carriedOutUntil = 0;
        toCarryOut.clear();
        if (left != null) {
            ensemble.stopsLogging(this);
            // behind what was sent before; where the link is cut, or the leader stopped, it does not notice
            up.send(() -> left.left(this));
        }
        if (leftMaster != null) {
            up.send(() -> leftMaster.left(this));
        }
        observers.forEach(observer -> tell(observer, observer::look));
        observers.clear();
        down.reset();
        touches.clear();
        revalidations.clear();
        new ArrayList<>(connections).forEach(SimConnection::closeAtServer);
    }

    private void heard(SimConnection connection) {
        if (reign != null) {
            reign.touch(connection.session, connection.timeout);
        } else {
            touches.put(connection.session, connection.timeout);
        }
    }

    private void forward(SimConnection connection, SimRequest request) {
        toLeader((to, by) -> to.submit(connection, request, by));
    }

    /** The second argument of the message is the server that hands it to the leader. */
    private void toLeader(BiConsumer<SimReign, SimServer> message) {
        if (reign != null) {
            message.accept(reign, this);
        } else if (master != null) {
            SimServer by = master;
            int sentTo = masterMembership;
            // as FollowerZooKeeperServer.processObserverRequest
            up.send(() -> {
                if (by.membership == sentTo) {
                    by.toLeader(message);
                }
            });
        } else {
            SimReign to = leader;
            up.send(() -> {
                if (to.isOn()) {
                    message.accept(to, this);
                }
            });
        }
    }

    private void revalidate(SimConnection connection) {
        revalidations.put(connection.session, connection);
        long session = connection.session;
        int own = membership;
        int ofMaster = masterMembership;
        toLeader((to, by) -> {
            boolean alive = to.revalidate(connection, by);
            by.answer(() -> {
                if (by == this && membership == own) {
                    revalidated(session, alive);
                } else if (by != this && by.membership == ofMaster) {
                    by.revalidated(this, session, connection.timeout, alive);
                }
            });
        });
    }

    /** The leader has answered, and the answer is on its way. */
    private void answer(Runnable message) {
        if (reign != null) {
            message.run();
        } else {
            down.send(message);
        }
    }

    /** ObserverMaster.revalidateLearnerSession: touches the session, too. */
    private void revalidated(SimServer observer, long session, long timeout, boolean alive) {
        passDown(observer, () -> observer.revalidated(session, alive));
        if (alive) {
            touches.put(session, timeout);
        }
    }

    /** The answer may be to an earlier connection than the one that takes it. */
    private void revalidated(long session, boolean alive) {
        SimConnection connection = revalidations.remove(session);
        if (connection == null || !connection.openAtServer) {
            return;
        }
        if (alive) {
            establish(connection);
        } else if (ensemble.replacesSessionsSilently()) {
            ensemble.countReplacedSession();
            connection.session = ensemble.newSessionId();
            SimRequest open = SimRequest.silent(SimRequest.Kind.OPEN_SESSION, "");
            open.timeout = grants;
            connection.unanswered.add(open);
            forward(connection, open);
        } else {
            connection.openAtServer = false;
            forget(connection);
            connection.toClient.send(() -> connection.client.expired(connection));
        }
    }

    private void establish(SimConnection connection) {
        connection.establishedAtServer = true;
        if (!isVoter()) {
            ensemble.countObserved();
        }
        long session = connection.session;
        connection.toClient.send(() -> connection.client.connected(connection, session));
    }

    private void answerInOrder(SimConnection connection) {
        while (connection.openAtServer) {
            SimRequest first = connection.unanswered.peek();
            if (first == null || (first.kind.isForwarded() && !first.done)) {
                return;
            }
            if (!first.done) {
                SimReads.carryOut(first, connection, tree, watches);
            }
            connection.unanswered.poll();
            if (first.cutBeforeReply) {
                connection.closeAtServer();
            } else {
                long zxid = tree.zxid();
                connection.toClient.send(() -> connection.client.answered(connection, first, zxid));
            }
        }
    }
}
