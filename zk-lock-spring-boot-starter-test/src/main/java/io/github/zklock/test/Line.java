package io.github.zklock.test;

import io.github.zklock.LockInspector;
import io.github.zklock.LockName;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The queue of one lock over the whole cluster, first come first served. Each seat holds as soon as those in front of it
 * leave room, so whoever finds none keeps all behind it waiting as well. Guarded by the ensemble's lock.
 */
final class Line {

    private final LockName name;
    private final Set<Seat> seats = new LinkedHashSet<>();

    Line(LockName name) {
        this.name = name;
    }

    LockName name() {
        return name;
    }

    Set<Seat> seats() {
        return seats;
    }

    /** Somebody who uses the name for something else. */
    Optional<Seat> clashWith(Demand demand) {
        // the first speaks for all: nobody joins who does not agree with it
        return seats.stream().findFirst().filter(head -> !head.demand().agreesWith(demand));
    }

    /** Whether one who came now would hold at once. */
    boolean hasRoomFor(Demand demand) {
        return all().leavesRoomFor(demand);
    }

    /** Everything that stands in this line. */
    Front all() {
        Front front = new Front();
        seats.forEach(seat -> front.add(seat.demand()));
        return front;
    }

    List<LockInspector.Seat> describe() {
        return seats.stream().map(Seat::describe).toList();
    }

    /** Grants what can be granted. */
    void serve() {
        Front front = new Front();
        for (Seat seat : seats) {
            if (!front.leavesRoomFor(seat.demand())) {
                return;
            }
            seat.grantIfReachable();
            front.add(seat.demand());
        }
    }
}
