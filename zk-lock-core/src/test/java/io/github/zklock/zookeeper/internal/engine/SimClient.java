package io.github.zklock.zookeeper.internal.engine;

import io.github.zklock.zookeeper.internal.engine.SimRequest.Kind;
import io.github.zklock.zookeeper.internal.engine.SimWatches.News;
import io.github.zklock.zookeeper.internal.transport.Outcome;
import io.github.zklock.zookeeper.internal.transport.WireSession.Liveness;
import io.github.zklock.zookeeper.internal.transport.WireSession.Watch;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * ZooKeeper's client as far as it matters: one session over changing connections; requests wait while there is none and
 * fail when the next attempt does; two thirds of the timeout without a word end a connection, a third without a request
 * brings a ping.
 */
final class SimClient {

    private static final long LOCAL_ANSWER = 50_000;

    private final SimHost host;
    private final SimScheduler scheduler;
    private final SimDialer dialer;
    private final boolean forgetsWatches;

    private final SimPending pending = new SimPending();
    private final SimClientWatches watches = new SimClientWatches();

    private boolean redialing;
    private Liveness liveness = Liveness.DISCONNECTED;
    private @Nullable SimConnection connection;
    /** The one that there was when the client was isolated the last time. */
    private @Nullable SimConnection cutOff;

    /** Accepted by servers; the answers have not come yet, or never will. */
    private final List<SimConnection> unheard = new ArrayList<>(1);

    private boolean closing;
    /** The timeout that it asks for; 0 for the longest one. */
    private long requested;

    private long session;
    private long timeout;
    private long shortest;
    private long shortestAttemptedAt;
    private boolean fresh = true;
    private long seenZxid;
    private long heardAt;
    private long connectedAt;
    private long sentAt;
    private long readOnlyUntil;

    SimClient(
            SimHost host,
            SimEnsemble ensemble,
            SimScheduler scheduler,
            SimRandom random,
            SimDelays delays,
            boolean noisy) {
        this.host = host;
        this.scheduler = scheduler;
        this.dialer = new SimDialer(this, host, ensemble, scheduler, random, delays);
        this.forgetsWatches = noisy;
        this.timeout = ensemble.timeout();
    }

    /** Asks servers for no more than this timeout. */
    void request(long nanos) {
        requested = Math.max(nanos, SimPlan.LEAST_TICKS * SimPlan.TICK);
        timeout = Math.min(timeout, requested);
    }

    /** What a server with this limit grants. */
    long granted(long limit) {
        return requested == 0 ? limit : Math.min(limit, requested);
    }

    long session() {
        return session;
    }

    /** An instant before the latest connection was attempted, on the process's clock. */
    long attemptedAt() {
        return dialer.attemptedAt();
    }

    long wallLeadAtAttempt() {
        return dialer.wallLeadAtAttempt();
    }

    int attempts() {
        return dialer.attempts();
    }

    /** Whether the session was created by the latest connection. */
    boolean isFresh() {
        return fresh && !redialing;
    }

    /** What ClientCnxn says: it calls itself connected until it opens the next socket (SendThread.startConnect). */
    Liveness liveness() {
        return redialing && liveness == Liveness.DISCONNECTED ? Liveness.CONNECTED : liveness;
    }

    /** As negotiated on the latest connection; before the first one, as asked for. */
    long timeout() {
        return timeout;
    }

    /** Whether it has had one connection since then. */
    boolean isConnectedSince(long instant) {
        return connection != null && connectedAt <= instant;
    }

    /** Of all connections; before the first one, as asked for. */
    long shortestTimeout() {
        return shortest == 0 ? timeout : shortest;
    }

    /** As {@link #attemptedAt}, of the connection that negotiated the shortest timeout. */
    long shortestAttemptedAt() {
        return shortestAttemptedAt;
    }

    @Nullable SimConnection connection() {
        return connection;
    }

    void connect() {
        if (liveness != Liveness.ENDED && connection == null) {
            redialing = false;
            dialer.dial(session, seenZxid);
        }
    }

