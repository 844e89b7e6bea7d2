package io.github.zklock.zookeeper;

import io.github.zklock.FencingToken;
import io.github.zklock.HandOff;
import io.github.zklock.zookeeper.WireSession.Event;
import io.github.zklock.zookeeper.WireSession.Watch;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The time for which one seat, having reached the head, serves the claims of this process: how many turns it has given,
 * whether others stand behind it, whether it lingers. Owned by the loop.
 */
final class Stint {

    /** Is told when a stint that nobody uses should end. */
    interface Host {
        void endIfIdle(Stint stint);
    }

    private final Seat seat;
    private final String folder;
    private final HandOff handOff;
    private final Time time;
    private final Host host;

    private int turns;
    private int turnsAtLastLook;
    private long lastLookAt;
    private boolean looking;
    private boolean othersBehind;
    private @Nullable FolderWatch watch;
    private boolean watchFired;
    private boolean idle;
    private long idleSince;
    private Time.@Nullable Alarm lingerEnd;
    private Time.@Nullable Alarm nextLook;

    Stint(Seat seat, String folder, HandOff handOff, Time time, Host host) {
        this.seat = seat;
        this.folder = folder;
        this.handOff = handOff;
        this.time = time;
        this.host = host;
        this.lastLookAt = time.nanoTime();
    }

    Seat seat() {
        return seat;
    }

    /** The token of the next turn. */
    FencingToken nextToken() {
        idle = false;
        return Tokens.of(seat.czxid(), turns++);
    }

    /** Whether a turn was given. */
    boolean isUsed() {
        return turns > 0;
    }

    /** Whether the seat may serve one more claim that waits here. */
    boolean mayServeAnother() {
        return handOff.policy() != HandOff.Policy.STRICT && turns < Tokens.MAX_TURNS && !othersBehind;
    }

    /** Whether the seat may be kept although nobody here waits. */
    boolean mayLinger() {
        return mayServeAnother() && !handOff.linger().isZero() && !watchFired;
    }

    /** Claims wait here for the seat: others must not be kept out beyond the bounds. */
    void claimsWait() {
        if (handOff.policy() == HandOff.Policy.STRICT || looking || othersBehind) {
            return;
        }
        long left = lastLookAt + Nanos.of(handOff.maxTime()) - time.nanoTime();
        if (turns - turnsAtLastLook >= handOff.maxTurns() || left <= 0) {
            look();
        } else if (nextLook == null) {
            nextLook = time.after(left, () -> {
                nextLook = null;
                look();
            });
        }
    }

    /** Nobody here wants the seat for now. */
    void linger() {
        if (!idle) {
            idle = true;
            idleSince = time.nanoTime();
        }
        if (watch == null) {
            watchFolder();
        }
        if (lingerEnd == null) {
            armLingerEnd(Nanos.of(handOff.linger()));
        }
    }

    /** The connection was away: what happened in the folder meanwhile is not known. */
    void connectionRestored() {
        looking = false;
        if (watch != null) {
            // a new one: an event of the old one, still on its way, must not pass for the end of the new one
            seat.tenure().unwatch(folder, watch);
            watchFolder();
        }
    }

    void end() {
        if (watch != null) {
            seat.tenure().unwatch(folder, watch);
            watch = null;
        }
        cancel(lingerEnd);
        cancel(nextLook);
    }

    private void look() {
        seat.tenure().list(folder, (outcome, children) -> {
            looking = false;
            looked(outcome, children);
        });
        looking = true;
    }

    private void watchFolder() {
        FolderWatch armed = new FolderWatch();
        watch = armed;
        seat.tenure().listWatching(folder, armed, this::looked);
    }

    private void looked(Outcome outcome, @Nullable List<String> children) {
        if (outcome == Outcome.OK && children != null) {
            lastLookAt = time.nanoTime();
            turnsAtLastLook = turns;
            othersBehind |= Line.of(children).hasOthersBehind(seat.name());
            if (othersBehind) {
                host.endIfIdle(this);
            }
        }
    }

    /** One alarm serves many retakes: it only checks how long the seat has been idle. */
    private void armLingerEnd(long nanos) {
        lingerEnd = time.after(nanos, () -> {
            lingerEnd = null;
            if (!idle) {
                return;
            }
            long left = idleSince + Nanos.of(handOff.linger()) - time.nanoTime();
            if (left > 0) {
                armLingerEnd(left);
            } else {
                host.endIfIdle(this);
            }
        });
    }

    private static void cancel(Time.@Nullable Alarm alarm) {
        if (alarm != null) {
            alarm.cancel();
        }
    }

    /** Tells that the folder's children have changed: somebody came, most likely. */
    private final class FolderWatch implements Watch {
        @Override
        public void happened(Event event) {
            if (watch == this) {
                watch = null;
                watchFired = true;
                host.endIfIdle(Stint.this);
            }
        }
    }
}
