package io.github.zklock.zookeeper.internal.queue;

import io.github.zklock.LockKind;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The seats of one lock in the order in which they are served, and the rules that determine which of them hold.
 * Children of the lock's folder that are no seats are left out. Not thread-safe.
 */
public final class QueueView {

    /*
     * From the front, each seat holds that may share the lock with all seats in front of it (Sharers). Invariant: the
     * holding seats are the first ones, and none of them stops holding before it leaves, because each later seat is
     * further behind. A write seat that is replaced by a read seat keeps its number (M23).
     *
     * Therefore the last seat that holds is kept, with what the holding seats take together: a seat that arrives or
     * leaves moves it, and no question counts the seats again. A process may have thousands of them.
     */

    /** The folders of Curator's semaphores, which have no seats. */
    static final Set<String> FOREIGN_SEMAPHORE = Set.of("locks", "leases");

    private final NavigableSet<SeatName> seats = new TreeSet<>();
    private final @Nullable Predicate<SeatName> own;
    /** The seats of other processes; empty if it is not known which seats are own ones. */
    private final NavigableSet<SeatName> others = new TreeSet<>();

    private final Sharers all = new Sharers();

    /** The last seat that holds or lingers; null if there is no seat. */
    private @Nullable SeatName lastHolder;

    private final Sharers held = new Sharers();

    private boolean foreignSemaphore;

    public QueueView() {
        this(null);
    }

    /** @param own whether a seat belongs to this process; asked when the seat is added */
    public QueueView(@Nullable Predicate<SeatName> own) {
        this.own = own;
    }

    public static QueueView of(Collection<String> children) {
        QueueView view = new QueueView();
        view.replace(children);
        return view;
    }

    /** Replaces the seats by the children of the folder. */
    public void replace(Collection<String> children) {
        replace(children, Set.of());
    }

    /**
     * Replaces the seats by the children of the folder.
     *
     * @param without the ids of seats that are left out
     */
    public void replace(Collection<String> children, Set<String> without) {
        seats.clear();
        others.clear();
        all.clear();
        boolean onlySeats = true;
        for (String child : children) {
            SeatName seat = SeatName.parse(child).orElse(null);
            if (seat != null && !without.contains(seat.id())) {
                enter(seat);
            }
            onlySeats &= seat != null;
        }
        foreignSemaphore = !onlySeats && children.containsAll(FOREIGN_SEMAPHORE);
        findHolders();
    }

    /** Adds a seat that was created. */
    public void add(SeatName seat) {
        if (enter(seat)) {
            if (lastHolder != null && seat.compareTo(lastHolder) < 0) {
                findHolders();
            } else {
                letHold();
            }
        }
    }

    private boolean enter(SeatName seat) {
        boolean isNew = seats.add(seat);
        if (isNew) {
            all.add(seat.demand());
            if (own != null && !own.test(seat)) {
                others.add(seat);
            }
        }
        return isNew;
    }

    /** Removes a seat that was deleted. Returns whether it was in the view. */
    public boolean remove(SeatName seat) {
        boolean wasHolder = isUpToLastHolder(seat);
        if (!seats.remove(seat)) {
            return false;
        }
        others.remove(seat);
        all.remove(seat.demand());
        if (wasHolder) {
            held.remove(seat.demand());
            if (seat.equals(lastHolder)) {
                lastHolder = seats.lower(seat);
            }
        }
        letHold();
        return true;
    }

    private boolean isUpToLastHolder(SeatName seat) {
        return lastHolder != null && seat.compareTo(lastHolder) <= 0;
    }

    private void findHolders() {
        lastHolder = null;
        held.clear();
        letHold();
    }

    /** Adds the seats to the holders that hold now: each seat that leaves makes room for those behind it. */
    private void letHold() {
        SeatName seat = behindHolders();
        while (seat != null && held.admits(seat.demand())) {
            held.add(seat.demand());
            lastHolder = seat;
            seat = behindHolders();
        }
    }

    /** Returns the first seat that waits. */
    private @Nullable SeatName behindHolders() {
        if (lastHolder == null) {
            return seats.isEmpty() ? null : seats.first();
        }
        return seats.higher(lastHolder);
    }

    /** Returns the same view without the seats of these ids. */
    public QueueView without(Set<String> ids) {
        return only(seat -> !ids.contains(seat.id()));
    }

    private QueueView only(Predicate<SeatName> kept) {
        QueueView view = new QueueView();
        view.foreignSemaphore = foreignSemaphore;
        seats.stream().filter(kept).forEach(view::enter);
        view.findHolders();
        return view;
    }

