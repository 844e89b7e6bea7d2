package io.github.zklock.zookeeper;

import io.github.zklock.HandOff;
import io.github.zklock.HandOff.Policy;
import io.github.zklock.LockKind;
import io.github.zklock.zookeeper.Succession.Service;
import io.github.zklock.zookeeper.internal.queue.Demand;
import io.github.zklock.zookeeper.internal.queue.Line;
import io.github.zklock.zookeeper.internal.runtime.EngineLog;
import io.github.zklock.zookeeper.internal.runtime.Isolated;
import io.github.zklock.zookeeper.internal.session.PinnedSession;
import io.github.zklock.zookeeper.internal.session.Refusal;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;

/**
 * The seats that one turnstile has in the lock's queue, and the turns that rest on them. Which seats are wanted, {@link
 * Wanted} says. Owned by the loop.
 */
final class SeatRow implements Seat.Host, Stint.Host {

    /** The turnstile. */
    interface Host {
        /**
         * Somebody stands in front of a seat.
         *
         * @param claims for whom it was to be, and those behind
         */
        void someoneAhead(List<Claim> claims);

        /** A seat has come to the head or become a reader's, or is gone, and the turns that rested on it are lost. */
        void seatsChanged();

        void seatRefused(Refusal refusal);

        /** There can be no seat for this claim; others may have one. */
        void seatRefused(Claim claim, Refusal refusal);

        /** The claims that wait for a turn, first come first. */
        Collection<Claim> waiting();
    }

    private static final Logger LOG = EngineLog.of(SeatRow.class);

    private final Host host;
    private final EngineContext context;
    private final String folder;
    private final HandOff handOff;
    private final Lookout lookout;
    /** In the order in which they were asked for. */
    private final List<Seat> seats = new ArrayList<>(1);
    /** For whom those seats were asked that nobody has used yet. */
    private final Map<Seat, Claim> seekers = new HashMap<>(1);
    /** Of those seats that have reached the head. */
    private final Map<Seat, Stint> stints = new LinkedHashMap<>(2);

    private final Inheritance inheritance = new Inheritance(stints.keySet());

    private boolean closed;

    SeatRow(Host host, EngineContext context, String folder, HandOff handOff) {
        this.host = host;
        this.context = context;
        this.folder = folder;
        this.handOff = handOff;
        this.lookout = new Lookout(context, folder, handOff, this::seen);
    }

    boolean isEmpty() {
        return seats.isEmpty();
    }

    /** How many stand in front of the seat that is furthest behind, as far as is known. */
    int ahead() {
        return seats.stream().mapToInt(Seat::ahead).max().orElse(0);
    }

    /** Whether a turn rests on one of the seats. */
    boolean isInUse() {
        for (Stint stint : stints.values()) {
            if (stint.isInUse()) {
                return true;
            }
        }
        return false;
    }

    /** Whether nothing stands in the way of one of the seats. */
    boolean hasReachedHead() {
        return !stints.isEmpty();
    }

    /** The turns that rest on the seats. */
    Stream<Turn> turns() {
        return stints.values().stream().flatMap(stint -> stint.turns().stream());
    }

    /** Whether one who asks for this would have a turn at once. */
    boolean serves(Demand demand) {
        return stints.values().stream().anyMatch(stint -> stint.serves(demand));
    }

    /** Which of the claims has a turn next, and where. */
    Optional<Service> next() {
        return new Succession(host.waiting(), stints.values(), seekers).next(handOff.policy());
    }

    void begin(Stint stint, Turn turn) {
        seekers.remove(stint.seat());
        stint.takeSettling().ifPresent(context.announcer()::released);
        stint.begin(turn);
        lookout.turnGiven();
        if (turn.demand().kind() == LockKind.READ) {
            // nobody waits here while readers join: others must not wait for ever for the last one to leave
            lookout.lookIfDue();
        }
    }

    /** Has another turn rest where this one, of the same owner, does. */
    void join(Turn own, Turn turn) {
        stintOf(own).ifPresent(stint -> stint.join(turn));
    }

    boolean holds(Turn turn) {
        return stintOf(turn).isPresent();
    }

    /** The turn is over. What becomes of its seat, {@link #settle} or {@link #drop} says. */
    void end(Turn turn) {
        stintOf(turn).ifPresent(stint -> stint.end(turn));
    }

