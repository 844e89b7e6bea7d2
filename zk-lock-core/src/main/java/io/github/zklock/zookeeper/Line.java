package io.github.zklock.zookeeper;

import static java.util.Comparator.comparingLong;

import io.github.zklock.LockKind;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/** The seats of one lock, in the order in which they are served. Children of its folder that are no seats are left out. */
final class Line {

    private final List<SeatName> seats;

    private Line(List<SeatName> seats) {
        this.seats = seats;
    }

    static Line of(Collection<String> children) {
        return new Line(children.stream()
                .map(SeatName::parse)
                .flatMap(Optional::stream)
                .sorted(comparingLong(SeatName::sequence))
                .toList());
    }

    List<SeatName> seats() {
        return seats;
    }

    /** The seats of this id, lowest first: more than one after a create that was repeated. */
    List<SeatName> ownedBy(String id) {
        return seats.stream().filter(seat -> seat.id().equals(id)).toList();
    }

    int positionOf(SeatName seat) {
        return seats.indexOf(seat);
    }

    SeatName at(int position) {
        return seats.get(position);
    }

    /** Whether the server's counter is stuck: then nobody can tell who came first. */
    boolean hasTwo(long sequence) {
        return seats.stream().filter(seat -> seat.sequence() == sequence).count() > 1;
    }

    /** A seat that asks for something else than to be alone. */
    Optional<SeatName> notExclusive() {
        return seats.stream().filter(seat -> seat.kind() != LockKind.EXCLUSIVE).findFirst();
    }

    /** Whether anybody stands behind this seat. */
    boolean hasOthersBehind(SeatName seat) {
        return seats.stream().anyMatch(other -> other.sequence() > seat.sequence());
    }
}
