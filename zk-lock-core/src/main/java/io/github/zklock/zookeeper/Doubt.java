package io.github.zklock.zookeeper;

import io.github.zklock.zookeeper.internal.queue.Line;
import io.github.zklock.zookeeper.internal.queue.SeatName;
import io.github.zklock.zookeeper.internal.session.PinnedSession;
import io.github.zklock.zookeeper.internal.transport.Outcome;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The question whether a seat that holds, and may not have read its queue, is the first there: asked until it is answered,
 * or the seat has left. Owned by the loop.
 */
final class Doubt {

    /*
     * Only the answer to the last question counts: what it is asked for may have happened after those before it were
     * answered by the servers.
     */

    /** The seat. */
    interface Host {
        /** Nobody stands in front of it but those of this process that have left. */
        void isFirst();

        void vanished(String reason);

        /** It holds, and is not to: somebody stands in the way, or the queue cannot be read. */
        void displaced(String reason);
    }

    private final Host host;
    private final PinnedSession tenure;
    private final Departures departures;
    private final String folder;
    private final Guard guard;

    /** Whose place is in doubt; null if none is. */
    private @Nullable SeatName seat;

    private int asked;

    Doubt(Host host, PinnedSession tenure, Departures departures, String folder, Guard guard) {
        this.host = host;
        this.tenure = tenure;
        this.departures = departures;
        this.folder = folder;
        this.guard = guard;
    }

    void raise(SeatName doubted) {
        seat = doubted;
        ask();
    }

    /** The connection is back: no answer has come, or will. */
    void connectionRestored() {
        if (seat != null) {
            ask();
        }
    }

    void end() {
        seat = null;
    }

    private void ask() {
        int question = ++asked;
        tenure.listCommitted(folder, guard.of((outcome, children) -> {
            if (seat != null && question == asked) {
                answered(seat, outcome, children);
            }
        }));
    }

    private void answered(SeatName doubted, Outcome outcome, @Nullable List<String> children) {
        switch (outcome) {
            case OK -> found(doubted, Line.of(children == null ? List.of() : children));
            case NO_NODE -> host.vanished("its folder was deleted");
            case UNKNOWN -> ask();
            case CONNECTION_LOST, SESSION_ENDED -> {
                // asked again when the connection is back
            }
            default -> host.displaced("its queue could not be read (" + outcome + "), and may be another one");
        }
    }

    private void found(SeatName doubted, Line line) {
        if (line.positionOf(doubted) < 0) {
            host.vanished("its node was deleted");
        } else if (line.without(departures.leavingFrom(folder))
                .blockerOf(doubted)
                .isPresent()) {
            host.displaced("its queue was deleted, and others stand in front of it in the new one");
        } else {
            seat = null;
            host.isFirst();
        }
    }
}
