package io.github.zklock.zookeeper.internal.session;

import io.github.zklock.zookeeper.internal.runtime.Backoff;
import io.github.zklock.zookeeper.internal.runtime.EngineLog;
import io.github.zklock.zookeeper.internal.runtime.EngineRun;
import io.github.zklock.zookeeper.internal.runtime.Time;
import io.github.zklock.zookeeper.internal.session.Refusal.Reason;
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
 * Keeps a session pinned, its connection watched and its proof fresh.
 *
 * <pre>
 * SEEKING -&gt; CONNECTED        a session was pinned
 * CONNECTED &lt;-&gt; BROKEN        a request was lost / one was answered again
 * CONNECTED | BROKEN -&gt; SEEKING   the session ended
 * any -&gt; CLOSED
 * </pre>
 *
 * Owned by the loop. Hints only make it look sooner: each tick looks anyway, so that a dropped hint costs T/8. (M9)
 */
public final class SessionKeeper implements PinnedSession.Observer {

    /** Whose seats stand on the session. */
    public interface Client {
        /** A connection is there, on a new session or anew on the old one. */
        void connected(PinnedSession session);

        /** The connection is lost, or the session. */
        void disconnected();

        /** The session is over. Its seats have not been told yet. */
        void ended(PinnedSession session, String reason);

        /** More is proven than before. */
        void proofAdvanced();

        /** The client is refused by the servers. */
        void denied(Refusal refusal);

        /** The client is closed for good. */
        void clientClosed();

        /** Time has passed. */
        void tick();
    }

    private enum State {
        SEEKING,
        CONNECTED,
        BROKEN,
        CLOSED
    }

    private static final Logger LOG = EngineLog.of(SessionKeeper.class);
    private static final long TICK_WITHOUT_SESSION = 1_000_000_000L;

    private final EngineRun run;
    private final Wire wire;
    private final Time time;
    private final String basePath;
    private final Backoff backoff;
    private final Client client;
    private final ClockWatch clocks;

