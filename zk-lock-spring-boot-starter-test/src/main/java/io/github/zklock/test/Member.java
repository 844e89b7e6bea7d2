package io.github.zklock.test;

import io.github.zklock.LockEvent;
import io.github.zklock.LockName;
import io.github.zklock.LockPolicy;
import io.github.zklock.OnClose;
import io.github.zklock.test.Alarms.Alarm;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** One process of the cluster: its connection and its session. Guarded by the ensemble's lock. */
final class Member {

    private final Ensemble ensemble;
    private final Settings settings;
    private final Listeners listeners;
    private final Holdings holdings;
    private final Claims claims;

    /**
     * <pre>
     * false &lt;-&gt; true    neither suspended nor in an outage
     * true -&gt; false     closed and nothing held, finally
     * </pre>
     *
     * Written under the lock, read by anybody.
     */
    private volatile boolean connected;

    private boolean suspended;
    private boolean closed;
    /** Closed, and holds nothing any more. */
    private boolean left;

    private long renewals;
    /** Empty while there is none. */
    private String session = "";

    private @Nullable Alarm expiry;

    Member(Ensemble ensemble, Settings settings, Listeners listeners) {
        this.ensemble = ensemble;
        this.settings = settings;
        this.listeners = listeners;
        this.holdings = new Holdings(this);
        this.claims = new Claims(this);
    }

    Ensemble ensemble() {
        return ensemble;
    }

    Alarms alarms() {
        return ensemble.alarms();
    }

    Settings settings() {
        return settings;
    }

    Listeners listeners() {
        return listeners;
    }

    Holdings holdings() {
        return holdings;
    }

    Claims claims() {
        return claims;
    }

    /** The policy by which this process handles a lock now; empty if nobody here holds or waits. */
    Optional<LockPolicy> policyInForce(LockName name) {
        return holdings.policyOf(name).or(() -> claims.policyOf(name));
    }

    /** How often the session was proven to be alive: a connection proves it at once, and for as long as it lasts. */
    long renewals() {
        return renewals;
    }

    String session() {
        return session;
    }

    /** Any thread. */
    boolean isConnected() {
        return connected;
    }

    boolean isClosed() {
        return closed;
    }

    /** Becomes part of the cluster. */
    void join() {
        ensemble.add(this);
        connectionMayHaveChanged();
    }

    void suspend() {
        suspended = true;
        connectionMayHaveChanged();
    }

    void resume() {
        suspended = false;
        connectionMayHaveChanged();
    }

    void connectionMayHaveChanged() {
        boolean connectable = !suspended && !ensemble.isDown();
        if (left || connectable == connected) {
            return;
        }
        if (connectable) {
            connect();
        } else {
            disconnect();
        }
    }

    /** Ends the session: what rests on it is lost, and whoever waits queues anew. */
    void expire() {
        session = "";
        holdings.loseAll("its session expired");
        holdings.removeSeats();
        if (closed) {
            left = true;
            connected = false;
            holdings.giveUpReleases();
            ensemble.forget(this);
            ensemble.connectionsChanged();
            return;
        }
        if (connected) {
            session = ensemble.nextSession();
            renewals++;
            holdings.settle();
        }
        claims.proceed();
    }

    /** The cluster has this seat no longer, and says so if it can. */
    void deleted(Seat seat, String reason) {
        if (connected) {
            holdings.loseSeat(seat, reason);
            holdings.settle();
            claims.proceed();
            turnEnded();
        }
    }

    /**
     * Rejects requests from now on, and leaves the cluster: at once if nothing is held or what is held is released, else
     * when the last holder has released its lock. Without a connection, the cluster keeps the session until it expires.
     */
    void close(OnClose held) {
        if (closed) {
            return;
        }
        closed = true;
        claims.refuseAll();
        if (held == OnClose.RELEASE_HELD) {
            holdings.loseAll("its registry was closed");
        }
        if (holdings.turns().isEmpty()) {
            leave();
        } else {
            holdings.leaveUnheldSeats();
            ensemble.connectionsChanged();
        }
    }

    /** The cluster closes: also what a closed registry has kept is lost. */
    void shutDown() {
        close(OnClose.RELEASE_HELD);
        if (!left) {
            holdings.loseAll("its cluster was closed");
            leave();
        }
    }

    /** A turn is over, and the cluster has seen that if there is a connection. */
    void turnEnded() {
        if (closed && !left && connected && holdings.turns().isEmpty()) {
            leave();
        }
    }

    private void leave() {
        left = true;
        if (connected) {
            holdings.removeSeats();
            holdings.settle();
        } else {
            holdings.giveUpReleases();
        }
        if (connected || session.isEmpty()) {
            session = "";
            ensemble.forget(this);
        }
        connected = false;
        ensemble.connectionsChanged();
    }

    private void connect() {
        if (expiry != null) {
            expiry.cancel();
        }
        // before anybody can take them for held
        holdings.loseSeatsThatAreGone();
        if (session.isEmpty()) {
            session = ensemble.nextSession();
        }
        connected = true;
        renewals++;
        holdings.turns().forEach(turn -> listeners.tell(new LockEvent.Resumed(turn.name(), turn.token())));
        holdings.settle();
        holdings.serveLines();
        claims.proceed();
        ensemble.connectionsChanged();
        turnEnded();
    }

    private void disconnect() {
        connected = false;
        holdings.turns().forEach(turn -> listeners.tell(new LockEvent.Suspended(turn.name(), turn.token())));
        expiry = alarms().after(Alarms.nanos(settings.sessionTimeout()), this::expire);
    }
}