    void submit(SimRequest request) {
        if (liveness == Liveness.ENDED || closing) {
            Outcome outcome = liveness == Liveness.ENDED ? Outcome.SESSION_ENDED : Outcome.CONNECTION_LOST;
            scheduler.after(LOCAL_ANSWER, () -> host.enter(() -> request.answer(outcome, null)));
            return;
        }
        if (scheduler.now() < readOnlyUntil) {
            scheduler.after(LOCAL_ANSWER, () -> host.enter(() -> request.answer(Outcome.UNKNOWN, null)));
            return;
        }
        SimConnection open = connection;
        SimTrouble trouble = host.sending(this, request);
        if (open == null) {
            pending.keep(request);
            return;
        }
        switch (trouble) {
            case NONE -> send(open, request);
            case CUT_BEFORE_SEND -> {
                // later requests of this connection are lost as well: ClientCnxnSocketNIO.doIO writes in order
                open.broken = true;
                pending.sent(request);
                cutSoon(open);
            }
            case CUT_AFTER_SEND -> {
                send(open, request);
                cutSoon(open);
            }
            case CUT_BEFORE_REPLY -> {
                request.cutBeforeReply = true;
                send(open, request);
            }
            case DROPPED -> {
                request.dropped = true;
                pending.sent(request);
                scheduler.after(timeout() / 4, () -> host.enter(() -> pending.answerDropped(null)));
            }
        }
    }

    /** The connection breaks; what the server has received it carries out. */
    void cut() {
        SimConnection broken = connection;
        if (broken != null) {
            broken.closeAtClient();
            disconnected();
        }
    }

    /** The oldest request that was sent gets no answer in time, whatever becomes of it. */
    void timeOutFirst() {
        pending.timeOutFirst();
    }

    /** This side takes the session for expired, whatever the servers think. */
    void expireHere() {
        SimConnection open = connection;
        if (open != null) {
            open.closeAtClient();
        }
        end();
    }

    /** The client is closed. An own one says so before it tells the servers, a foreign one when they have answered. */
    void close(boolean sayFirst) {
        if (liveness == Liveness.ENDED || closing) {
            return;
        }
        closing = true;
        SimConnection open = connection;
        if (open == null) {
            end();
            return;
        }
        if (sayFirst) {
            become(Liveness.ENDED);
        }
        send(open, new SimRequest(Kind.CLOSE_SESSION, "closed", (outcome, value) -> end()));
    }

    /** Only a server without a majority is within reach: it answers, but carries nothing out. */
    void readOnly(long until) {
        cut();
        readOnlyUntil = until;
        scheduler.at(until, () -> host.enter(this::connect));
    }

    boolean isShared() {
        return host.sharesClient();
    }

    boolean isClosing() {
        return closing;
    }

    /**
     * The watch is no longer wanted. Like every request this goes in order, so that a watch set before it is removed and
     * one set after it stays. On a shared client the server is not told, as others may watch the same node.
     */
    void unwatch(String path, Watch watch, boolean shared) {
        SimRequest request = new SimRequest(Kind.REMOVE_WATCH, path, (outcome, none) -> {
            if (shared) {
                watches.remove(path, watch);
            } else {
                watches.removeAll(path);
            }
        });
        request.onlyHere = shared;
        if (connection != null) {
            send(connection, request);
        } else if (liveness != Liveness.ENDED) {
            pending.keep(request);
        }
    }

    /** As {@link #unwatch}, of a folder and all below it, on a shared client as well. */
    void unwatchTree(String path) {
        SimRequest request = new SimRequest(Kind.REMOVE_TREE, path, (outcome, none) -> watches.removeTree(path));
        if (connection != null) {
            send(connection, request);
        } else if (liveness != Liveness.ENDED) {
            pending.keep(request);
        }
    }

    /** The model knows what this side does not: the leader has accepted its connection. */
    void accepted(SimConnection by) {
        by.acceptedAt = scheduler.now();
        unheard.add(by);
    }

    /** Whether it does not know of a shorter timeout, for longer than docs/internals/session-proof.md allows. */
    boolean isLongUnawareOfShorterTimeout() {
        return unheard.stream()
                .anyMatch(each -> each.timeout < shortestTimeout()
                        && scheduler.now() - each.acceptedAt > each.timeout - each.timeout / SimPlan.UNHEARD);
    }

