package io.github.zklock.zookeeper.internal.seat;

import io.github.zklock.zookeeper.internal.queue.QueueView;
import io.github.zklock.zookeeper.internal.queue.SeatName;
import io.github.zklock.zookeeper.internal.session.PinnedSession;
import io.github.zklock.zookeeper.internal.session.Question;
import io.github.zklock.zookeeper.internal.transport.Outcome;
import io.github.zklock.zookeeper.internal.transport.WireSession.Event;
import io.github.zklock.zookeeper.internal.transport.WireSession.Node;
import io.github.zklock.zookeeper.internal.transport.WireSession.Watch;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The watches of the seats in front of the first seat that waits here, as far as the view shows them. A semaphore needs
 * as many as it has permits, because any holder may be the next to leave. No watch is needed for a seat of this process.
 * Owned by the loop.
 */
final class FrontWatches {

    private final QueueWatch.Owner owner;
    private final Consumer<SeatName> gone;
    private final PinnedSession session;
    private final String folder;
    private final QueueView view;
    private final Map<SeatName, Front> fronts = new HashMap<>(1);

    /** @param gone receives each watched seat whose node is deleted; it is not watched any more */
    FrontWatches(
            QueueWatch.Owner owner, Consumer<SeatName> gone, PinnedSession session, String folder, QueueView view) {
        this.owner = owner;
        this.gone = gone;
        this.session = session;
        this.folder = folder;
        this.view = view;
    }

    /** Watches the seats in front of this one, and no others; none for null. */
    void watchBefore(@Nullable SeatName first) {
        if (first == null && fronts.isEmpty()) {
            // most turns of a lock that one process uses alone
            return;
        }
        Set<SeatName> wanted =
                first == null || !view.contains(first) ? Set.of() : new LinkedHashSet<>(wantedBefore(first));
        for (SeatName seat : List.copyOf(fronts.keySet())) {
            if (!wanted.contains(seat)) {
                end(seat);
            }
        }
        for (SeatName seat : wanted) {
            if (!fronts.containsKey(seat) && !owner.isOwn(seat)) {
                Front front = new Front(seat);
                fronts.put(seat, front);
                front.arm();
            }
        }
    }

    /**
     * Returns the seats to watch: the seats that block this one. If few more are in front, returns all of these, so that no
     * further listing is needed.
     */
    private List<SeatName> wantedBefore(SeatName first) {
        List<SeatName> inTheWay = view.inTheWayOf(first);
        return inTheWay.size() > 1 && view.ahead(first) <= 2 * inTheWay.size() ? view.inFrontOf(first) : inTheWay;
    }

    private void end(SeatName seat) {
        Front front = fronts.remove(seat);
        if (front != null) {
            front.end();
        }
    }

    void end() {
        watchBefore(null);
    }

    /** Sets the watches again, on a new connection. */
    void armAgain() {
        fronts.values().forEach(Front::arm);
    }

    /** Returns whether the watches report the deletion of each seat in front of this one. */
    boolean reportAllBefore(SeatName first) {
        for (SeatName seat : view.inFrontOf(first)) {
            if (!fronts.containsKey(seat) && !owner.isOwn(seat)) {
                return false;
            }
        }
        return true;
    }

    /** The watch of one seat. */
    private final class Front implements Watch {

        private final SeatName seat;
        private final String path;
        private boolean over;
        private @Nullable Question<Node> question;

        Front(SeatName seat) {
            this.seat = seat;
            this.path = seat.pathIn(folder);
        }

        void arm() {
            drop();
            question = session.<Node>ask(
                    reply -> session.readWatching(path, this, reply), (outcome, node) -> armed(outcome));
        }

        void end() {
            over = true;
            drop();
            session.unwatch(path, this);
        }

        private void drop() {
            if (question != null) {
                question.drop();
            }
        }

        private void armed(Outcome outcome) {
            if (over) {
                return;
            }
            if (outcome == Outcome.NO_NODE) {
                deleted();
            } else if (outcome != Outcome.OK) {
                owner.unreadable(outcome, path);
            }
        }

        @Override
        public void happened(Event event) {
            if (over) {
                return;
            }
            if (event == Event.NODE_DELETED) {
                deleted();
            } else {
                arm();
            }
        }

        private void deleted() {
            FrontWatches.this.end(seat);
            gone.accept(seat);
        }
    }
}
