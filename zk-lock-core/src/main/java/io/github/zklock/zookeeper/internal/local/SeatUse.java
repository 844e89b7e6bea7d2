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
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One seat and what the requests of this process do with it: for whom it was asked, the turns that rest on it, how many it has
 * given, and whether it lingers. Owned by the loop.
 */
public final class SeatUse {

    private final Seat seat;
    /**
     * For whom the seat was asked. Nobody else uses it first under {@code STRICT}. Null from the first turn on: a claim knows its answer,
     * and a handle that the engine knows cannot be seen to be lost.
     */
    private @Nullable Claim seeker;

    private final HandOff handOff;
    private final Time time;

    /** More than one only if all of them read, or one writes and its owner also reads. */
    private final Set<Turn> turns = new LinkedHashSet<>(1);

    /** How many of the turns do not read. */
    private int alone;
    /** The last turn that ended, while the seat is kept. Its release is seen when the seat is used again, or is gone. */
    private @Nullable Turn settling;

    /** The number of the listing that tells its place; 0 if none was asked for. */
    private int listing;

    private int given;
    private int givenAtLastTick;
    private boolean givesWay;
    private boolean idle;
    private long idleSince;
    private Time.@Nullable Alarm lingerEnd;

    SeatUse(Seat seat, Claim seeker, HandOff handOff, Time time) {
        this.seat = seat;
        this.seeker = seeker;
        this.handOff = handOff;
        this.time = time;
    }

    Seat seat() {
        return seat;
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

    /** Whether a turn was ever given. */
    boolean isUsed() {
        return given > 0;
    }

    /** Whether all who use the seat only read. */
    boolean isReading() {
        return isInUse() && alone == 0;
    }

    /** Whether one who asks for this can have a turn now, beside those that are there. */
    boolean serves(Demand demand) {
        return seat.isHead() && willServe(demand) && (!isInUse() || (demand.kind() == LockKind.READ && isReading()));
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

    /** Whether the seat may be kept although nobody here waits. */
    boolean mayLinger() {
        return isUsed() && mayServeAnother() && !handOff.linger().isZero();
    }

    /** Others wait for the seat: it serves those who have it, and nobody after them. */
    void giveWay() {
        givesWay = true;
    }

    boolean givesWay() {
        return givesWay;
    }

    /** As a reader's seat it does not keep those who want to read waiting. */
    void becameReader() {
        givesWay = false;
    }

    FencingToken nextToken() {
        return Tokens.of(seat.czxid(), seat.place() + given);
    }

    void begin(Turn turn) {
        join(turn);
        idle = false;
        given++;
        seeker = null;
    }

    /** A turn beside another one of the same owner. */
    void join(Turn turn) {
        turns.add(turn);
        alone += turn.demand().kind() == LockKind.READ ? 0 : 1;
    }

    void end(Turn turn) {
        if (turns.remove(turn)) {
            alone -= turn.demand().kind() == LockKind.READ ? 0 : 1;
        }
    }

    /** The turn was the last one, and its release is not seen yet. */
    void settle(Turn ended) {
        settling = ended;
    }

    Optional<Turn> takeSettling() {
        Optional<Turn> last = Optional.ofNullable(settling);
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

    boolean isIdle() {
        return idle;
    }

    /** Nobody here wants the seat for now. */
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

    private boolean mayServeAnother() {
        return handOff.policy() != HandOff.Policy.STRICT && given < Tokens.MAX_TURNS && !givesWay;
    }

    /** One alarm serves many retakes: it only checks how long the seat has been idle. */
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
