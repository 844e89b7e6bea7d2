package io.github.zklock.zookeeper.internal.session;

import io.github.zklock.internal.Words;
import io.github.zklock.zookeeper.internal.runtime.Backoff;
import io.github.zklock.zookeeper.internal.runtime.EngineLog;
import io.github.zklock.zookeeper.internal.runtime.EngineRun;
import io.github.zklock.zookeeper.internal.runtime.Time;
import io.github.zklock.zookeeper.internal.session.Refusal.Reason;
import io.github.zklock.zookeeper.internal.transport.Connection;
import io.github.zklock.zookeeper.internal.transport.GroupCommit;
import io.github.zklock.zookeeper.internal.transport.Outcome;
import io.github.zklock.zookeeper.internal.transport.Wire;
import io.github.zklock.zookeeper.internal.transport.WireSession;
import io.github.zklock.zookeeper.internal.transport.WireSession.Liveness;
import io.github.zklock.zookeeper.internal.transport.WireSession.Node;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * The component that keeps a session pinned, watches its connection and renews its proof.
 *
 * <pre>
 * SEEKING -&gt; CONNECTED        a session was pinned
 * CONNECTED &lt;-&gt; BROKEN        a request was lost / a request was answered again
 * CONNECTED | BROKEN -&gt; SEEKING   the session ended
 * any -&gt; CLOSED
 * </pre>
 *
 * <p>Owned by the loop. A hint only makes the check earlier. Each tick checks as well, so a dropped hint costs T/8.
 * (M9)
 */
public final class SessionKeeper implements PinnedSession.Observer {

    /** The receiver of changes, which owns the seats on the session. */
    public interface Client {
        /** A connection is established, on a new session or again on the present one. */
        void connected(PinnedSession session);

        /** The connection or the session is lost. */
        void disconnected();

        /** The session has ended. Called before its seats are notified. */
        void ended(PinnedSession session, String reason);

        /** The proof may be longer than before. */
        void proofAdvanced();

        /** The servers reject the client. */
        void denied(Refusal refusal);

        /** The client is closed and does not start again. */
        void clientClosed();

        /** Called at each tick. */
        void tick();
    }

    /*
     * The state is derived: it is SEEKING without a session, and PinnedSession.isConnected distinguishes CONNECTED from
     * BROKEN. CLOSED is final.
     *
     * Invariants. Without a session, a search for one is under way, or an alarm will begin one: look() is called at each
     * tick, after each pause, and for each hint. A session is never resumed after its end, and a node of another session is
     * never adopted. What was requested on a connection that is lost is requested again when the next one has answered,
     * not when the client reports it: PinnedSession.askAgain. The tick is armed before it does anything, so an
     * Error in it does not stop it.
     */

    /** What keeps the proof of one session. */
    private record Upkeep(Renewal renewal, ExpiryProbe probe) {}

    private static final Logger LOG = EngineLog.of(SessionKeeper.class);
    private static final long TICK_WITHOUT_SESSION = 1_000_000_000L;

    private final EngineRun run;
    private final Wire wire;
    private final Time time;
    private final String basePath;
    private final Backoff backoff;
    private final Client client;
    private final ClockWatch clocks;

    private boolean closed;
    private @Nullable PinnedSession session;
    /** Null without a session. */
    private @Nullable Upkeep upkeep;

    private boolean pinning;
    private boolean proofWanted;
    private int failures;
    private long renewalsBefore;
    private String trouble = "";
    private @Nullable Refusal denial;
    private Time.@Nullable Alarm retry;
    private Time.@Nullable Alarm tick;
    /** The time from the latest tick to the next. */
    private long tickPause = TICK_WITHOUT_SESSION;

    public SessionKeeper(EngineRun run, Wire wire, Time time, String basePath, Backoff backoff, Client client) {
        this.run = run;
        this.wire = wire;
        this.time = time;
        this.basePath = basePath;
        this.backoff = backoff;
        this.client = client;
        this.clocks = new ClockWatch(time);
    }

    public void start() {
        wire.onHint(this::look);
        look();
        armTick();
    }

    public void close() {
        closed = true;
        cancel(retry);
        cancel(tick);
        if (session != null) {
            session.leave();
            end(session, "its client was closed");
        }
    }

    /** Returns whether there is a session on which requests can be sent now. */
    public boolean isConnected() {
        return session != null && session.isConnected();
    }