    private State state = State.SEEKING;
    private @Nullable PinnedSession session;
    private @Nullable Renewal renewal;
    private boolean pinning;
    private boolean proofWanted;
    private int failures;
    private long renewalsBefore;
    private String trouble = "";
    private @Nullable Refusal denial;
    private Time.@Nullable Alarm retry;
    private Time.@Nullable Alarm tick;
    /** After which it goes off. */
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
        state = State.CLOSED;
        cancel(retry);
        cancel(tick);
        if (session != null) {
            session.leave();
            end(session, "its client was closed");
        }
    }

    /** The session, if requests can be sent on it now. */
    public Optional<PinnedSession> connected() {
        return state == State.CONNECTED ? Optional.ofNullable(session) : Optional.empty();
    }

    /** The session, connected or not. */
    public Optional<PinnedSession> session() {
        return Optional.ofNullable(session);
    }

    /** Why the servers refuse this client, if they do. */
    public Optional<Refusal> denial() {
        return Optional.ofNullable(denial);
    }

    /** Why no session could be pinned when last tried; empty if one could. */
    public String trouble() {
        return trouble;
    }

    /** How often the proof that the session lives was renewed, over all sessions. */
    public long renewals() {
        return renewalsBefore + (session == null ? 0 : session.proof().renewals());
    }

    /** Somebody could be granted a lock if only the session were proven to be alive. */
    public void wantProof() {
        PinnedSession current = session;
        if (state == State.CONNECTED && current != null && !proofWanted) {
            proofWanted = true;
            time.after(current.proof().nanosUntilWriteProves(time.nanoTime()), () -> {
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
            if (state == State.BROKEN && source.liveness() == Liveness.CONNECTED) {
                source.noticeConnection();
                connected(source);
            }
            client.proofAdvanced();
        }
    }

    /** Compares what is believed with what the client says. */
    private void look() {
        PinnedSession current = session;
        if (state == State.CLOSED) {
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
        if (state != State.SEEKING) {
            return;
        }
        if (pin instanceof Wire.Pin.Pinned found && found.session().liveness() != Liveness.ENDED) {
            compareClocksSinceAttempt(found.session());
            PinnedSession begun =
                    new PinnedSession(run, new GroupCommit(found.session(), basePath, time::nanoTime), time, this);
            session = begun;
            renewal = new Renewal(begun, basePath);
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
            state = State.CLOSED;
            denial = Refusal.of(Reason.CLOSED, "the client of its registry was closed");
            client.denied(denial);
            client.clientClosed();
        } else {
            retryLater(this::look);
        }
    }

    private void connected(PinnedSession current) {
        state = State.CONNECTED;
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
        if (state == State.CONNECTED && current.hasMoved()) {
            pause(current);
        }
    }

    /** What was asked for on the connection before is asked for again when the next one has answered. */
    private void pause(PinnedSession current) {
        if (state == State.CONNECTED) {
            state = State.BROKEN;
            client.disconnected();
            LOG.debug("Connection of session {} lost", Long.toHexString(current.sessionId()));
        }
        if (retry == null) {
            retryLater(this::look);
        }
    }

    private void probeIfBroken(PinnedSession current) {
        if (state == State.BROKEN) {
            current.read(basePath, (outcome, node) -> {
                if (outcome == Outcome.UNKNOWN && current == session) {
                    retryLater(this::look);
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
            renewal = null;
            client.disconnected();
            if (state != State.CLOSED) {
                state = State.SEEKING;
            }
            client.ended(current, reason);
            look();
        }
    }

    private void retryLater(Runnable action) {
        cancel(retry);
        retry = time.after(backoff.pause(failures++), () -> {
            retry = null;
            action.run();
        });
    }

    private long neededTickPause() {
        return session == null ? TICK_WITHOUT_SESSION : session.timeoutNanos() / 8;
    }

    private void armTick() {
        cancel(tick);
        tickPause = neededTickPause();
        tick = time.after(tickPause, () -> {
            armTick();
            tick();
        });
    }

    /** From the latest tick to the next. */
    public long tickPause() {
        return tickPause;
    }

    public boolean isClosed() {
        return state == State.CLOSED;
    }

    private void tick() {
        run.ticked();
        PinnedSession current = session;
        if (current != null) {
            compareClocks(current);
        }
        look();
        current = session;
        if (current != null && state == State.CONNECTED) {
            if (!renew()) {
                idle(current);
            }
        }
        client.tick();
    }

    /** If the machine was suspended between the attempt to connect and now, the attempt dates nothing. */
    private void compareClocksSinceAttempt(WireSession next) {
        OptionalLong wallLead = next.wallLeadAtAttemptNanos();
        // from here on the samples tell; none was taken without a session
        clocks.reset();
        if (wallLead.isPresent()
                && ClockWatch.isSuspicious(clocks.driftNanosSince(wallLead.getAsLong()), next.timeoutNanos())) {
            run.distrustBefore(time.nanoTime());
        }
    }

    private void compareClocks(PinnedSession current) {
        suspendAfterDrift(current, clocks.sampleDriftNanos(), "the wall clock");
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
                    Duration.ofNanos(drift),
                    other,
                    Long.toHexString(current.sessionId()),
                    Duration.ofNanos(current.proof().remainingNanos(time.nanoTime())));
        }
    }

    /** A cheap question to the leader, so that a first grant has something to rest on. */
    private void idle(PinnedSession current) {
        current.sync(basePath, (outcome, none) -> {});
    }

    /** False if nothing was sent for it. */
    private boolean renew() {
        return state == State.CONNECTED && renewal != null && renewal.run();
    }

    private static void cancel(Time.@Nullable Alarm alarm) {
        if (alarm != null) {
            alarm.cancel();
        }
    }
}
