package io.github.zklock.zookeeper.internal.local;

import io.github.zklock.HandOff;
import io.github.zklock.HandOff.Policy;
import io.github.zklock.zookeeper.internal.runtime.Nanos;
import io.github.zklock.zookeeper.internal.runtime.Time;
import io.github.zklock.zookeeper.internal.seat.QueueWatch;
import org.jspecify.annotations.Nullable;

/**
 * The other processes that wait for a lock: when this process looks for them, and how its seats give way to them. Owned
 * by the loop.
 */
final class Contention {

    /*
     * A process passes the lock from request to request in memory, so other processes might wait without a limit. Therefore
     * it looks whether others wait, in a live view at once, and otherwise by a listing. If they do, a round ends: the
     * seats that were used until now serve no further turn.
     *
     * Invariants:
     *
     * - A look is due after HandOff.maxTurns turns or HandOff.maxTime, but only if a turn has begun since the latest look:
     *   one look after a turn is enough, because the next one finds processes that arrive later.
     * - At most one listing for a look is under way. It is not waited for any more if its answer cannot come.
     * - At most one look is scheduled, and none while this process has no seat at the head.
     * - Under STRICT, nothing is looked for: a seat serves one request and leaves in any case.
     */

    private final HandOff handOff;
    private final OwnSeats seats;
    private final EngineContext context;
    private final Runnable whenDue;
    private final Rounds rounds = new Rounds();

    private int turnsSinceLook;
    private long lookedAt;
    /** The number of the listing that is under way for a look; 0 if there is none. */
    private int lookUnderWay;

    private Time.@Nullable Alarm nextLook;

    /** @param whenDue calls {@link #lookIfDue} at the time of a scheduled look */
    Contention(HandOff handOff, OwnSeats seats, EngineContext context, Runnable whenDue) {
        this.handOff = handOff;
        this.seats = seats;
        this.context = context;
        this.whenDue = whenDue;
    }

    /** Returns the rounds, which end when others wait. */
    Rounds rounds() {
        return rounds;
    }

    /** Returns whether other processes wait for the lock. Unused seats of this process do not count. */
    boolean isShownBy(@Nullable QueueWatch watch) {
        return watch != null
                && handOff.policy() != Policy.STRICT
                && watch.view().hasOtherWaiter();
    }

    /** If other processes wait, idle seats leave, and no seat stays marked as idle. */
    void viewChanged(@Nullable QueueWatch watch) {
        if (isShownBy(watch)) {
            seats.idle().forEach(SeatUse::giveWay);
            for (SeatUse head : seats.marked()) {
                if (head.isInUse()) {
                    head.seat().markIdle(false);
                }
            }
        }
    }

    void turnBegan() {
        turnsSinceLook++;
    }

    /** Records that no process has had to wait for this one until now. */
    void looked() {
        turnsSinceLook = 0;
        lookedAt = context.time().nanoTime();
    }

    /** Looks for others now or at the time when that is due. Returns whether seats may have given way. */
    boolean lookWhenDue(@Nullable QueueWatch watch) {
        boolean looked = lookIfDue(watch);
        if (isLookWanted()
                && lookUnderWay == 0
                && nextLook == null
                && context.keeper().isConnected()) {
            nextLook = context.time().after(Math.max(0, nanosUntilLook()), () -> {
                nextLook = null;
                whenDue.run();
            });
        }
        return looked;
    }

    /** Looks for others if that is due. Returns whether seats may have given way. */
    boolean lookIfDue(@Nullable QueueWatch watch) {
        boolean isDue = isLookWanted() && (turnsSinceLook >= handOff.maxTurns() || nanosUntilLook() <= 0);
        return isDue && look(watch);
    }

    private boolean isLookWanted() {
        return handOff.policy() != Policy.STRICT && turnsSinceLook > 0;
    }

    private long nanosUntilLook() {
        return lookedAt + Nanos.of(handOff.maxTime()) - context.time().nanoTime();
    }

    /** Looks for others, unless a look is under way. Returns whether seats may have given way. */
    boolean look(@Nullable QueueWatch watch) {
        if (watch == null || lookUnderWay > 0 || !context.keeper().isConnected()) {
            return false;
        }
        if (watch.isLive()) {
            giveWayIfShownBy(watch);
            return true;
        }
        lookUnderWay = watch.look();
        return false;
    }

    /** Records the answer to this listing. */
    void listed(int number, QueueWatch watch) {
        if (lookUnderWay > 0 && number >= lookUnderWay) {
            lookUnderWay = 0;
            giveWayIfShownBy(watch);
        }
    }

    /** Records that a listing under way will not be answered, or is not valid any more. */
    void listingFailed() {
        lookUnderWay = 0;
    }

    private void giveWayIfShownBy(QueueWatch watch) {
        looked();
        if (isShownBy(watch)) {
            rounds.next();
            viewChanged(watch);
        }
    }

    /** Cancels the scheduled look. */
    void cancelLook() {
        if (nextLook != null) {
            nextLook.cancel();
            nextLook = null;
        }
    }
}