    /**
     * Returns the same view without further nodes of seats that the other view contains. If a process has repeated a
     * create, it removes the node that it does not use from its view at once, and the node stays in the queue until it
     * is deleted.
     */
    public QueueView withoutSiblingsOf(QueueView other) {
        if (other.seats.containsAll(seats)) {
            return this;
        }
        Set<String> siblings = new HashSet<>();
        other.seats.forEach(seat -> siblings.add(seat.id()));
        return only(seat -> other.contains(seat) || !siblings.contains(seat.id()));
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

    /** Returns the seats of this id, lowest first: more than one after a repeated create. */
    public List<SeatName> ownedBy(String id) {
        return seats.stream().filter(seat -> seat.id().equals(id)).toList();
    }

    /** Returns the number of seats in front of this one. Takes time in proportion to their number. */
    public int ahead(SeatName seat) {
        return seats.headSet(seat).size();
    }

    /** Returns the seats in front of this one, the first one first. */
    public List<SeatName> inFrontOf(SeatName seat) {
        return List.copyOf(seats.headSet(seat));
    }

    /**
     * Returns whether another seat has the same number, because the server's counter is stuck. Then their order is not
     * known.
     */
    public boolean hasRivalOf(SeatName seat) {
        SeatName before = seats.lower(seat);
        SeatName after = seats.higher(seat);
        return (before != null && areRivals(seat, before)) || (after != null && areRivals(seat, after));
    }

    private static boolean areRivals(SeatName seat, SeatName neighbour) {
        return neighbour.sequence() == seat.sequence()
                && seat.demand().kind() != LockKind.READ
                && neighbour.demand().kind() != LockKind.READ;
    }

    /**
     * Returns the first seat if this demand cannot share a queue with it. The first seat decides: a seat of another
     * kind further behind leaves when it finds that it cannot share the queue.
     */
    public Optional<SeatName> strangerTo(Demand demand) {
        return seats.isEmpty() || seats.first().demand().agreesWith(demand)
                ? Optional.empty()
                : Optional.of(seats.first());
    }

    /**
     * Returns whether a Curator semaphore uses the folder, with which a semaphore of this library cannot share permits.
     */
    public boolean isForeignSemaphore() {
        return foreignSemaphore;
    }

    public Optional<SeatName> first() {
        return seats.isEmpty() ? Optional.empty() : Optional.of(seats.first());
    }

    public boolean holds(SeatName seat) {
        return switch (seat.demand().kind()) {
            case EXCLUSIVE, WRITE -> seats.contains(seat) && seats.lower(seat) == null;
            case READ, PERMITS -> isUpToLastHolder(seat) && seats.contains(seat);
        };
    }

    /** Returns the seats that hold or linger. */
    public List<SeatName> holders() {
        return lastHolder == null ? List.of() : List.copyOf(seats.headSet(lastHolder, true));
    }

    /** Returns whether a seat of another process waits. */
    public boolean hasOtherWaiter() {
        return !others.isEmpty() && !isUpToLastHolder(others.last());
    }

    /** Returns whether a seat is in front of this one. */
    public boolean hasSeatBefore(SeatName seat) {
        return seats.lower(seat) != null;
    }

    /** Returns whether a seat of another process is in front of this one. */
    public boolean hasOtherBefore(SeatName seat) {
        return !others.isEmpty() && others.first().compareTo(seat) < 0;
    }

    /** Returns the number of seats of other processes in front of this one, counted up to a limit. */
    public int othersBefore(SeatName seat, int most) {
        int count = 0;
        for (SeatName other : others) {
            if (count == most || other.compareTo(seat) >= 0) {
                break;
            }
            count++;
        }
        return count;
    }

    /**
     * Returns seats of which at least one is deleted before this seat can hold: until then the queue need not be
     * checked. Empty if the seat holds.
     */
    public List<SeatName> inTheWayOf(SeatName seat) {
        if (holds(seat)) {
            return List.of();
        }
        Sharers inTheWay = new Sharers();
        List<SeatName> nearest = new ArrayList<>();
        for (SeatName other : seats.headSet(seat, false).descendingSet()) {
            if (!other.demand().isNeverInTheWayOf(seat.demand())) {
                inTheWay.add(other.demand());
                nearest.add(other);
                if (!inTheWay.admits(seat.demand())) {
                    break;
                }
            }
        }
        return nearest;
    }

    /** Returns whether a seat behind this one waits for it. */
    public boolean isWaitedFor(SeatName seat) {
        if (!seats.contains(seat)) {
            return false;
        }
        return switch (seat.demand().kind()) {
            case EXCLUSIVE, WRITE -> seats.higher(seat) != null;
            // all waiting seats are behind all holding ones
            case READ -> isUpToLastHolder(seat) && held.size() < seats.size();
            case PERMITS -> held.size() < seats.size();
        };
    }

    /** Returns whether a new seat with this demand would hold at once. */
    public boolean admits(Demand demand) {
        return all.admits(demand);
    }

    /**
     * Returns how many permits are neither held nor waited for, of this number or of the smallest one in the queue if that
     * is smaller.
     */
    public int permitsLeft(int of) {
        return all.permitsLeft(of);
    }

    /** Returns the smallest number of permits of a semaphore in this queue that differs from this one. */
    public OptionalInt otherNumberThan(int of) {
        return all.otherNumberThan(of);
    }
}
