package io.github.zklock.zookeeper;

import io.github.zklock.HandOff;
import io.github.zklock.LockKind;
import io.github.zklock.zookeeper.internal.queue.Demand;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Which seats the claims of one turnstile need, beside those that are in use. Under {@code STRICT} one for each claim.
 * Under {@code BOUNDED} at most one, for the first claim, and of a semaphore's seats at most as many as all its permits
 * suffice for. Owned by the loop.
 */
final class Wanted {

    private final HandOff.Policy policy;
    /** Those for whom no seat was found yet, first come first. */
    private final Set<Claim> missing;

    private boolean firstHasOne;

    private Wanted(HandOff.Policy policy, Collection<Claim> missing) {
        this.policy = policy;
        this.missing = new LinkedHashSet<>(missing);
    }

    static Wanted of(HandOff.Policy policy, Collection<Claim> waiting, Collection<Stint> stints) {
        if (waiting.isEmpty()) {
            return new Wanted(policy, List.of());
        }
        Claim first = waiting.iterator().next();
        if (policy == HandOff.Policy.STRICT) {
            return new Wanted(policy, waiting);
        }
        if (first.demand().kind() == LockKind.PERMITS) {
            return new Wanted(policy, inNeedOfPermits(waiting, stints));
        }
        // the next seat is asked for when the one in use is given back, unless that may take as long as readers please
        boolean served = stints.stream()
                .filter(Stint::isInUse)
                .anyMatch(stint -> stint.willServe(first.demand()) || !stint.isReading());
        return new Wanted(policy, served ? List.of() : List.of(first));
    }

    /**
     * Those who wait for permits and may find some that are free, or will be given none by this process; not more than all
     * permits suffice for. Who will be given what is in use here keeps those behind him: they come after him.
     */
    private static List<Claim> inNeedOfPermits(Collection<Claim> waiting, Collection<Stint> stints) {
        List<Stint> used = stints.stream().filter(Stint::isInUse).toList();
        int inUse =
                used.stream().mapToInt(stint -> stint.seat().demand().permits()).sum();
        int left = waiting.iterator().next().demand().of();
        List<Claim> needy = new ArrayList<>();
        for (Claim claim : waiting) {
            Demand demand = claim.demand();
            left -= demand.permits();
            inUse += demand.permits();
            boolean mayBeFree = inUse <= demand.of();
            boolean handedOn = used.stream().anyMatch(stint -> stint.willServe(demand));
            if (left < 0 || (!mayBeFree && handedOn)) {
                break;
            }
            needy.add(claim);
        }
        return needy;
    }

    /**
     * Whether this seat, which nobody has used yet, is for one of the claims. To be asked of one seat after the other in
     * their order: a seat that was asked for somebody who has gone must not bring another one past those before it.
     *
     * @param seeker for whom it was asked; null if it is not known
     */
    boolean keeps(Seat seat, @Nullable Claim seeker) {
        return policy == HandOff.Policy.STRICT
                ? missing.remove(seeker)
                : keepsForFirst(first -> first.demand().equals(seat.demand()));
    }

    /**
     * Whether this seat, which somebody has used before, is for the very first of the claims. Kept for another one it would
     * stand at the head unused until those before are served, who may stand behind it.
     */
    boolean keeps(Stint free) {
        return !firstHasOne && keepsForFirst(first -> free.serves(first.demand()));
    }

    private boolean keepsForFirst(Predicate<Claim> fits) {
        Iterator<Claim> first = missing.iterator();
        boolean kept = first.hasNext() && fits.test(first.next());
        if (kept) {
            first.remove();
            firstHasOne = true;
        }
        return kept;
    }

    /** The claims for which no seat was kept. */
    Set<Claim> missing() {
        return missing;
    }
}
