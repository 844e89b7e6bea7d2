package io.github.zklock.zookeeper.internal.engine;

import io.github.zklock.zookeeper.internal.transport.Outcome;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One server's time as leader: it orders the writes of its epoch, commits what a majority has logged, and keeps the
 * time of the sessions. A reign whose followers have left commits nothing any more, but may go on for a while.
 */
final class SimReign {

    /** What a leader knows of a session. */
    private static final class Session {
        long expiresAt;
        /** The latest touch that was not in vain. */
        long touchedAt;

        boolean closing;
        /** Taken out of its bucket, and not closed yet. */
        boolean polled;

        @Nullable SimServer owner;
        /** By which it was moved here last. */
        @Nullable SimConnection connection;
    }

    private static final Outcome MOVED = Outcome.CONNECTION_LOST;

    private final SimEnsemble ensemble;
    private final SimServer server;
    private final long epoch;
    private final Map<Long, Session> sessions = new LinkedHashMap<>();
    private final ArrayDeque<SimProposal> pending = new ArrayDeque<>();
    private final Set<SimServer> followers = new LinkedHashSet<>(4);
    private final Map<SimServer, Long> heardAt = new HashMap<>(4);
    private final long[] lastLoggedAt = new long[SimEnsemble.VOTERS];
    private final long[] lastAcknowledgedAt = new long[SimEnsemble.VOTERS];
    private int counter;
    private long lastCommitAt;
    private @Nullable SimProposal scheduled;
    private long scheduledAt;
    /** So many sessions of the polled bucket are not closed yet. Until they are, no other bucket is polled. */
    private int stillToClose;

    private boolean tickSkip = true;
    private boolean stepsDown;

    SimReign(SimEnsemble ensemble, SimServer server, long epoch) {
        this.ensemble = ensemble;
        this.server = server;
        this.epoch = epoch;
        // every session gets its whole time anew
        server.tree.sessions().forEach(session -> track(session, server.tree.timeoutOf(session)));
    }

    long epoch() {
        return epoch;
    }

    SimServer server() {
        return server;
    }

    /** Whether its server still believes to lead. */
    boolean isOn() {
        return server.reign == this;
    }

    ArrayDeque<SimProposal> pending() {
        return pending;
    }

    Set<SimServer> followers() {
        return followers;
    }

    /**
     * A client speaks through a server: its session is checked, not touched.
     *
     * @param by the follower from which this comes. Observers are not told apart from their observer master, nor from each
     *     other.
     */
    void submit(SimConnection connection, SimRequest request, SimServer by) {
        request.handedOverBy = by;
        Session session = sessions.get(connection.session);
        Outcome verdict = null;
        if (request.kind != SimRequest.Kind.OPEN_SESSION) {
            if (session == null || session.closing) {
                verdict = Outcome.SESSION_ENDED;
            } else if (session.owner == null) {
                session.owner = by;
            } else if (session.owner != by && request.kind != SimRequest.Kind.CLOSE_SESSION) {
                // SessionTrackerImpl.checkSession, which PrepRequestProcessor leaves out to close a session
                verdict = MOVED;
            }
        }
        // PrepRequestProcessor finds that the session has moved or is being closed, and ProposalRequestProcessor
        // answers
        // all the same
        if (request.kind == SimRequest.Kind.SYNC && by != server && session != null) {
            verdict = null;
        }
        if (verdict == MOVED) {
            // FinalRequestProcessor.processRequest ends the connection. It may be the client's newest one, if the
            // leader has
            // heard of an earlier one after it
            request.cutBeforeReply = true;
        }
        request.overtaken = session != null && session.connection != null && session.connection != connection;
        if (request.kind == SimRequest.Kind.SYNC) {
            sync(connection, request, verdict == null ? Outcome.OK : verdict, by);
            return;
        }
        if (request.kind == SimRequest.Kind.CLOSE_SESSION && session != null) {
            session.closing = true;
        }
        propose(connection.session, connection, request, verdict);
    }

    /** Whether the session was taken out of its bucket, and is not closed yet. */
    boolean hasPolled(long id) {
        Session session = sessions.get(id);
        return session != null && session.polled;
    }

    /** Whether no touch has reached the session since then, unless in vain. */
    boolean isUntouchedSince(long id, long instant) {
        Session session = sessions.get(id);
        return session != null && session.touchedAt < instant;
    }

    boolean knows(long id) {
        return sessions.containsKey(id);
    }

    /** Whether the leader closes the session, and refuses its requests. */
    boolean isClosing(long id) {
        Session session = sessions.get(id);
        return session == null || session.closing;
    }