    void connected(SimConnection by, long grantedSession) {
        host.enter(() -> {
            if (!dialer.end(by)) {
                by.closeAtClient();
                return;
            }
            connection = by;
            unheard.clear();
            fresh = session == 0;
            session = grantedSession;
            timeout = by.timeout;
            if (shortest == 0 || timeout < shortest) {
                shortest = timeout;
                shortestAttemptedAt = dialer.attemptedAt();
            }
            heardAt = scheduler.now();
            connectedAt = heardAt;
            become(Liveness.CONNECTED);
            watches.restoreRequest(seenZxid).ifPresent(request -> send(by, request));
            for (SimRequest next = pending.nextToSend(); next != null; next = pending.nextToSend()) {
                send(by, next);
            }
            checkSilence(by);
        });
    }

    void expired(SimConnection by) {
        host.enter(() -> {
            if (dialer.end(by)) {
                end();
            }
        });
    }

    /** The server closed the connection, or refused it, or did not answer in time. */
    void lost(SimConnection by) {
        host.enter(() -> {
            if (dialer.end(by)) {
                by.closeAtClient();
                pending.failUnsent(Outcome.CONNECTION_LOST);
                dialer.dialLater();
            } else if (connection == by) {
                disconnected();
            }
        });
    }

    void answered(SimConnection by, SimRequest request, long zxid) {
        host.enter(() -> {
            if (connection != by) {
                return;
            }
            heardAt = scheduler.now();
            seenZxid = Math.max(seenZxid, zxid);
            if (request.watch != null && request.outcome == Outcome.OK) {
                watches.add(request.path, request.watch);
            }
            if (request.treeWatch != null) {
                watches.addTree(request.path, request.treeWatch);
            }
            pending.answered(request);
            request.answer(request.outcome, request.value);
        });
    }

    void watchFired(SimConnection by, String path, News news) {
        host.enter(() -> {
            if (connection == by) {
                heardAt = scheduler.now();
                watches.tell(path, news);
            }
        });
    }

    void setIsolated(boolean isolated) {
        if (isolated && connection != null) {
            cutOff = connection;
        }
        if (cutOff != null) {
            // if it was given up meanwhile, the server learns of that now
            cutOff.setCut(isolated);
        }
        dialer.setCut(isolated);
    }

    private void cutSoon(SimConnection which) {
        scheduler.after(
                LOCAL_ANSWER,
                () -> host.enter(() -> {
                    if (connection == which) {
                        cut();
                    }
                }));
    }

    private void send(SimConnection by, SimRequest request) {
        pending.sent(request);
        sentAt = scheduler.now();
        if (!by.broken) {
            by.toServer.send(() -> by.server.receive(by, request));
        }
    }

    private void disconnected() {
        connection = null;
        if (closing) {
            end();
            return;
        }
        redialing = scheduler.now() >= readOnlyUntil;
        become(Liveness.DISCONNECTED);
        pending.failAll(Outcome.CONNECTION_LOST);
        watches.tellOfLoss();
        forgetWatches();
        if (scheduler.now() >= readOnlyUntil) {
            dialer.dialLater();
        }
    }

    private void end() {
        connection = null;
        dialer.stop();
        become(Liveness.ENDED);
        pending.failAll(Outcome.SESSION_ENDED);
        forgetWatches();
    }

    private void become(Liveness next) {
        if (liveness != Liveness.ENDED && liveness != next) {
            liveness = next;
            host.changed(this);
        }
    }

    private void forgetWatches() {
        if (forgetsWatches) {
            watches.forgetAll();
        }
    }

    /** Looks whether the server or this side has been silent for too long, and when to look again. */
    private void checkSilence(SimConnection by) {
        if (connection != by) {
            return;
        }
        long now = scheduler.now();
        if (now - heardAt >= timeout() * 2 / 3) {
            cut();
            return;
        }
        if (now - sentAt >= timeout() / 3) {
            send(by, SimRequest.silent(Kind.PING, ""));
        }
        long next = Math.min(heardAt + timeout() * 2 / 3, sentAt + timeout() / 3);
        scheduler.at(Math.max(next, now + 1), () -> host.enterFirst(() -> checkSilence(by)));
    }
}