    /** Returns the session if requests can be sent on it now. */
    public Optional<PinnedSession> connected() {
        return isConnected() ? session() : Optional.empty();
    }

    /** Returns the session, connected or not. */
    public Optional<PinnedSession> session() {
        return Optional.ofNullable(session);
    }

    /** Returns why the servers reject this client, if they do. */
    public Optional<Refusal> denial() {
        return Optional.ofNullable(denial);
    }

    /** Returns why the latest attempt to pin a session failed; empty if it succeeded. */
    public String trouble() {
        return trouble;
    }

    /** Returns how often the proof was renewed, over all sessions. */
    public long renewals() {
        return renewalsBefore + (session == null ? 0 : session.proof().renewals());
    }

    /** Requests a renewal: a lock could be granted if the session were proven to be alive. */
    public void wantProof() {
        PinnedSession current = session;
        if (current != null && current.isConnected() && !proofWanted) {
            proofWanted = true;
            time.urgentlyAfter(current.proof().nanosUntilWriteProves(time.nanoTime()), () -> {
                proofWanted = false;
                renew();
            });
        }
    }

    @Override
    public void answered(PinnedSession source, Outcome outcome) {
        if (source != session || source.hasEnded()) {
            return;
        }
        if (outcome == Outcome.SESSION_ENDED || source.liveness() == Liveness.ENDED) {
            end(source, "its session ended");
        } else if (outcome == Outcome.CONNECTION_LOST) {
            broken(source);
        } else if (!outcome.isUnknown()) {
            pauseIfMoved(source);
            if (!source.isConnected() && source.liveness() == Liveness.CONNECTED && source.noticeConnection()) {
                connected(source);
            }
            if (upkeep != null) {
                upkeep.probe().begin();
            }
            client.proofAdvanced();
        }
    }

    /** Compares the state of this object with the state of the client. */
    private void look() {
        PinnedSession current = session;
        if (closed) {
            return;
        }
        if (current == null) {
            pin();
            return;
        }
        switch (current.liveness()) {
            case ENDED -> end(current, "its session ended");
            case DENIED -> deny(current, "the servers reject the authentication of this client");
            case DISCONNECTED -> broken(current);
            case CONNECTED -> {
                current.noticeConnection();
                pauseIfMoved(current);
                probeIfBroken(current);
                if (neededTickPause() < tickPause) {
                    armTick();
                }
            }
        }
    }

    private void pin() {
        if (!pinning) {
            pinning = true;
            try {
                wire.pin(this::pinned);
            } catch (RuntimeException error) {
                LOG.warn("No session can be requested", error);
                pinned(new Wire.Pin.NotYet(error.toString()));
            }
        }
    }

    private void pinned(Wire.Pin pin) {
        pinning = false;
        if (closed || session != null) {
            return;
        }
        if (pin instanceof Wire.Pin.Pinned found && found.session().liveness() != Liveness.ENDED) {
            compareClocksSinceAttempt(found.session());
            GroupCommit writes = new GroupCommit(found.session(), basePath, time::nanoTime);
            PinnedSession begun = new PinnedSession(run, found.session(), writes, time, this);
            session = begun;
            upkeep = new Upkeep(new Renewal(begun, basePath), new ExpiryProbe(begun, time, basePath));
            armTick();
            connected(begun);
            idle(begun);
            return;
        }
        if (pin instanceof Wire.Pin.NotYet notYet) {
            trouble = notYet.reason();
        }
        if (pin instanceof Wire.Pin.Denied denied) {
            denial = new Refusal(Reason.DENIED, denied.reason(), denied.cause());
            client.denied(denial);
        }
        if (pin instanceof Wire.Pin.Closed) {
            closed = true;
            denial = Refusal.of(Reason.CLOSED, "the client of its registry was closed");
            client.denied(denial);
            client.clientClosed();
        } else {
            retryLater();
        }
    }

    private void connected(PinnedSession current) {
        failures = 0;
        denial = null;
        trouble = "";
        cancel(retry);
        retry = null;
        current.settle();
        current.askAgain();
        renew();
        client.connected(current);
    }

    private void broken(PinnedSession current) {
        current.connectionBroken();
        pause(current);
    }

    private void pauseIfMoved(PinnedSession current) {
        if (current.hasMoved()) {
            pause(current);
        }
    }

