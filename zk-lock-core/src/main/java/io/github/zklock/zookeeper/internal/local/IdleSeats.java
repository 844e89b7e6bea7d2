package io.github.zklock.zookeeper.internal.local;

import io.github.zklock.zookeeper.internal.queue.Demand;
import io.github.zklock.zookeeper.internal.queue.OwnerDescription;
import io.github.zklock.zookeeper.internal.queue.QueueView;
import io.github.zklock.zookeeper.internal.queue.SeatName;
import io.github.zklock.zookeeper.internal.runtime.Nanos;
import io.github.zklock.zookeeper.internal.runtime.Time;
import io.github.zklock.zookeeper.internal.session.PinnedSession;
import io.github.zklock.zookeeper.internal.transport.Outcome;
import io.github.zklock.zookeeper.internal.transport.WireSession.Event;
import io.github.zklock.zookeeper.internal.transport.WireSession.Node;
import io.github.zklock.zookeeper.internal.transport.WireSession.Watch;
import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The seats that may linger and block one try, and the record of which of them are idle. Owned by the loop. (L30)
 *
 * <pre>
 * READING         -&gt; FREE       the seats that are not idle leave room for the try, which queues
 * FREE            -&gt; WATCHING   the try has a seat behind the idle ones
 * any             -&gt; OVER       a seat is in use, the time is over, or the try was answered
 * </pre>
 */
public final class IdleSeats {

    /*
     * Invariant: the mark of an idle seat grants nothing. A process may use its idle seat again at any instant without
     * a request to the servers. So the try queues, and holds only when its own seat is the head, like every other
     * claim.
     *
     * A process whose seat is marked watches the folder, and lists it behind that request. So it sees the node of the
     * try, whether the node was created before or after the watch was set: an idle seat leaves, a used seat loses its
     * mark.
     */

    /** The sender of the try. */
    interface Owner {
        /** The blocking seats are idle. Called at most once. */
        void free();

        /** A blocking seat is in use. Called at most once, as the last call. */
        void inUse();

        /** The idle seats did not leave in time. Called at most once, as the last call. */
        void timeIsOver();
    }

    /**
     * The longest wait of a try behind idle seats. Their processes need a few round trips to leave. If a process is paused
     * or cut off, its seat stays, and the try fails.
     */
    static final Duration PATIENCE = Duration.ofSeconds(1);

    private enum State {
        READING,
        FREE,
        WATCHING,
        OVER
    }

    /** The largest number of seats that a try reads. Further seats count as in use. */
    static final int MOST = 64;

    private final Owner owner;
    private final PinnedSession session;
    private final Time time;
    private final String folder;
    private final QueueView view;
    private final Demand demand;
    /** The seats that were not read yet. */
    private final Set<SeatName> unknown = new HashSet<>();
    /** The seats that are idle or deleted. */
    private final Set<SeatName> idle = new HashSet<>();

    private final Map<SeatName, Watch> watches = new LinkedHashMap<>();
    private State state = State.READING;
    private Time.@Nullable Alarm limit;

    IdleSeats(Owner owner, PinnedSession session, Time time, String folder, QueueView view, Demand demand) {
        this.owner = owner;
        this.session = session;
        this.time = time;
        this.folder = folder;
        this.view = view;
        this.demand = demand;
    }

    /** Returns the seats that block this demand and may be idle. A waiting seat is never idle. */
    private static List<SeatName> candidates(QueueView view, Demand demand) {
        return view.holders().stream()
                .filter(SeatName::mayLinger)
                .filter(seat -> !seat.demand().isNeverInTheWayOf(demand))
                .limit(MOST)
                .toList();
    }

    /** Returns whether the demand would hold at once if these seats were deleted. */
    private static boolean admits(QueueView view, Stream<SeatName> gone, Demand demand) {
        return view.without(gone.map(SeatName::id).collect(Collectors.toSet())).admits(demand);
    }

    /** Returns whether the demand can hold if seats that may linger turn out to be idle. */
    static boolean mayAdmit(QueueView view, Demand demand) {
        List<SeatName> candidates = candidates(view, demand);
        return !candidates.isEmpty() && admits(view, candidates.stream(), demand);
    }

    void read() {
        List<SeatName> candidates = candidates(view, demand);
        unknown.addAll(candidates);
        candidates.forEach(this::read);
    }

    /** Watches the idle seats: the try has a seat behind them, and the marks count that are written from now on. */
    void watch() {
        if (state == State.FREE) {
            state = State.WATCHING;
            List.copyOf(idle).forEach(this::watch);
        }
    }

    /** Returns whether all blocking seats are regarded as idle. */
    boolean isFree() {
        return state == State.FREE || state == State.WATCHING;
    }

    void end() {
        if (state != State.OVER) {
            state = State.OVER;
            watches.forEach((seat, watch) -> session.unwatch(pathOf(seat), watch));
            watches.clear();
            if (limit != null) {
                limit.cancel();
            }
        }
    }

    private void read(SeatName seat) {
        session.read(pathOf(seat), (outcome, node) -> answered(seat, outcome, node));
    }

    private void watch(SeatName seat) {
        // uses the same watch if it is not known whether it was set, so that none remains on the server (L23)
        Watch watch = watches.computeIfAbsent(seat, absent -> event -> happened(seat, event));
        session.readWatching(pathOf(seat), watch, (outcome, node) -> answered(seat, outcome, node));
    }

    private void happened(SeatName seat, Event event) {
        watches.remove(seat);
        if (state == State.WATCHING && event != Event.NODE_DELETED) {
            watch(seat);
        }
    }

    private void answered(SeatName seat, Outcome outcome, @Nullable Node node) {
        if (state == State.OVER) {
            return;
        }
        switch (outcome) {
            case OK -> {
                unknown.remove(seat);
                if (node != null && OwnerDescription.isIdle(node.data())) {
                    idle.add(seat);
                } else {
                    idle.remove(seat);
                }
            }
            case NO_NODE -> {
                unknown.remove(seat);
                watches.remove(seat);
                idle.add(seat);
            }
            case UNKNOWN -> {
                askAgain(seat);
                return;
            }
            case CONNECTION_LOST, SESSION_ENDED -> {
                // the try starts again on the next connection, or waits until its time is over
                return;
            }
            default -> {
                unknown.remove(seat);
                idle.remove(seat);
            }
        }
        decide();
    }

    private void askAgain(SeatName seat) {
        if (state == State.WATCHING) {
            watch(seat);
        } else {
            read(seat);
        }
    }

    private void decide() {
        if (!admits(view, Stream.concat(idle.stream(), unknown.stream()), demand)) {
            end();
            owner.inUse();
        } else if (state == State.READING && admits(view, idle.stream(), demand)) {
            state = State.FREE;
            limit = time.after(Nanos.of(PATIENCE), () -> {
                end();
                owner.timeIsOver();
            });
            owner.free();
        }
    }

    private String pathOf(SeatName seat) {
        return seat.pathIn(folder);
    }
}
