package io.github.zklock.zookeeper.internal.queue;

import static java.util.Comparator.comparingLong;

import io.github.zklock.LockKind;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The seats of one lock, in the order in which they are served. Children of its folder that are no seats are left out. */
public final class Line {

    /*
     * Who holds: an exclusive or write seat that is the first, a read seat with no writer in front, and of a semaphore's
     * seats as many from the front as the permits suffice for. None of this ends before the seat leaves, as all that
     * comes later stands further behind. What looks like an exception is none: a writer that becomes a reader takes its
     * number along (M23), and stands where the writer stood.
     */

    /** The folders that Curator's semaphores keep instead of seats. */
    public static final Set<String> FOREIGN_SEMAPHORE = Set.of("locks", "leases");

    private final List<SeatName> seats;
    private final boolean foreignSemaphore;

    private Line(List<SeatName> seats, boolean foreignSemaphore) {
        this.seats = seats;
        this.foreignSemaphore = foreignSemaphore;
    }

    public static Line of(Collection<String> children) {
        return new Line(
                children.stream()
                        .map(SeatName::parse)
                        .flatMap(Optional::stream)
                        .sorted(comparingLong(SeatName::sequence)
                                .thenComparing(seat -> seat.demand().kind() == LockKind.READ))
                        .toList(),
                children.containsAll(FOREIGN_SEMAPHORE));
    }

    public List<SeatName> seats() {
        return seats;
    }

    /** The seats of this id, lowest first: more than one after a create that was repeated. */
    public List<SeatName> ownedBy(String id) {
        return seats.stream().filter(seat -> seat.id().equals(id)).toList();
    }

    /** The same without the seats of these ids. */
    public Line without(Set<String> ids) {
        return new Line(seats.stream().filter(seat -> !ids.contains(seat.id())).toList(), foreignSemaphore);
    }

    /** How many stand in front of this seat; -1 if it does not stand here. */
    public int positionOf(SeatName seat) {
        return seats.indexOf(seat);
    }

    /** Whether the server's counter is stuck: then nobody can tell who came first. */
    public boolean hasRivalOf(SeatName seat) {
        return seat.demand().kind() != LockKind.READ
                && seats.stream()
                        .anyMatch(other -> other.sequence() == seat.sequence()
                                && !other.equals(seat)
                                && other.demand().kind() != LockKind.READ);
    }

    /**
     * The first seat, if one who asks for this cannot share a queue with it. The first one has the say: a stranger further
     * behind is refused itself, and leaves.
     */
    public Optional<SeatName> strangerTo(Demand demand) {
        return seats.stream()
                .limit(1)
                .filter(first -> !first.demand().agreesWith(demand))
                .findFirst();
    }

    /** Whether a semaphore of Curator's lives here, with which ours cannot share permits. */
    public boolean isForeignSemaphore() {
        return foreignSemaphore;
    }

    public boolean isLast(SeatName seat) {
        return seats.indexOf(seat) == seats.size() - 1;
    }

    /** The seat in front that this one has to see go, or change, before it can hold; empty if it holds. */
    public Optional<SeatName> blockerOf(SeatName seat) {
        int position = Math.max(0, seats.indexOf(seat));
        Demand demand = seat.demand();
        Optional<SeatName> nearestInTheWay = seats.stream()
                .limit(position)
                .filter(other -> other.demand().isAlone() || !other.demand().agreesWith(demand))
                .reduce((further, nearer) -> nearer);
        Optional<SeatName> inFront = position == 0 ? Optional.empty() : Optional.of(seats.get(position - 1));
        return switch (demand.kind()) {
            case EXCLUSIVE, WRITE -> inFront;
            case READ -> nearestInTheWay;
            case PERMITS -> nearestInTheWay.or(() -> inFront.filter(other -> permitsUpTo(position) > demand.of()));
        };
    }

    public boolean holds(SeatName seat) {
        return blockerOf(seat).isEmpty();
    }

    /** How many hold, which are the first ones: nobody holds who stands behind one that waits. */
    public int holding() {
        int holding = 0;
        long permits = 0;
        for (SeatName seat : seats) {
            permits += seat.demand().permits();
            if (holding > 0 && !sharesWith(seats.get(0).demand(), seat.demand(), permits)) {
                return holding;
            }
            holding++;
        }
        return holding;
    }

    /** The seats that hold, or linger. */
    public List<SeatName> holders() {
        return seats.subList(0, holding());
    }

    private static boolean sharesWith(Demand first, Demand demand, long permits) {
        return !first.isAlone()
                && !demand.isAlone()
                && first.agreesWith(demand)
                && (demand.kind() == LockKind.READ || permits <= demand.of());
    }

    /** Whether somebody waits behind this seat for what it has. */
    public boolean isWaitedFor(SeatName seat) {
        int position = seats.indexOf(seat);
        return switch (seat.demand().kind()) {
            case EXCLUSIVE, WRITE -> position >= 0 && position < seats.size() - 1;
            case READ ->
                position >= 0
                        && seats.stream()
                                .skip(position)
                                .anyMatch(other -> other.demand().isAlone());
            // those who wait stand behind all who hold
            case PERMITS -> permitsUpTo(seats.size() - 1) > seat.demand().of();
        };
    }

    /** Whether one who came now and asked for this would hold at once. */
    public boolean admits(Demand demand) {
        return switch (demand.kind()) {
            case EXCLUSIVE, WRITE -> seats.isEmpty();
            case READ -> seats.stream().allMatch(seat -> seat.demand().equals(demand));
            case PERMITS ->
                seats.stream().allMatch(seat -> seat.demand().agreesWith(demand))
                        && demand.permits() <= permitsLeft(demand.of());
        };
    }

    /** How many of so many permits nobody holds or waits for. */
    public int permitsLeft(int of) {
        return (int) Math.max(0, of - permitsUpTo(seats.size() - 1));
    }

    private long permitsUpTo(int position) {
        return seats.stream()
                .limit(position + 1L)
                .mapToLong(seat -> seat.demand().permits())
                .sum();
    }
}
