package io.github.zklock.zookeeper.internal.local;

import io.github.zklock.LockKind;
import io.github.zklock.zookeeper.internal.queue.Demand;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The plan of {@code BOUNDED}: a seat is passed from request to request. At most one seat is requested at a time, for
 * the first request. For a semaphore, it is at most as many seats as all its permits suffice for.
 */
public final class BoundedPlan implements SeatPlan {

    private final Set<Claim> waiting;
    private final Set<SeatUse> heads;
    private final Set<SeatUse> seats;

    /** The requests for which the latest check of the seats has found none. */
    private List<Claim> missing = List.of();

    /**
     * @param waiting a view of the waiting requests, in their order
     * @param heads a view of the seats at the head
     * @param seats a view of all seats, in the order in which they were requested
     */
    BoundedPlan(Set<Claim> waiting, Set<SeatUse> heads, Set<SeatUse> seats) {
        this.waiting = waiting;
        this.heads = heads;
        this.seats = seats;
    }

    @Override
    public @Nullable Service next() {
        if (waiting.isEmpty() || heads.isEmpty()) {
            return null;
        }
        Claim first = waiting.iterator().next();
        for (SeatUse head : heads) {
            if (head.serves(first.demand())) {
                return new Service(first, head);
            }
        }
        return first.demand().kind() == LockKind.PERMITS ? outOfOrder() : null;
    }

    /**
     * Returns a request for an unused seat at the head. If a create with an unknown outcome is repeated, the seats are
     * in another order than they were requested. Only permits have seats for several requests. For other locks, a seat
     * that does not serve the first request was created for an earlier one.
     */
    private @Nullable Service outOfOrder() {
        for (SeatUse head : heads) {
            if (!head.isUsed()) {
                for (Claim claim : waiting) {
                    if (head.serves(claim.demand())) {
                        return new Service(claim, head);
                    }
                }
            }
        }
        return null;
    }

    @Override
    public Collection<SeatUse> unneeded() {
        missing = wanting();
        if (areAllInUse()) {
            return List.of();
        }
        boolean firstHasUsedSeat = false;
        List<SeatUse> unneeded = new ArrayList<>(1);
        for (SeatUse use : seats) {
            if (use.isInUse()) {
                continue;
            }
            Claim first = missing.isEmpty() ? null : missing.get(0);
            boolean fits = first != null
                    && (use.isUsed()
                            // keep a used seat only for the first request: kept for a later one, it would be an unused
                            // seat at the head in front of the first request
                            ? !firstHasUsedSeat && use.serves(first.demand())
                            : first.demand().equals(use.seat().demand()));
            if (fits) {
                missing = missing.subList(1, missing.size());
                firstHasUsedSeat = true;
            } else {
                unneeded.add(use);
            }
        }
        // the last ones first: a seat behind one that leaves would cause a listing, only to leave as well
        Collections.reverse(unneeded);
        return unneeded;
    }

    private boolean areAllInUse() {
        for (SeatUse use : seats) {
            if (!use.isInUse()) {
                return false;
            }
        }
        return true;
    }

    @Override
    public Collection<Claim> missing() {
        return missing;
    }

    /** Returns the requests that need a seat beside the seats in use. */
    private List<Claim> wanting() {
        if (waiting.isEmpty()) {
            return List.of();
        }
        Claim first = waiting.iterator().next();
        if (first.demand().kind() == LockKind.PERMITS) {
            return wantingPermits();
        }
        // the next seat is requested when the one in use is released, unless it is in use by readers, which may take
        // any time
        for (SeatUse use : seats) {
            if (use.isInUse() && (use.willServe(first.demand()) || !use.isReading())) {
                return List.of();
            }
        }
        return List.of(first);
    }

    /**
     * Returns the waiting requests for permits that need a seat: permits may be free for them, or no seat in use will
     * serve them. The result is limited to what all permits suffice for. If a seat in use will serve a request, the
     * requests behind it get no seat, because they are served after it.
     */
    private List<Claim> wantingPermits() {
        List<SeatUse> used = seats.stream().filter(SeatUse::isInUse).toList();
        int inUse = used.stream().mapToInt(use -> use.seat().demand().permits()).sum();
        long wanted = 0;
        int smallest = Integer.MAX_VALUE;
        List<Claim> needy = new ArrayList<>();
        for (Claim claim : waiting) {
            Demand demand = claim.demand();
            wanted += demand.permits();
            smallest = Math.min(smallest, demand.of());
            inUse += demand.permits();
            boolean mayBeFree = inUse <= demand.of();
            boolean handedOn = used.stream().anyMatch(use -> use.willServe(demand));
            if (wanted > smallest || (!mayBeFree && handedOn)) {
                break;
            }
            needy.add(claim);
        }
        return needy;
    }

    @Override
    public List<Claim> servedBy(SeatUse use) {
        int place = 0;
        for (SeatUse other : seats) {
            if (other == use) {
                break;
            }
            place += other.isInUse() ? 0 : 1;
        }
        return waiting.stream().skip(place).toList();
    }

    @Override
    public void entered(Claim claim) {}

    @Override
    public void left(Claim claim) {}

    @Override
    public void added(SeatUse use) {}

    @Override
    public void removed(SeatUse use) {}

    @Override
    public void changed(SeatUse use) {}
}
