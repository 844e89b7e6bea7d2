package io.github.zklock.zookeeper.internal.local;

import io.github.zklock.FencingToken;
import io.github.zklock.HandOff;
import io.github.zklock.LockKind;
import io.github.zklock.zookeeper.internal.queue.Demand;
import io.github.zklock.zookeeper.internal.queue.Tokens;
import io.github.zklock.zookeeper.internal.runtime.Nanos;
import io.github.zklock.zookeeper.internal.runtime.Time;
import io.github.zklock.zookeeper.internal.seat.Seat;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One seat and its use by the requests of this process: the request for which it was created, the turns on it, the
 * number of turns so far, and whether it lingers. Owned by the loop.
 */
public final class SeatUse {

    private final Seat seat;
    /**
     * The request for which the seat was created. Under {@code STRICT} no other request uses it first. Null from the
     * first turn on: a claim refers to its answer, and a handle that the engine refers to could not be collected, so a
     * leak would not be detected.
     */
    private @Nullable Claim seeker;

    /** The place among all seats that the process has requested for the lock. */
    private final long number;

    private final HandOff handOff;
    private final Rounds rounds;
    private final Time time;

    /** Contains more than one turn only if all of them read, or if one writes and its owner also reads. */
    private final Set<Turn> turns = new LinkedHashSet<>(1);

    /** The number of turns that do not read. */
    private int alone;
    /**
     * The last turn that ended, while the seat is kept. Its release is confirmed when the seat is used again or is
     * deleted.
     */
    private @Nullable Turn settling;

    /** The number of the listing that shows its place; 0 if none was requested. */
    private int listing;

    private int given;
    private int givenAtLastTick;
    private boolean givesWay;
    /** The round of the first use. */
    private int round;

    private boolean idle;
    private long idleSince;
    private Time.@Nullable Alarm lingerEnd;

    SeatUse(Seat seat, Claim seeker, long number, HandOff handOff, Rounds rounds, Time time) {
        this.seat = seat;
        this.seeker = seeker;
        this.number = number;
        this.handOff = handOff;
        this.rounds = rounds;
        this.time = time;
    }

    Seat seat() {
        return seat;
    }

    long number() {
        return number;
    }

    @Nullable Claim seeker() {
        return seeker;
    }

    void awaitListing(int number) {
        listing = number;
    }

    int listing() {
        return listing;
    }

    Set<Turn> turns() {
        return Collections.unmodifiableSet(turns);
    }

    boolean isInUse() {
        return !turns.isEmpty();
    }

    /** Returns whether the seat has served a turn. */
    boolean isUsed() {
        return given > 0;
    }

    /** Returns whether all turns on the seat read. */
    boolean isReading() {
        return isInUse() && alone == 0;
    }

    /** Returns whether a request with this demand can be granted now, beside the present turns. */
    boolean serves(Demand demand) {
        return seat.isHead() && willServe(demand) && (!isInUse() || (demand.kind() == LockKind.READ && isReading()));
    }

    /** Returns whether a request with this demand can be granted on this seat, now or after the present turns. */
    boolean willServe(Demand demand) {
        boolean exact = seat.demand().equals(demand);
        if (!isUsed()) {
            return exact;
        }
        // a write seat can serve readers, too
        return mayServeAnother()
                && (exact || (demand.kind() == LockKind.READ && seat.demand().kind() == LockKind.WRITE));
    }

    /** Returns whether the seat may be kept although no request of this process waits. */
    boolean mayLinger() {
        return isUsed() && mayServeAnother() && !handOff.linger().isZero();
    }

    /** Ends the use of the seat after its present turns, because other processes wait. */
    void giveWay() {
        givesWay = true;
    }

    /** Records that the seat became a read seat, which does not block readers. */
    void becameReader() {
        givesWay = false;
        round = rounds.now();
    }

    FencingToken nextToken() {
        return Tokens.of(seat.czxid(), seat.place() + given);
    }

    void begin(Turn turn) {
        join(turn);
        idle = false;
        round = isUsed() ? round : rounds.now();
        given++;
        seeker = null;
    }

    /** Adds a turn beside another one of the same owner. */
    void join(Turn turn) {
        turns.add(turn);
        alone += turn.demand().kind() == LockKind.READ ? 0 : 1;
    }

    void end(Turn turn) {
        if (turns.remove(turn)) {
            alone -= turn.demand().kind() == LockKind.READ ? 0 : 1;
        }
    }

    /** Records the last turn, whose release is not confirmed yet. */
    void settle(Turn ended) {
        settling = ended;
    }

    @Nullable Turn takeSettling() {
        Turn last = settling;
        settling = null;
        return last;
    }

    /** Removes the mark of an idle seat if the same turn has been in use since the last call. */
    void unmarkLongUse() {
        if (isInUse() && given == givenAtLastTick) {
            seat.markIdle(false);
        }
        givenAtLastTick = given;
    }

    /** Returns whether the seat lingers. An idle seat of {@link OwnSeats} may also be kept for the first request. */
    boolean isLingering() {
        return idle;
    }

    /** Keeps the seat although no request of this process needs it now. */
    void linger(Runnable lingeredLong) {
        if (!idle) {
            idle = true;
            idleSince = time.nanoTime();
        }
        seat.markIdle(true);
        if (lingerEnd == null) {
            armLingerEnd(Nanos.of(handOff.linger()), lingeredLong);
        }
    }

    void endLinger() {
        if (lingerEnd != null) {
            lingerEnd.cancel();
            lingerEnd = null;
        }
    }

    /** Returns whether the seat may serve a further turn. */
    boolean mayServeAnother() {
        return handOff.policy() != HandOff.Policy.STRICT && given < Tokens.MAX_TURNS && !isGivingWay();
    }

    private boolean isGivingWay() {
        return givesWay || (isUsed() && round != rounds.now());
    }

    /**
     * Schedules the end of the linger. One alarm serves many uses of the seat: it only checks how long the seat has
     * been idle.
     */
    private void armLingerEnd(long nanos, Runnable lingeredLong) {
        lingerEnd = time.after(nanos, () -> {
            lingerEnd = null;
            if (idle) {
                long left = idleSince + Nanos.of(handOff.linger()) - time.nanoTime();
                if (left > 0) {
                    armLingerEnd(left, lingeredLong);
                } else {
                    lingeredLong.run();
                }
            }
        });
    }
}
