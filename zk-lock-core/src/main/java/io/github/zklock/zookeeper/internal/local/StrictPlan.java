package io.github.zklock.zookeeper.internal.local;

import io.github.zklock.zookeeper.internal.queue.Demand;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The plan of {@code STRICT}: each request has a seat of its own, which serves only this request. The time that each
 * method takes does not depend on the number of waiting requests.
 */
public final class StrictPlan implements SeatPlan {

    private final Set<Claim> waiting;
    private final Set<SeatUse> ready;
    private final Map<Claim, SeatUse> seatOf = new HashMap<>();
    private final Set<Claim> missing = new HashSet<>();
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
    public boolean serves(Demand demand) {
        return false;
    }

    @Override
    public Collection<SeatUse> unneeded(boolean mayStay) {
        if (unneeded.isEmpty()) {
            return List.of();
        }
        List<SeatUse> all = unneeded.stream().filter(use -> !use.isInUse()).toList();
        unneeded.clear();
        return all;
    }

    @Override
    public Collection<Claim> missing() {
        if (missing.isEmpty()) {
            return List.of();
        }
        // requests whose seats were lost came before requests that arrived meanwhile
        List<Claim> all = missing.size() == 1
                ? List.copyOf(missing)
                : waiting.stream().filter(missing::contains).toList();
        missing.clear();
        return all;
    }

    @Override
    public List<Claim> servedBy(SeatUse use) {
        Claim seeker = use.seeker();
        return seeker == null ? List.of() : List.of(seeker);
    }

    @Override
    public void entered(Claim claim) {
        missing.add(claim);
    }

    @Override
    public void left(Claim claim) {
        missing.remove(claim);
        SeatUse use = seatOf.remove(claim);
        if (use != null) {
            unneeded.add(use);
        }
    }

    @Override
    public void added(SeatUse use) {
        Claim seeker = use.seeker();
        if (seeker != null) {
            seatOf.put(seeker, use);
        }
    }

    @Override
    public void removed(SeatUse use) {
        unneeded.remove(use);
        Claim seeker = use.seeker();
        if (seeker != null && seatOf.remove(seeker, use) && waiting.contains(seeker)) {
            missing.add(seeker);
        }
    }

    @Override
    public void reachedHead(SeatUse use) {}

    @Override
    public void began(SeatUse use) {}

    @Override
    public void ended(SeatUse use) {
        unneeded.add(use);
    }
}