    /** The turn that has ended was given back: its seat goes, unless it is of use. */
    void settle(Turn ended) {
        Stint stint = stints.get(ended.seat());
        if (stint == null || stint.isInUse()) {
            context.announcer().released(ended);
        } else {
            stint.settle(ended);
        }
    }

    /** The turn that has ended was taken from its holder: its seat goes, too, unless others use it. */
    void drop(Turn ended) {
        settle(ended);
        Stint stint = stints.get(ended.seat());
        if (stint != null && !stint.isInUse()) {
            dismiss(stint.seat());
        }
    }

    /** Removes the seats on which no turn rests, now and from now on: none lingers. */
    void close() {
        closed = true;
        dismissAll(free());
    }

    /** Gives back what is kept for later: it would be in the way of one who asks for something else. */
    void stopLingering() {
        List.copyOf(stints.values()).stream().filter(stint -> !stint.isInUse()).forEach(stint -> dismiss(stint.seat()));
    }

    void connectionRestored() {
        List.copyOf(seats).forEach(Seat::connectionRestored);
        lookout.connectionRestored();
        List.copyOf(stints.values()).forEach(Stint::connectionRestored);
    }

    /**
     * Asks for the seats that are needed, and gives back those that are not.
     *
     * @return whether somebody was refused for lack of room, so that another one may need a seat now
     */
    boolean adjust() {
        Wanted wanted = Wanted.of(handOff.policy(), host.waiting(), stints.values());
        List<Seat> unwanted = new ArrayList<>(1);
        for (Seat seat : free()) {
            Stint stint = stints.get(seat);
            boolean kept =
                    (stint != null && stint.isUsed()) ? wanted.keeps(stint) : wanted.keeps(seat, seekers.get(seat));
            if (!kept && !closed && stint != null && host.waiting().isEmpty() && stint.mayLinger()) {
                linger(stint);
            } else if (!kept) {
                unwanted.add(seat);
            }
        }
        dismissAll(unwanted);
        PinnedSession tenure = context.keeper().connected().orElse(null);
        boolean roomLacks = tenure != null && enterAll(wanted.missing(), tenure);
        if (isReading()) {
            Isolated.forEach(stints.values(), stint -> {
                if (stint.isReading() && stint.seat().isAlone()) {
                    stint.watchForReaders();
                }
            });
        }
        if (isInUse() && !host.waiting().isEmpty()) {
            lookout.lookWhenDue();
        }
        return roomLacks;
    }

    /** Removes the marks of lingering seats that were taken again and are in use for long. (L30) */
    void tick() {
        stints.values().forEach(Stint::unmarkLongUse);
    }

    /** Tells those that stand right behind one that was left at the head. */
    void passOn() {
        inheritance.passOn();
    }

    @Override
    public Collection<Seat> seats() {
        return seats;
    }

    @Override
    public Inheritance inheritance() {
        return inheritance;
    }

    @Override
    public void reachedHead(Seat seat) {
        if (!seats.contains(seat)) {
            return;
        }
        for (Seat other : List.copyOf(stints.keySet())) {
            if (other != seat && (seat.isAlone() || other.isAlone())) {
                if (seat.czxid() < other.czxid()) {
                    // the other one saw nobody in front of it, so this one was gone by then and does not know yet
                    gone(seat, "its node was deleted");
                    return;
                }
                // nobody stands in front of this seat, so the one that served until now is gone
                other.vanished("its node was deleted");
            }
        }
        if (!seats.contains(seat)) {
            return;
        }
        if (stints.isEmpty()) {
            lookout.begin();
        }
        stints.put(seat, new Stint(seat, folder, handOff, context.time(), this));
        inheritance.reachedHead(seat);
        host.seatsChanged();
    }

    @Override
    public void inLine(Seat seat) {
        if (handOff.policy() == Policy.STRICT) {
            host.someoneAhead(Stream.ofNullable(seekers.get(seat)).toList());
        } else {
            int place = free().indexOf(seat);
            host.someoneAhead(host.waiting().stream().skip(Math.max(0, place)).toList());
        }
    }

    @Override
    public void becameReader(Seat seat) {
        Stint stint = stints.get(seat);
        if (stint != null) {
            stint.becameReader();
            lookout.look();
            host.seatsChanged();
        }
    }