    /** Stops using the connection. What was requested on it is requested again when the next one has answered. */
    private void pause(PinnedSession current) {
        if (current.isConnected()) {
            current.unsettle();
            client.disconnected();
            LOG.debug("Connection of session {} lost", Long.toHexString(current.sessionId()));
        }
        if (retry == null) {
            retryLater();
        }
    }

    private void probeIfBroken(PinnedSession current) {
        if (!current.isConnected()) {
            current.read(basePath, (outcome, node) -> {
                if (outcome == Outcome.UNKNOWN && current == session) {
                    retryLater();
                }
            });
        }
    }

    private void deny(PinnedSession current, String reason) {
        denial = Refusal.of(Reason.DENIED, reason);
        client.denied(denial);
        end(current, reason);
    }

    private void end(PinnedSession current, String reason) {
        if (!current.hasEnded()) {
            current.end();
            renewalsBefore += current.proof().renewals();
            session = null;
            upkeep = null;
            client.disconnected();
            client.ended(current, reason);
            look();
        }
    }

    private void retryLater() {
        cancel(retry);
        retry = time.after(backoff.pause(failures++), () -> {
            retry = null;
            look();
        });
    }

    private long neededTickPause() {
        return session == null ? TICK_WITHOUT_SESSION : session.timeoutNanos() / 8;
    }

    private void armTick() {
        cancel(tick);
        tickPause = neededTickPause();
        tick = time.urgentlyAfter(tickPause, () -> {
            armTick();
            tick();
        });
    }

    /** Returns the time from the latest tick to the next. */
    public long tickPause() {
        return tickPause;
    }

    public boolean isClosed() {
        return closed;
    }

    private void tick() {
        run.ticked();
        PinnedSession current = session;
        if (current != null) {
            suspendAfterDrift(current, clocks.sampleDriftNanos(), "the wall clock");
        }
        look();
        current = session;
        if (current != null && current.isConnected()) {
            current.tick();
            if (!renew()) {
                idle(current);
            }
            if (upkeep != null) {
                upkeep.probe().tick();
            }
        }
        client.tick();
    }

    /**
     * Compares the clocks. If the machine was suspended since the attempt to connect, the time of the attempt proves
     * nothing.
     */
    private void compareClocksSinceAttempt(WireSession next) {
        Connection latest = next.connection();
        Connection.Attempt attempt = latest.attempt();
        OptionalLong wallLead = attempt == null ? OptionalLong.empty() : attempt.wallLeadNanos();
        // samples cover the time from here on; without a session none was taken
        clocks.reset();
        if (wallLead.isPresent()
                && ClockWatch.isSuspicious(clocks.driftNanosSince(wallLead.getAsLong()), latest.timeoutNanos())) {
            run.distrustBefore(time.nanoTime());
        }
    }

    @Override
    public void created(PinnedSession source, Node node, long sentAt) {
        if (source == session) {
            long drift = clocks.leaderDriftNanos(node.czxid(), node.createdMillis(), sentAt, source.timeoutNanos());
            suspendAfterDrift(source, drift, "the clock of ZooKeeper's leader");
        }
    }

    private void suspendAfterDrift(PinnedSession current, long drift, String other) {
        if (ClockWatch.isSuspicious(drift, current.timeoutNanos())) {
            clocks.reset();
            current.proof().clockFellBehind(drift, time.nanoTime());
            LOG.warn(
                    "The monotonic clock fell {} behind {}, as if this machine had been suspended. Session {} is proven for {}"
                            + " from now on; locks are suspended while it is not proven",
                    Words.of(Duration.ofNanos(drift)),
                    other,
                    Long.toHexString(current.sessionId()),
                    Words.of(Duration.ofNanos(current.proof().remainingNanos(time.nanoTime()))));
        }
    }

    /** Sends a cheap request to the leader, so that the proof of a first grant can use its answer. */
    private void idle(PinnedSession current) {
        current.sync(basePath, (outcome, none) -> {});
    }

    /** Returns false if there was no seat to check, so that nothing was sent. */
    private boolean renew() {
        return isConnected() && upkeep != null && upkeep.renewal().run();
    }

    private static void cancel(Time.@Nullable Alarm alarm) {
        if (alarm != null) {
            alarm.cancel();
        }
    }
}