    /** Somebody with a shell writes. */
    void operate(SimRequest request) {
        propose(0, null, request, null);
    }

    boolean revalidate(SimConnection connection, SimServer by) {
        long id = connection.session;
        Session session = sessions.get(id);
        if (session == null || session.closing) {
            return false;
        }
        session.owner = by;
        session.connection = connection;
        touch(id, connection.timeout);
        connection.client.accepted(connection);
        return true;
    }

    /** The latest touch counts, also where its timeout is shorter than that of the one before: ExpiryQueue.update. */
    void touch(long id, long timeout) {
        Session session = sessions.get(id);
        if (session != null && !session.closing) {
            if (session.polled) {
                ensemble.countTouchInVain();
            } else {
                session.touchedAt = ensemble.now();
            }
            session.expiresAt = ensemble.roundUp(ensemble.now() + timeout);
        }
    }

    void answeredPing(SimServer follower, Map<Long, Long> touched) {
        if (followers.contains(follower)) {
            heardAt.put(follower, ensemble.now());
            touched.forEach(this::touch);
        }
    }

    /** Half a tick is over: Leader.lead asks in every second one whether a majority is there, and pings in each. */
    void beat() {
        List<SimServer> silent = followers.stream()
                .filter(follower -> heardAt.get(follower) < ensemble.now() - ensemble.patience())
                .toList();
        for (SimServer follower : silent) {
            drop(follower);
            send(follower, follower::lookIfFollowing);
        }
        tickSkip = !tickSkip;
        if (tickSkip && followers.isEmpty() && !stepsDown) {
            stepsDown = true;
            // Leader.shutdown takes its time, and the server serves meanwhile
            ensemble.at(
                    ensemble.now() + ensemble.shutdownTime(),
                    () -> server.enter(() -> {
                        if (isOn()) {
                            server.look();
                        }
                    }));
        }
        long stall = ensemble.pingStall();
        ensemble.at(ensemble.now() + stall, () -> server.enter(this::pingFollowers));
    }

    private void pingFollowers() {
        if (isOn()) {
            for (SimServer follower : followers) {
                send(follower, () -> follower.pinged(this));
            }
        }
    }

    /** Nothing of a leader reaches a follower that has left. */
    private void send(SimServer follower, Runnable message) {
        if (follower.leader == this) {
            int sentTo = follower.membership();
            follower.down.send(() -> {
                if (follower.membership() == sentTo) {
                    message.run();
                }
            });
        }
    }

    /*
     * SessionTrackerImpl.run takes a whole bucket of expired sessions out of the queue, and then closes them one by one. A
     * session that is touched before its turn is confirmed and added to a later bucket, and nevertheless closed. (M26) The
     * next bucket comes when all sessions of this one are closed, however long that takes. (M34)
     */
    void expireSessions() {
        if (stillToClose > 0) {
            return;
        }
        long bucket = sessions.values().stream()
                .filter(each -> !each.closing && each.expiresAt <= ensemble.now())
                .mapToLong(each -> each.expiresAt)
                .min()
                .orElse(Long.MAX_VALUE);
        List<Long> polled = sessions.entrySet().stream()
                .filter(each -> !each.getValue().closing && each.getValue().expiresAt == bucket)
                .map(Map.Entry::getKey)
                .toList();
        if (!polled.isEmpty()) {
            long loop = ensemble.expiryLoop();
            stillToClose = polled.size();
            for (Long id : polled) {
                sessions.get(id).polled = true;
                long at = ensemble.now() + ensemble.within(loop);
                if (at == ensemble.now()) {
                    close(id);
                } else {
                    close(id, at, server.stoodStill());
                }
            }
        }
    }

    /** The loop goes on where it was when its server goes on after a pause. */
    private void close(long id, long at, long stoodStillBefore) {
        ensemble.at(
                at,
                () -> server.enterFirst(() -> {
                    long stoodStill = server.stoodStill() - stoodStillBefore;
                    if (stoodStill == 0) {
                        close(id);
                    } else if (isOn()) {
                        close(id, at + stoodStill, server.stoodStill());
                    }
                }));
    }

    private void close(long id) {
        Session session = sessions.get(id);
        if (isOn() && session != null && !session.closing) {
            session.closing = true;
            propose(id, null, SimRequest.silent(SimRequest.Kind.CLOSE_SESSION, "expired"), null);
        }
        stillToClose--;
        if (isOn()) {
            expireSessions();
        }
    }

    /** The leader goes on after a pause: its expiry thread looks at once, before or after what waits in the sockets. */
    void wokeUp() {
        if (ensemble.within(2) == 0) {
            expireSessions();
        } else {
            ensemble.at(ensemble.now(), () -> server.enter(this::expireSessions));
        }
    }

