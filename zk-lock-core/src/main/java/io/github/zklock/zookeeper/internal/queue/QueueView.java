package io.github.zklock.zookeeper.internal.queue;

import io.github.zklock.LockKind;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The seats of one lock in the order in which they are served, and the rules that say which of them hold. Children of the
 * lock's folder that are no seats are left out. Not thread-safe.
 */
public final class QueueView {

    /*
     * Who holds: an exclusive or write seat that is the first, a read seat with no writer in front, and of a semaphore's seats as
     * many from the front as the permits suffice for. So those that hold are the first ones, and none of them stops holding before
     * it leaves, as all that comes later stands further behind. A writer that becomes a reader keeps its number (M23).
     */

    /** The folders that Curator's semaphores keep instead of seats. */
    static final Set<String> FOREIGN_SEMAPHORE = Set.of("locks", "leases");

    private final NavigableSet<SeatName> seats = new TreeSet<>();
    private boolean foreignSemaphore;

    public static QueueView of(Collection<String> children) {
        QueueView view = new QueueView();
        view.replace(children);
        return view;
    }

    /** Becomes what the folder holds. */
    public void replace(Collection<String> children) {
        seats.clear();
        boolean onlySeats = true;
        for (String child : children) {
            SeatName seat = SeatName.parse(child).orElse(null);
            if (seat != null) {
                seats.add(seat);
            }
            onlySeats &= seat != null;
        }
        foreignSemaphore = !onlySeats && children.containsAll(FOREIGN_SEMAPHORE);
    }

    /** A seat was created. */
    public void add(SeatName seat) {
        seats.add(seat);
    }

    /** A seat is gone. Returns whether it was there. */
    public boolean remove(SeatName seat) {
        return seats.remove(seat);
    }

    /** The same without the seats of these ids. */
    public QueueView without(Set<String> ids) {
        QueueView view = new QueueView();
        view.foreignSemaphore = foreignSemaphore;
        seats.stream().filter(seat -> !ids.contains(seat.id())).forEach(view.seats::add);
        return view;
    }

    /**
     * The same without further nodes of seats that the other view shows. A process whose create was repeated takes the node that it
     * does not use out of its view at once, and the node stands there until it is deleted.
     */
    public QueueView withoutSiblingsOf(QueueView other) {
        if (other.seats.containsAll(seats)) {
            return this;
        }
        Set<String> siblings = new HashSet<>();
        other.seats.forEach(seat -> siblings.add(seat.id()));
        QueueView view = new QueueView();
        view.foreignSemaphore = foreignSemaphore;
        seats.stream()
                .filter(seat -> other.contains(seat) || !siblings.contains(seat.id()))
                .forEach(view.seats::add);
        return view;
    }

    public Set<SeatName> seats() {
        return seats;
    }

    public int size() {
        return seats.size();
    }

    public boolean contains(SeatName seat) {
        return seats.contains(seat);
    }

    /** The seats of this id, lowest first: more than one after a create that was repeated. */
    public List<SeatName> ownedBy(String id) {
        return seats.stream().filter(seat -> seat.id().equals(id)).toList();
    }

    /** How many stand in front of this seat. Takes time in proportion to their number. */
    public int ahead(SeatName seat) {
        return seats.headSet(seat).size();
    }

    /** Those that stand in front of this seat, the first one first. */
    public List<SeatName> inFrontOf(SeatName seat) {
        return List.copyOf(seats.headSet(seat));
    }

    /** Whether another seat has the same number, as the server's counter is stuck: then nobody can tell which came first. */
    public boolean hasRivalOf(SeatName seat) {
        return seat.demand().kind() != LockKind.READ
                && (isRivalOf(seat, seats.lower(seat)) || isRivalOf(seat, seats.higher(seat)));
    }

    private static boolean isRivalOf(SeatName seat, @Nullable SeatName neighbour) {
        return neighbour != null
                && neighbour.sequence() == seat.sequence()
                && neighbour.demand().kind() != LockKind.READ;
    }

    /**
     * The first seat, if one who asks for this cannot share a queue with it. The first one decides: a stranger further behind
     * leaves when it finds that it cannot share the queue.
     */
    public Optional<SeatName> strangerTo(Demand demand) {
        return seats.isEmpty() || seats.first().demand().agreesWith(demand)
                ? Optional.empty()
                : Optional.of(seats.first());
    }

    /** Whether a semaphore of Curator's lives here, with which ours cannot share permits. */
    public boolean isForeignSemaphore() {
        return foreignSemaphore;
    }

    public Optional<SeatName> first() {
        return seats.isEmpty() ? Optional.empty() : Optional.of(seats.first());
    }

    public boolean isEmpty() {
        return seats.isEmpty();
    }

    /** Returns the last seat of the queue. */
    public SeatName last() {
        return seats.last();
    }

    public boolean holds(SeatName seat) {
        return switch (seat.demand().kind()) {
            case EXCLUSIVE, WRITE -> seats.contains(seat) && seats.lower(seat) == null;
            case READ, PERMITS -> holders().contains(seat);
        };
    }

    /** The seats that hold, or linger. */
    public List<SeatName> holders() {
        List<SeatName> holders = new ArrayList<>(1);
        long permits = 0;
        for (SeatName seat : seats) {
            permits += seat.demand().permits();
            if (!holders.isEmpty() && !sharesWith(holders.get(0).demand(), seat.demand(), permits)) {
                break;
            }
            holders.add(seat);
        }
        return holders;
    }

    private static boolean sharesWith(Demand first, Demand demand, long permits) {
        return !first.isAlone()
                && !demand.isAlone()
                && first.agreesWith(demand)
                && (demand.kind() == LockKind.READ || permits <= demand.of());
    }

    /**
     * Seats in front of which at least one is gone by the time this one holds: it need not look at the queue before. Empty if it
     * holds.
     */
    public List<SeatName> inTheWayOf(SeatName seat) {
        if (holds(seat)) {
            return List.of();
        }
        NavigableSet<SeatName> nearestFirst = seats.headSet(seat, false).descendingSet();
        return switch (seat.demand().kind()) {
            case EXCLUSIVE, WRITE -> nearestFirst.stream().limit(1).toList();
            case READ ->
                nearestFirst.stream()
                        .filter(other ->
                                other.demand().isAlone() || !other.demand().agreesWith(seat.demand()))
                        .limit(1)
                        .toList();
            case PERMITS -> moreThanFits(seat, nearestFirst);
        };
    }

    /** When the seat holds, those left in front have so few permits that they cannot be all of these. */
    private static List<SeatName> moreThanFits(SeatName seat, NavigableSet<SeatName> nearestFirst) {
        List<SeatName> inTheWay = new ArrayList<>();
        long left = (long) seat.demand().of() - seat.demand().permits();
        for (SeatName other : nearestFirst) {
            inTheWay.add(other);
            left -= other.demand().permits();
            if (left < 0 || !other.demand().agreesWith(seat.demand())) {
                break;
            }
        }
        return inTheWay;
    }

    /** Whether somebody waits behind this seat for what it has. */
    public boolean isWaitedFor(SeatName seat) {
        if (!seats.contains(seat)) {
            return false;
        }
        return switch (seat.demand().kind()) {
            case EXCLUSIVE, WRITE -> seats.higher(seat) != null;
            case READ ->
                seats.tailSet(seat).stream().anyMatch(other -> other.demand().isAlone());
            // those who wait stand behind all who hold
            case PERMITS -> permits() > seat.demand().of();
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
        return (int) Math.max(0, of - permits());
    }

    private long permits() {
        return seats.stream().mapToLong(seat -> seat.demand().permits()).sum();
    }
}
