package io.github.zklock.zookeeper;

import io.github.zklock.HandOff.Policy;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;

/**
 * Who of those who wait has a turn next, and on which seat at the head.
 *
 * @param seekers for whom the seats were asked that nobody has used yet
 */
record Succession(Collection<Claim> waiting, Collection<Stint> stints, Map<Seat, Claim> seekers) {

    /** A claim that can have a turn, and where. */
    record Service(Claim claim, Stint stint) {}

    Optional<Service> next(Policy policy) {
        if (waiting.isEmpty()) {
            return Optional.empty();
        }
        return policy == Policy.STRICT ? seeker() : first().or(this::outOfOrder);
    }

    /** A seat serves the one for whom it was asked, and nobody else. */
    private Optional<Service> seeker() {
        for (Stint stint : stints) {
            Claim seeker = stint.isUsed() ? null : seekers.get(stint.seat());
            if (seeker != null && waiting.contains(seeker)) {
                return Optional.of(new Service(seeker, stint));
            }
        }
        return Optional.empty();
    }

    private Optional<Service> first() {
        Claim first = waiting.iterator().next();
        for (Stint stint : stints) {
            if (stint.serves(first.demand())) {
                return Optional.of(new Service(first, stint));
            }
        }
        return Optional.empty();
    }

    /** A create that was in doubt is repeated: then seats stand in another order than they were asked for. */
    private Optional<Service> outOfOrder() {
        for (Stint stint : stints) {
            if (stint.isUsed()) {
                continue;
            }
            for (Claim claim : waiting) {
                if (stint.serves(claim.demand())) {
                    return Optional.of(new Service(claim, stint));
                }
            }
        }
        return Optional.empty();
    }
}
