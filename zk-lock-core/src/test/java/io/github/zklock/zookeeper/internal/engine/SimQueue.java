package io.github.zklock.zookeeper.internal.engine;

import io.github.zklock.LockKind;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** What is committed of one lock's queue, and who holds by it. */
final class SimQueue {

    private final List<SimSeat> seats;

    private SimQueue(List<SimSeat> seats) {
        this.seats = seats;
    }

    static SimQueue of(SimTree tree, String folder) {
        SimTree.@Nullable Entry entry = tree.entry(folder);
        return new SimQueue(
                entry == null
                        ? List.of()
                        : entry.children.stream()
                                .filter(SimSeat::isSeat)
                                .map(SimSeat::of)
                                .sorted()
                                .toList());
    }

    /** The same without seats whose numbers tell nothing: whoever has one is refused. (M7) */
    SimQueue withoutPastTheLast() {
        return without(SimSeat::isPastTheLast);
    }

    /** The same without these seats. */
    SimQueue without(Predicate<SimSeat> gone) {
        return new SimQueue(seats.stream().filter(gone.negate()).toList());
    }

    /** In order. */
    List<SimSeat> seats() {
        return seats;
    }

    /** Those behind this one. */
    List<SimSeat> behind(SimSeat seat) {
        return seats.stream().filter(other -> other.compareTo(seat) > 0).toList();
    }

    /** Why this seat does not hold; empty if it does. */
    Optional<String> obstacle(SimSeat seat) {
        int permits = 0;
        int smallest = seat.demand().of();
        for (SimSeat other : seats) {
            if (other.compareTo(seat) >= 0) {
                break;
            }
            boolean besides = seat.demand().agreesWith(other.demand())
                    && !seat.demand().isAlone()
                    && !other.demand().isAlone();
            permits += other.demand().permits();
            smallest = Math.min(smallest, other.demand().of());
            if (!besides
                    || (seat.demand().kind() == LockKind.PERMITS
                            && permits + seat.demand().permits() > smallest)) {
                return Optional.of(other.node());
            }
        }
        return Optional.empty();
    }
}
