package io.github.zklock.faults.check;

import io.github.zklock.faults.timeline.Event.Kind;
import io.github.zklock.faults.timeline.Hold;
import io.github.zklock.faults.timeline.Hold.HeldInterval;
import io.github.zklock.faults.timeline.Seat;
import io.github.zklock.faults.timeline.SeatEnd;
import io.github.zklock.faults.timeline.Seats;
import io.github.zklock.faults.timeline.Timeline;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The seats that an operator has deleted. ZooKeeper grants the lock to the next seat at once, and the owner of the deleted
 * seat notices that later: until then, both hold the lock. A seat that any other process deletes is no such seat. (M21)
 */
final class OperatorDeletions {

    private final Seats seats;
    private final Tolerances tolerances;
    private final Set<String> names;

    OperatorDeletions(Timeline timeline) {
        seats = timeline.seats();
        tolerances = new Tolerances(timeline);
        names = timeline.events().stream()
                .filter(event -> event.is(Kind.DELETED))
                .map(event -> name(event.text("node")))
                .collect(Collectors.toSet());
    }

    /**
     * Returns whether these two may hold the lock together: one of them stands behind the deleted seat of the other, which
     * need not have noticed the deletion before the end.
     */
    boolean excuse(HeldInterval present, HeldInterval newcomer) {
        return isExcused(present, newcomer, newcomer.from()) || isExcused(newcomer, present, newcomer.from());
    }

    private boolean isExcused(HeldInterval holder, HeldInterval other, long from) {
        Optional<Seat> deleted = deleted(holder.hold());
        Optional<Seat> behind = seats.of(other.hold());
        if (deleted.isEmpty() || behind.isEmpty() || !behind.get().isBehind(deleted.get())) {
            return false;
        }
        long deletedAt = deleted.get().endedAt().orElse(Long.MAX_VALUE);
        long until = holder.endOfBoth(other);
        return deletedAt - Tolerances.SKEW <= from
                && until <= deletedAt + tolerances.untilNoticed(holder.hold(), deletedAt, until);
    }

    /** Returns whether the seat was deleted before the grant, so that the grant may be too late in the order. */
    boolean isBefore(Hold hold) {
        return deleted(hold).filter(seat -> Tolerances.hadEnded(seat, hold)).isPresent();
    }

    private Optional<Seat> deleted(Hold hold) {
        return seats.of(hold).filter(seat -> seat.how() == SeatEnd.DELETED && names.contains(name(seat.node())));
    }

    /** Returns the name of the node, which contains a unique id. */
    private static String name(String node) {
        return node.substring(node.lastIndexOf('/') + 1);
    }
}
