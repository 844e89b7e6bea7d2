package io.github.zklock.zookeeper.internal.local;

import io.github.zklock.zookeeper.internal.queue.Demand;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The plan of {@code BOUNDED} for locks without permits: a seat is passed from request to request. At most one seat is
 * requested at a time, for the first request, so a process has few seats here: those of readers that hold, and one more.
 */
public final class BoundedPlan implements SeatPlan {

    private final Set<Claim> waiting;
    private final Set<SeatUse> heads;
    private final Set<SeatUse> seats;

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
        // another seat was created for an earlier request, and does not serve those behind this one
        return null;
    }

    @Override
    public boolean serves(Demand demand) {
        return heads.stream().anyMatch(head -> head.serves(demand));
    }

    @Override
    public Decision decide(boolean mayStay, boolean mayCreate) {
        Claim seeking = seeking();
        if (areAllInUse()) {
            return decision(List.of(), seeking, mayCreate);
        }
        List<SeatUse> leave = new ArrayList<>(1);
        for (SeatUse use : seats) {
            if (use.isInUse()) {
                continue;
            }
            if (seeking != null && isKeptFor(seeking, use)) {
                seeking = null;
            } else {
                // the last ones first: a seat behind one that leaves would cause a listing, only to leave as well
                leave.add(0, use);
            }
        }
        return decision(leave, seeking, mayCreate);
    }

    private static Decision decision(List<SeatUse> leave, @Nullable Claim seeking, boolean mayCreate) {
        List<Claim> create = seeking == null || !mayCreate ? List.of() : List.of(seeking);
        return leave.isEmpty() && create.isEmpty() ? Decision.NOTHING : new Decision(leave, create);
    }

    /** Returns whether a seat that no turn uses is kept for the first request. */
    private static boolean isKeptFor(Claim first, SeatUse use) {
        return use.isUsed()
                ? use.serves(first.demand())
                : first.demand().equals(use.seat().demand());
    }

    private boolean areAllInUse() {
        for (SeatUse use : seats) {
            if (!use.isInUse()) {
                return false;
            }
        }
        return true;
    }

    /** Returns the first request if it needs a seat beside the seats in use; null otherwise. */
    private @Nullable Claim seeking() {
        if (waiting.isEmpty()) {
            return null;
        }
        Claim first = waiting.iterator().next();
        // the next seat is requested when the one in use is released, unless it is in use by readers, which may take
        // any time
        for (SeatUse use : seats) {
            if (use.isInUse() && (use.willServe(first.demand()) || !use.isReading())) {
                return null;
            }
        }
        return first;
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
}
