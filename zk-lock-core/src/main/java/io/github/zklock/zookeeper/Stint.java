package io.github.zklock.zookeeper;

import io.github.zklock.FencingToken;
import io.github.zklock.HandOff;
import io.github.zklock.LockKind;
import io.github.zklock.zookeeper.internal.queue.Demand;
import io.github.zklock.zookeeper.internal.queue.Line;
import io.github.zklock.zookeeper.internal.queue.Tokens;
import io.github.zklock.zookeeper.internal.runtime.Nanos;
import io.github.zklock.zookeeper.internal.runtime.Time;
import io.github.zklock.zookeeper.internal.transport.Outcome;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The time for which one seat, having reached the head, serves the claims of this process: the turns that rest on it, how
 * many it has given, whether others wait behind it, whether it lingers. Owned by the loop.
 */
final class Stint {

    /** Is told what the seat can no longer be kept for. */
    interface Host {
        /** Somebody else waits for what this stint's seat has. */
        void othersWait(Stint stint);

        /** Nobody has used the seat for as long as it may linger. */
        void lingeredLong(Stint stint);
    }

    private final Seat seat;
    private final String folder;
    private final HandOff handOff;
    private final Time time;
    private final Host host;

    /** Those that rest on the seat now: more than one only if they read, or one writes and its owner also reads. */
    private final Set<Turn> turns = new LinkedHashSet<>(1);

    /** How many of them do not read. */
    private int alone;
    /** The last one that has ended, while the seat is kept: its release is seen when the seat is used again, or is gone. */
    private @Nullable Turn settling;

    private int given;
    private int givenAtLastTick;
    private boolean othersBehind;
    private @Nullable FolderWatch watch;
    private boolean watchFired;
    private boolean idle;
    private long idleSince;
    private Time.@Nullable Alarm lingerEnd;

    Stint(Seat seat, String folder, HandOff handOff, Time time, Host host) {
        this.seat = seat;
        this.folder = folder;
        this.handOff = handOff;
        this.time = time;
        this.host = host;
    }

    Seat seat() {
        return seat;
    }

    /** The turns that rest on the seat. */
    Set<Turn> turns() {
        return Collections.unmodifiableSet(turns);
    }

    boolean isInUse() {
        return !turns.isEmpty();
    }

    /** Whether a turn was ever given. */
    boolean isUsed() {
        return given > 0;
    }

    /** Whether all who use the seat only read. */
    boolean isReading() {
        return isInUse() && alone == 0;
    }

    /** Whether one who asks for this can have a turn beside those that are there. */
    boolean serves(Demand demand) {
        return willServe(demand) && (!isInUse() || (demand.kind() == LockKind.READ && isReading()));
    }

    /** Whether one who asks for this will have a turn here, now or when others have ended theirs. */
    boolean willServe(Demand demand) {
        boolean exact = seat.demand().equals(demand);
        if (!isUsed()) {
            return exact;
        }
        // a writer's seat is good for readers, too
        return mayServeAnother()
                && (exact || (demand.kind() == LockKind.READ && seat.demand().kind() == LockKind.WRITE));
    }

    /** The token of the next turn. */
    FencingToken nextToken() {
        return Tokens.of(seat.czxid(), given);
    }

    void begin(Turn turn) {
        join(turn);
        idle = false;
        given++;
    }

    /** A turn that goes on where another of the same seat, its owner's, stands. */
    void join(Turn turn) {
        turns.add(turn);
        alone += turn.demand().kind() == LockKind.READ ? 0 : 1;
    }

    void end(Turn turn) {
        if (turns.remove(turn)) {
            alone -= turn.demand().kind() == LockKind.READ ? 0 : 1;
        }
    }

    /** Removes the mark of an idle seat if the same turn has been in use since the last call. */
    void unmarkLongUse() {
        if (isInUse() && given == givenAtLastTick) {
            seat.markIdle(false);
        }
        givenAtLastTick = given;
    }

    /** The turn was the last one, and the seat is kept. */
    void settle(Turn ended) {
        settling = ended;
    }

    Optional<Turn> takeSettling() {
        Optional<Turn> last = Optional.ofNullable(settling);
        settling = null;
        return last;
    }

    /** Whether the seat may be kept although nobody here waits. */
    boolean mayLinger() {
        return isUsed() && mayServeAnother() && !handOff.linger().isZero() && !watchFired;
    }

    /** The queue was read. */
    void seen(Line line) {
        othersBehind |= line.isWaitedFor(seat.name());
        if (othersBehind) {
            if (isInUse()) {
                seat.markIdle(false);
            }
            host.othersWait(this);
        }
    }

    /** Nobody here wants the seat for now. */
    void linger() {
        if (!idle) {
            idle = true;
            idleSince = time.nanoTime();
        }
        // before the watch is set: a process that reads the mark can rely on the watch (see IdleSeats)
        seat.markIdle(true);
        watchFolder();
        if (lingerEnd == null) {
            armLingerEnd(Nanos.of(handOff.linger()));
        }
    }

    /** A writer's seat on which nobody writes: others may come who could read, too. */
    void watchForReaders() {
        if (othersBehind) {
            host.othersWait(this);
        } else {
            watchFolder();
        }
    }

    /** The seat has become a reader's: who waited to read behind it waits no more, and is not looked out for. */
    void becameReader() {
        othersBehind = false;
        endWatch();
    }

    /** The connection was away: what happened in the folder meanwhile is not known. */
    void connectionRestored() {
        if (watch != null) {
            // a new one: an event of the old one, still on its way, must not pass for the end of the new one
            endWatch();
            watchFolder();
        }
    }

    void end() {
        endWatch();
        if (lingerEnd != null) {
            lingerEnd.cancel();
        }
    }

    private boolean mayServeAnother() {
        return handOff.policy() != HandOff.Policy.STRICT && given < Tokens.MAX_TURNS && !othersBehind;
    }

    private void watchFolder() {
        if (watch == null) {
            FolderWatch armed = new FolderWatch(seat.tenure(), folder, this::listed, this::somebodyCameOrLeft);
            armed.arm();
            watch = armed;
        }
    }

    private void listed(Outcome outcome, @Nullable List<String> children) {
        if (outcome == Outcome.OK && children != null) {
            seen(Line.of(children));
        }
    }

    private void endWatch() {
        if (watch != null) {
            watch.end();
            watch = null;
        }
    }

    private void somebodyCameOrLeft() {
        // for good: it may still wait for the answer to its listing, and would set the watch again if that never came
        endWatch();
        watchFired = true;
        if (!isInUse()) {
            host.othersWait(this);
            return;
        }
        seat.markIdle(false);
        if (isReading() && seat.isAlone()) {
            watchFolder();
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
                host.lingeredLong(this);
            }
        });
    }
}
