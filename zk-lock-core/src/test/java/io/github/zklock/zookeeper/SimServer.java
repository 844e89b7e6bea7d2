package io.github.zklock.zookeeper;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One server of the ensemble: serves reads and pings from its own copy, however old, and hands writes and syncs to the
 * leader.
 *
 * <pre>
 * DOWN -&gt; LOOKING -&gt; FOLLOWING | LEADING -&gt; LOOKING ...
 * any -&gt; DOWN
 * </pre>
 */
final class SimServer {

    enum Role {
        DOWN,
        LOOKING,
        FOLLOWING,
        LEADING
    }

    final int id;
    final SimTree tree = new SimTree();
    final SimWatches watches = new SimWatches();

    private final SimEnsemble ensemble;
    private final Set<SimConnection> connections = new LinkedHashSet<>();
    private final SimTouches touches = new SimTouches();
    private final ArrayDeque<Runnable> deferred = new ArrayDeque<>(0);

    Role role = Role.LOOKING;
    /** While FOLLOWING: whom, and the two directions to it. */
    @Nullable SimReign leader;

    SimLink up;
    SimLink down;
    /** While LEADING. */
    @Nullable SimReign reign;

    long heardFromLeaderAt;
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
    private long pausedUntil;

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

    boolean isPaused() {
        return paused;
    }

    /** Stops the process for a while, as by SIGSTOP or garbage collection: what arrives waits in its sockets. */
    void pause(long nanos) {
        if (role == Role.DOWN) {
            return;
        }
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
        return role == Role.FOLLOWING || role == Role.LEADING;
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
        connection.timeout = grants;
        connections.add(connection);
        if (session == 0) {
            connection.session = ensemble.newSessionId();
            SimRequest open = SimRequest.silent(SimRequest.Kind.OPEN_SESSION, "");
            open.timeout = grants;
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

    /** No longer part of an ensemble: clients are dropped. */
    void look() {
        leftAt = ensemble.now();
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
        leader = null;
        reign = null;
        membership++;
        carriedOutUntil = 0;
        toCarryOut.clear();
        if (left != null) {
            ensemble.stopsLogging(this);
            // behind what was sent before; where the link is cut, or the leader stopped, it does not notice
            up.send(() -> left.left(this));
        }
        down.reset();
        touches.clear();
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
        if (reign != null) {
            reign.submit(connection, request);
        } else {
            SimReign to = leader;
            up.send(() -> {
                if (to.isOn()) {
                    to.submit(connection, request);
                }
            });
        }
    }

    private void revalidate(SimConnection connection) {
        if (reign != null) {
            revalidated(connection, reign.revalidate(connection.session, connection.timeout, this));
        } else {
            SimReign to = leader;
            up.send(() -> {
                if (!to.isOn()) {
                    return;
                }
                boolean alive = to.revalidate(connection.session, connection.timeout, this);
                down.send(() -> revalidated(connection, alive));
            });
        }
    }

    private void revalidated(SimConnection connection, boolean alive) {
        if (!connection.openAtServer) {
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
        heard(connection);
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
