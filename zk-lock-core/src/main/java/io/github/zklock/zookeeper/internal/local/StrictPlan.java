package io.github.zklock.zookeeper.internal.local;

import io.github.zklock.zookeeper.internal.queue.Demand;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The plan of {@code STRICT}: each request has a seat of its own, which serves only this request. The time that each
 * method takes does not depend on the number of waiting requests.
 */
public final class StrictPlan implements SeatPlan {

    private final Set<Claim> waiting;
    private final Set<SeatUse> ready;
    private final Map<Claim, SeatUse> seatOf = new HashMap<>();
    /** The requests without a seat, by their places. A request whose seat was lost is in front of later requests. */
    private final NavigableMap<Long, Claim> missing = new TreeMap<>();

    /** The seats whose requests have left or were served, and that serve no turn. */
    private final Set<SeatUse> unneeded = new LinkedHashSet<>();

    /**
     * @param waiting a view of the waiting requests
     * @param ready a view of the seats at the head that have not served a turn yet
     */
    StrictPlan(Set<Claim> waiting, Set<SeatUse> ready) {
        this.waiting = waiting;
        this.ready = ready;
    }

    @Override
    public @Nullable Service next() {
        // a seat whose request has left is removed before the next turn
        for (SeatUse head : ready) {
            Claim seeker = head.seeker();
            if (seeker != null && waiting.contains(seeker)) {
                return new Service(seeker, head);
            }
        }
        return null;
    }

    @Override
    public boolean isAtHead(Claim claim) {
        SeatUse own = seatOf.get(claim);
        return own != null && own.seat().isHead();
    }

    @Override
    public boolean serves(Demand demand) {
        return false;
    }

    @Override
    public Decision decide(boolean mayStay, boolean mayCreate) {
        if (unneeded.isEmpty() && missing.isEmpty()) {
            return Decision.NOTHING;
        }
        return new Decision(List.copyOf(unneeded), mayCreate ? List.copyOf(missing.values()) : List.of());
    }

    @Override
    public List<Claim> servedBy(SeatUse use) {
        Claim seeker = use.seeker();
        return seeker == null ? List.of() : List.of(seeker);
    }

    @Override
    public void entered(Claim claim) {
        missing.put(claim.place, claim);
    }

    @Override
    public void left(Claim claim) {
        missing.remove(claim.place);
        SeatUse use = seatOf.remove(claim);
        if (use != null) {
            unneeded.add(use);
        }
    }

    @Override
    public void added(SeatUse use) {
        Claim seeker = use.seeker();
        if (seeker != null) {
            missing.remove(seeker.place);
            seatOf.put(seeker, use);
        }
    }

    @Override
    public void removed(SeatUse use) {
        unneeded.remove(use);
        Claim seeker = use.seeker();
        if (seeker != null && seatOf.remove(seeker, use) && waiting.contains(seeker)) {
            missing.put(seeker.place, seeker);
        }
    }

    @Override
    public void began(SeatUse use) {
        unneeded.remove(use);
    }

    @Override
    public void ended(SeatUse use) {
        if (!use.isInUse()) {
            unneeded.add(use);
        }
    }
}