    @Override
    public void gone(Seat seat, String reason) {
        loseAll(seat, reason);
        host.seatsChanged();
    }

    @Override
    public void refused(Seat seat, Refusal refusal) {
        loseAll(seat, refusal.message());
        // those who wait first, lest they ask for the next seat, to be refused as well
        host.seatRefused(refusal);
        host.seatsChanged();
    }

    @Override
    public void othersWait(Stint stint) {
        if (!stint.isInUse()) {
            lingeredLong(stint);
        } else if (stint.isReading()) {
            stint.seat().downgrade();
        }
    }

    @Override
    public void lingeredLong(Stint stint) {
        if (stints.containsValue(stint) && !stint.isInUse()) {
            dismiss(stint.seat());
            host.seatsChanged();
        }
    }

    private boolean isReading() {
        for (Stint stint : stints.values()) {
            if (stint.isReading()) {
                return true;
            }
        }
        return false;
    }

    private void linger(Stint free) {
        try {
            free.linger();
        } catch (RuntimeException error) {
            // a seat that is kept without anybody watching would keep others out for ever (L19)
            LOG.warn(
                    "Seat {} is given up, as nobody could watch for others",
                    free.seat().id(),
                    error);
            dismiss(free.seat());
        }
    }

    private void seen(Line line) {
        // seats that wait here are no others, and one that was not used yet is for somebody who waits for it
        Line others = line.without(seekers.keySet().stream().map(Seat::id).collect(Collectors.toSet()));
        List.copyOf(stints.values()).stream().filter(Stint::isUsed).forEach(stint -> stint.seen(others));
    }

    /**
     * If one seat cannot be asked for, all who wait are refused, also those whose turn to ask comes after. If the session has
     * no room for it, those are refused who need one. (L24)
     *
     * @return whether the session has no room for one
     */
    private boolean enterAll(Collection<Claim> missing, PinnedSession tenure) {
        boolean roomLacks = false;
        for (Claim claim : missing) {
            if (!host.waiting().contains(claim)) {
                continue;
            }
            int bytes = tenure.bytesOf(folder, claim.demand());
            if (tenure.budget().admits(bytes, context.settings().seatBudget())) {
                Seat seat = context.newSeat(this, tenure, folder, claim, handOff);
                seats.add(seat);
                seekers.put(seat, claim);
                seat.enter();
            } else {
                roomLacks = true;
                host.seatRefused(
                        claim,
                        Refusal.noRoom(
                                tenure.budget(), bytes, context.settings().seatBudget()));
            }
        }
        return roomLacks;
    }

    /** The seats that nobody uses, or not yet. */
    private List<Seat> free() {
        List<Seat> free = new ArrayList<>(1);
        for (Seat seat : seats) {
            Stint stint = stints.get(seat);
            if (stint == null || !stint.isInUse()) {
                free.add(seat);
            }
        }
        return free;
    }

    private void loseAll(Seat seat, String reason) {
        List<Turn> turns = turns().filter(turn -> turn.seat() == seat).toList();
        turns.forEach(this::end);
        // the state first: whoever sees the release knows of the loss
        Isolated.forEach(turns, turn -> context.lost(turn, reason));
        Departure departure = dismiss(seat);
        turns.forEach(turn -> departure.observe(context.announcer().releaseOf(turn)));
    }

    private Optional<Stint> stintOf(Turn turn) {
        return Optional.ofNullable(stints.get(turn.seat()))
                .filter(stint -> stint.turns().contains(turn));
    }

    /** The last ones first: whoever stands behind one that leaves would read the queue, only to leave as well. */
    private void dismissAll(List<Seat> leaving) {
        for (int last = leaving.size() - 1; last >= 0; last--) {
            dismiss(leaving.get(last));
        }
    }

    private Departure dismiss(Seat seat) {
        seats.remove(seat);
        seekers.remove(seat);
        Stint stint = stints.remove(seat);
        Departure departure = seat.leave();
        if (stints.isEmpty()) {
            lookout.end();
        }
        if (stint != null) {
            stint.end();
            stint.takeSettling()
                    .ifPresent(turn -> departure.observe(context.announcer().releaseOf(turn)));
        }
        return departure;
    }
}
