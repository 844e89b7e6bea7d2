package io.github.zklock.zookeeper.internal.local;

import io.github.zklock.HandOff;
import io.github.zklock.zookeeper.internal.queue.Demand;
import io.github.zklock.zookeeper.internal.queue.SeatName;
import io.github.zklock.zookeeper.internal.seat.Seat;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The seats that this process has in the queue of one lock, by what they have reached.
 *
 * <pre>
 * requested -&gt; unplaced   its node exists, and the view has not shown it yet
 * unplaced  -&gt; placed     the view shows it; it waits
 * placed    -&gt; head       no other seat blocks it
 * head: ready (served no turn yet) -&gt; busy (serves turns) &lt;-&gt; idle (serves none)
 * any       -&gt; removed
 * </pre>
 *
 * <p>Invariant: a seat with a node is in exactly one of {@link #unplaced}, {@link #placed} and {@link #heads}, and a
 * head is in exactly one of {@link #ready}, {@link #busy} and {@link #idle}. A process may have thousands of seats:
 * nothing here visits all of them, except what returns all of them. Owned by the loop.
 */
final class OwnSeats {

    /** In the order in which they were requested. */
    private final Set<SeatUse> all = new LinkedHashSet<>(2);

    private final Map<String, SeatUse> byId = new HashMap<>(2);
    private final NavigableMap<SeatName, SeatUse> named = new TreeMap<>();
    private final NavigableMap<SeatName, SeatUse> unplaced = new TreeMap<>();
    /** Those of them that the view may show since the latest call of {@link #takeShown}, perhaps others as well. */
    private final List<SeatUse> shown = new ArrayList<>(1);

    private final NavigableMap<SeatName, SeatUse> placed = new TreeMap<>();
    private final Set<SeatUse> heads = new LinkedHashSet<>(2);
    private final Set<SeatUse> ready = new LinkedHashSet<>(2);
    private final Set<SeatUse> busy = new LinkedHashSet<>(2);
    private final Set<SeatUse> idle = new LinkedHashSet<>(2);
    /** The heads whose nodes were marked as idle; some of them may not be marked any more. */
    private final Set<SeatUse> marked = new LinkedHashSet<>(2);
    /** The seats of which it is not known whether they exist, or which have to be requested again. */
    private final NavigableMap<Long, SeatUse> inDoubt = new TreeMap<>();

    /**
     * Returns whether the process may have several seats for this demand, each of which can hold only after those in front
     * of it are gone. Under {@code BOUNDED}, it has one, which is passed on instead.
     */
    static boolean standInARow(Demand demand, HandOff handOff) {
        return handOff.policy() == HandOff.Policy.STRICT && demand.isAlone();
    }

    void add(SeatUse use) {
        all.add(use);
        byId.put(use.seat().id(), use);
    }

    void remove(SeatUse use) {
        all.remove(use);
        byId.remove(use.seat().id());
        inDoubt.remove(use.number());
        SeatName node = use.seat().name();
        if (node != null) {
            named.remove(node);
            unplaced.remove(node);
            placed.remove(node);
        }
        if (heads.remove(use)) {
            ready.remove(use);
            busy.remove(use);
            idle.remove(use);
            marked.remove(use);
        }
    }

    boolean isEmpty() {
        return all.isEmpty();
    }

    int size() {
        return all.size();
    }

    Set<SeatUse> all() {
        return Collections.unmodifiableSet(all);
    }

    boolean contains(SeatUse use) {
        return byId.get(use.seat().id()) == use;
    }

    @Nullable SeatUse of(Seat seat) {
        return byId.get(seat.id());
    }

    @Nullable SeatUse of(SeatName node) {
        return named.get(node);
    }

    boolean hasId(String id) {
        return byId.containsKey(id);
    }

    void doubt(SeatUse use) {
        inDoubt.put(use.number(), use);
    }

    /** Returns the first seat that may have no node, although its create was requested; null if there is none. */
    @Nullable SeatUse firstInDoubt() {
        Map.Entry<Long, SeatUse> first = inDoubt.firstEntry();
        return first == null ? null : first.getValue();
    }

    void noDoubt(SeatUse use) {
        inDoubt.remove(use.number());
    }

    /** Records that the node of the seat exists. */
    void created(SeatUse use, SeatName node) {
        noDoubt(use);
        named.put(node, use);
        unplaced.put(node, use);
    }

    void renamed(SeatUse use, SeatName before, SeatName now) {
        named.remove(before);
        named.put(now, use);
    }

    boolean isUnplaced(SeatName node) {
        return unplaced.containsKey(node);
    }

    /** Records that the view may show this seat from now on. */
    void mayBeShown(SeatUse use) {
        shown.add(use);
    }

    /** Records that the view may show any seat from now on. */
    void mayAllBeShown() {
        shown.clear();
        shown.addAll(unplaced.values());
    }

    /** Returns whether a seat has a place in the view that was not evaluated yet, or waits for the head. */
    boolean isAnyToPlace() {
        return !shown.isEmpty() || !placed.isEmpty();
    }

    /**
     * Returns the seats that the view may show since the latest call. A process may have thousands of seats, one behind the
     * other, whose places need not be known yet: only a listing may show any of them.
     */
    List<SeatUse> takeShown() {
        List<SeatUse> taken = List.copyOf(shown);
        shown.clear();
        return taken;
    }

    /** Records that the view shows the seat. */
    void place(SeatName node) {
        SeatUse use = unplaced.remove(node);
        if (use != null) {
            placed.put(node, use);
        }
    }

    /** Returns whether the place of another seat than this one is known. */
    boolean isAnotherPlaced(SeatUse use) {
        SeatName own = use.seat().name();
        int itself = own != null && named.containsKey(own) && !unplaced.containsKey(own) ? 1 : 0;
        return named.size() - unplaced.size() > itself;
    }

    /** Returns the first seat that waits and is in the view; null if there is none. */
    @Nullable SeatUse firstPlaced() {
        return placed.isEmpty() ? null : placed.firstEntry().getValue();
    }

    /** Returns the first seat that waits and whose node is known; null if there is none. */
    @Nullable SeatUse firstWaiting() {
        if (unplaced.isEmpty()) {
            return firstPlaced();
        }
        boolean isPlaced = !placed.isEmpty() && placed.firstKey().compareTo(unplaced.firstKey()) < 0;
        return (isPlaced ? placed : unplaced).firstEntry().getValue();
    }

    /**
     * Returns the last seat that waits; null if there is none.
     *
     * @param orUnplaced whether its place need not be known
     */
    @Nullable SeatName lastWaiting(boolean orUnplaced) {
        if (orUnplaced && !unplaced.isEmpty()) {
            boolean isUnplaced = placed.isEmpty() || placed.lastKey().compareTo(unplaced.lastKey()) < 0;
            return (isUnplaced ? unplaced : placed).lastKey();
        }
        return placed.isEmpty() ? null : placed.lastKey();
    }

    void reachedHead(SeatUse use, SeatName node) {
        placed.remove(node);
        heads.add(use);
        ready.add(use);
    }

    Set<SeatUse> heads() {
        return Collections.unmodifiableSet(heads);
    }

    /** Returns the heads that have not served a turn yet. */
    Set<SeatUse> ready() {
        return Collections.unmodifiableSet(ready);
    }

    /** Returns the heads that serve turns. */
    Set<SeatUse> busy() {
        return Collections.unmodifiableSet(busy);
    }

    /** Returns the heads that have served turns and serve none. */
    Set<SeatUse> idle() {
        return Collections.unmodifiableSet(idle);
    }

    /** Returns the only head if there is one head. */
    @Nullable SeatUse onlyHead() {
        return heads.size() == 1 ? heads.iterator().next() : null;
    }

    void begin(SeatUse use, Turn turn) {
        use.begin(turn);
        ready.remove(use);
        idle.remove(use);
        busy.add(use);
    }

    void end(SeatUse use, Turn turn) {
        use.end(turn);
        if (!use.isInUse() && busy.remove(use)) {
            idle.add(use);
        }
    }

    /** Records that the node of this head is marked as idle. */
    void mark(SeatUse use) {
        marked.add(use);
    }

    /** Returns the heads whose nodes may be marked as idle. */
    List<SeatUse> marked() {
        return marked.isEmpty() ? List.of() : List.copyOf(marked);
    }

    /** Returns whether the node of a head is marked as idle. Forgets heads that are not marked any more. */
    boolean isAnyMarked() {
        Iterator<SeatUse> each = marked.iterator();
        while (each.hasNext()) {
            if (each.next().seat().isMarkedIdle()) {
                return true;
            }
            each.remove();
        }
        return false;
    }

    /** Returns the turns of the holders. */
    List<Turn> turns() {
        List<Turn> turns = new ArrayList<>(1);
        busy.forEach(head -> turns.addAll(head.turns()));
        return turns;
    }
}
