package io.github.zklock.zookeeper.internal.local;

import io.github.zklock.LockKind;
import io.github.zklock.zookeeper.internal.queue.Demand;
import io.github.zklock.zookeeper.internal.queue.Sharers;
import java.util.Collections;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The turns and the waiting claims of this process for one lock, and what they take together. Its answers do not visit
 * all of them. Owned by the loop.
 */
final class Occupancy {

    private final OwnSeats seats;
    private final Sharers held = new Sharers();
    private final Sharers awaited = new Sharers();
    /** In their order. */
    private final Set<Claim> waiting = new LinkedHashSet<>();
    /** Those of them that do not share the lock. */
    private final Set<Claim> waitingAlone = new LinkedHashSet<>(0);
    /** Those of them that do not wait for holders. */
    private final Set<Claim> hurried = new LinkedHashSet<>(0);

    /** The demand of the holders and waiters: all of them agree. */
    private Demand use;

    private long entered;

    /** @param seats whose turns are those of this process */
    Occupancy(OwnSeats seats, Demand use) {
        this.seats = seats;
        this.use = use;
    }

    Demand use() {
        return use;
    }

    /** Sets the demand of the next holders and waiters. Now there are none. */
    void changeUse(Demand demand) {
        use = demand;
    }

    Set<Claim> waiting() {
        return Collections.unmodifiableSet(waiting);
    }

    /** Returns whether there are waiting claims that do not wait for holders. */
    boolean isHurried() {
        return !hurried.isEmpty();
    }

    void enter(Claim claim) {
        claim.place = ++entered;
        waiting.add(claim);
        awaited.add(claim.demand());
        if (claim.demand().isAlone()) {
            waitingAlone.add(claim);
        }
        if (!claim.patience().waitsForHolders()) {
            hurried.add(claim);
        }
    }

    /** Removes the claim. Returns whether it waited. */
    boolean leave(Claim claim) {
        if (!waiting.remove(claim)) {
            return false;
        }
        awaited.remove(claim.demand());
        waitingAlone.remove(claim);
        hurried.remove(claim);
        return true;
    }

    void began(Turn turn) {
        held.add(turn.demand());
    }

    void ended(Turn turn) {
        held.remove(turn.demand());
    }

    /** Returns whether no turn and no waiting claim of this process blocks this demand. */
    boolean isFree(Demand demand) {
        return held.admitsBeside(awaited, demand);
    }

    /** Returns a turn that blocks this demand. */
    Optional<Turn> blocker(Demand demand) {
        SeatUse first = firstInUse();
        if (first == null || held.admits(demand)) {
            return Optional.empty();
        }
        // of a writer that also reads, both turns are on this seat
        return first.turns().stream()
                .filter(turn -> !turn.demand().isNeverInTheWayOf(demand))
                .findFirst();
    }

    private @Nullable SeatUse firstInUse() {
        Iterator<SeatUse> busy = seats.busy().iterator();
        return busy.hasNext() ? busy.next() : null;
    }

    /** Returns whether a turn blocks this claim or a claim that waits in front of it. */
    boolean keepsWaiting(Claim claim) {
        if (seats.busy().isEmpty()) {
            return false;
        }
        return blocker(claim.demand()).isPresent()
                || switch (claim.demand().kind()) {
                    case EXCLUSIVE, WRITE -> false;
                    case READ ->
                        !waitingAlone.isEmpty() && waitingAlone.iterator().next().place < claim.place;
                    case PERMITS ->
                        !waiting.isEmpty()
                                && blocker(waiting.iterator().next().demand()).isPresent();
                };
    }

    /**
     * Returns whether the thread of this claim holds the lock by a handle, in a turn that must end before the claim
     * can be granted.
     */
    boolean isInItsOwnWay(Claim claim) {
        SeatUse first = firstInUse();
        if (claim.thread() == null || first == null || claim.demand().kind() == LockKind.PERMITS) {
            return false;
        }
        if (claim.demand().isAlone() || !waitingAlone.isEmpty()) {
            // bounded by the readers of this process
            return seats.turns().stream().anyMatch(turn -> turn.thread() == claim.thread());
        }
        return !first.isReading()
                && first.turns().stream()
                        .anyMatch(turn ->
                                turn.thread() == claim.thread() && turn.demand().isAlone());
    }
}