    void joined(SimServer follower) {
        followers.add(follower);
        heardAt.put(follower, ensemble.now());
        pending.forEach(proposal -> offer(proposal, follower));
        scheduleCommit();
    }

    /** The follower's end of the connection was closed. One that has joined again meanwhile has another connection. */
    void left(SimServer follower) {
        if (follower.leader != this) {
            drop(follower);
        }
    }

    private void drop(SimServer follower) {
        followers.remove(follower);
        heardAt.remove(follower);
    }

    /** The links were healed: what waited in them has arrived. */
    void linksHealed(SimServer follower) {
        ensemble.logged(follower, server.tree.applied());
        pending.stream()
                .filter(proposal -> proposal.acknowledgedAt[follower.id] == SimProposal.NEVER)
                .forEach(proposal -> offer(proposal, follower));
        scheduleCommit();
    }

    private void track(long id, long timeout) {
        Session session = new Session();
        session.expiresAt = ensemble.roundUp(ensemble.now() + timeout);
        session.touchedAt = ensemble.now();
        sessions.put(id, session);
    }

    private void propose(long session, @Nullable SimConnection origin, SimRequest request, @Nullable Outcome verdict) {
        SimProposal proposal = new SimProposal(
                epoch << 32 | ++counter, session, origin, request, verdict, server.tree.zxid(), server.wallMillis());
        proposal.loggedAt[server.id] = ensemble.now();
        proposal.acknowledgedAt[server.id] = ensemble.now();
        pending.add(proposal);
        followers.forEach(follower -> offer(proposal, follower));
        scheduleCommit();
    }

    private void offer(SimProposal proposal, SimServer follower) {
        if (follower.leader == this && !follower.isPaused() && !follower.down.isCut()) {
            // links keep the order: what is logged, all before it is logged
            int id = follower.id;
            lastLoggedAt[id] = Math.max(lastLoggedAt[id], ensemble.now() + ensemble.delay());
            proposal.loggedAt[id] = lastLoggedAt[id];
            if (!follower.up.isCut()) {
                lastAcknowledgedAt[id] = Math.max(lastAcknowledgedAt[id], lastLoggedAt[id] + ensemble.delay());
                proposal.acknowledgedAt[id] = lastAcknowledgedAt[id];
            }
        }
    }

    private void scheduleCommit() {
        SimProposal first = pending.peek();
        if (first != null) {
            long at = SimProposal.NEVER;
            for (SimServer follower : followers) {
                at = Math.min(at, first.acknowledgedAt[follower.id]);
            }
            if (at != SimProposal.NEVER && (scheduled != first || at < scheduledAt)) {
                scheduled = first;
                scheduledAt = at;
                ensemble.at(Math.max(at, lastCommitAt), () -> server.enter(() -> commit(first)));
            }
        }
    }

    private void commit(SimProposal proposal) {
        if (pending.peek() != proposal || server.reign != this) {
            return;
        }
        scheduled = null;
        if (!isAcknowledged(proposal)) {
            return;
        }
        pending.poll();
        lastCommitAt = ensemble.now();
        if (proposal.request.kind == SimRequest.Kind.OPEN_SESSION && proposal.origin != null) {
            track(proposal.session, proposal.request.timeout);
            sessions.get(proposal.session).owner = proposal.request.handedOverBy;
        }
        SimTxn txn = ensemble.commit(server, proposal);
        if (txn.closed() != 0) {
            sessions.remove(txn.closed());
        }
        for (SimServer follower : followers) {
            send(follower, () -> follower.committed(txn));
        }
        proposal.followers.forEach(Runnable::run);
        scheduleCommit();
    }

    private boolean isAcknowledged(SimProposal proposal) {
        for (SimServer follower : followers) {
            if (proposal.acknowledgedAt[follower.id] <= ensemble.now() && !follower.up.isCut()) {
                return true;
            }
        }
        return false;
    }

    /** Not a matter of the majority: even a leader that was deposed and does not know it yet answers. */
    private void sync(SimConnection connection, SimRequest request, Outcome outcome, SimServer by) {
        SimServer asked = connection.server;
        Runnable answer = () -> {
            if (by == server) {
                server.synced(connection, request, outcome);
            } else if (followers.contains(by)) {
                send(by, () -> by.passDown(asked, () -> asked.take(() -> asked.synced(connection, request, outcome))));
            }
        };
        // a follower's sync waits for what is proposed; ProposalRequestProcessor lets those of the leader's own clients
        // pass
        if (pending.isEmpty() || by == server) {
            answer.run();
        } else {
            pending.peekLast().followers.add(answer);
        }
    }
}
