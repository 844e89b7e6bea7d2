package io.github.zklock.zookeeper;

import io.github.zklock.zookeeper.internal.queue.Demand;
import io.github.zklock.zookeeper.internal.queue.Label;
import io.github.zklock.zookeeper.internal.queue.Line;
import io.github.zklock.zookeeper.internal.queue.SeatName;
import io.github.zklock.zookeeper.internal.session.PinnedSession;
import io.github.zklock.zookeeper.internal.session.Refusal.Reason;
import io.github.zklock.zookeeper.internal.transport.Outcome;
import io.github.zklock.zookeeper.internal.transport.WireSession.Node;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The creation of one seat's node: once, whatever happens to the answers.
 *
 * <pre>
 * SENT     -&gt; DONE        created
 * SENT     -&gt; DOUBTFUL    the answer was lost
 * DOUBTFUL -&gt; DONE        found after a sync
 * DOUBTFUL -&gt; SENT        not found: created again
 * any      -&gt; ABANDONED   the seat was left
 * </pre>
 *
 * Owned by the loop.
 */
final class Entry {

    /*
     * Looked for after a sync, as the server of the new connection may lag behind the old one (L2). A node that is found
     * is this seat's only if its owner is this very session (M2).
     */

    /** The seat. */
    interface Host {
        /** The create is on its way: what is to follow in the same pipeline is sent now. */
        void createSent();

        void created(SeatName name, long czxid);

        void refused(Reason reason, String why);
    }

    private enum State {
        SENT,
        DOUBTFUL,
        DONE,
        ABANDONED
    }

    /** An empty folder may be collected at a bad moment, once or twice, but not as often as this. */
    private static final int MOST_FOLDERS = 16;

    private final Host host;
    private final PinnedSession tenure;
    private final Departures departures;
    private final Departure departure;
    private final Label label;
    private final Demand demand;
    private final Guard guard;
    private State state = State.SENT;
    private boolean answerPending;
    private int foldersMade;
    private boolean wasInDoubt;

    Entry(
            Host host,
            PinnedSession tenure,
            Departures departures,
            Departure departure,
            Label label,
            Demand demand,
            Guard guard) {
        this.host = host;
        this.tenure = tenure;
        this.departures = departures;
        this.departure = departure;
        this.label = label;
        this.demand = demand;
        this.guard = guard;
    }

    void begin() {
        state = State.SENT;
        tenure.create(
                folder() + "/" + SeatName.stem(departure.id(), demand), label.on(demand), guard.of(this::answered));
        answerPending = true;
        host.createSent();
    }

    /** Whether the node may have been created more than once. */
    boolean wasInDoubt() {
        return wasInDoubt;
    }

    /** The connection is back. */
    void connectionRestored() {
        if (state == State.DOUBTFUL) {
            lookup();
        }
    }

    /** The seat is left: a node that exists, or comes to exist, is deleted. */
    void abandon() {
        state = State.ABANDONED;
        if (answerPending) {
            departures.expect(departure);
        } else {
            departures.begin(departure);
        }
    }

    /** The session is over, and no answer will come. */
    void sessionEnded() {
        state = State.ABANDONED;
        departures.begin(departure);
    }

    private void answered(Outcome outcome, @Nullable Node node) {
        answerPending = false;
        if (state == State.ABANDONED) {
            answeredTooLate(outcome, node);
            return;
        }
        switch (outcome) {
            case OK -> created(node);
            case NO_NODE -> makeFolder();
            case CONNECTION_LOST -> doubt();
            case UNKNOWN -> {
                doubt();
                lookup();
            }
            case SESSION_ENDED -> {
                // the keeper tells all seats of the session
            }
            case ACCESS_DENIED -> denied("queue there");
            default ->
                host.refused(
                        Reason.UNAVAILABLE, "ZooKeeper refused to create a node in " + folder() + " (" + outcome + ")");
        }
    }

    private void answeredTooLate(Outcome outcome, @Nullable Node node) {
        if (outcome == Outcome.OK && node != null) {
            departure.of(SeatName.ofPath(node.path()));
        }
        if (outcome == Outcome.OK || outcome.isUnknown()) {
            departures.begin(departure);
        } else {
            departures.notNeeded(departure);
        }
    }

    private void created(@Nullable Node node) {
        if (node == null) {
            throw new IllegalStateException("A create that succeeded without saying what it created");
        }
        found(SeatName.ofPath(node.path()), node);
    }

    private void found(SeatName name, Node node) {
        state = State.DONE;
        departure.of(name);
        host.created(name, node.czxid());
    }

    private void makeFolder() {
        if (++foldersMade > MOST_FOLDERS) {
            host.refused(Reason.UNAVAILABLE, "its folder " + folder() + " vanishes as often as it is made");
        } else {
            tenure.makeFolder(folder(), guard.of(this::madeFolder));
            begin();
        }
    }

    private void madeFolder(Outcome outcome, @Nullable Void none) {
        if (state == State.SENT && outcome == Outcome.ACCESS_DENIED) {
            denied("create it");
        } else if (state == State.SENT && outcome == Outcome.REFUSED) {
            host.refused(Reason.UNAVAILABLE, "ZooKeeper refused to create the folder " + folder());
        }
    }

    private void doubt() {
        state = State.DOUBTFUL;
        wasInDoubt = true;
    }

    private void lookup() {
        tenure.listCommitted(folder(), guard.of(this::looked));
    }

    private void looked(Outcome outcome, @Nullable List<String> children) {
        if (state != State.DOUBTFUL) {
            return;
        }
        if (outcome == Outcome.OK && children != null) {
            List<SeatName> own = Line.of(children).ownedBy(departure.id());
            if (own.isEmpty()) {
                begin();
            } else {
                identify(own.get(0));
            }
        } else if (outcome == Outcome.NO_NODE) {
            begin();
        } else if (outcome == Outcome.UNKNOWN) {
            lookup();
        } else if (outcome == Outcome.ACCESS_DENIED) {
            denied("list it");
        } else if (outcome == Outcome.REFUSED) {
            host.refused(Reason.UNAVAILABLE, "ZooKeeper refused to list " + folder());
        }
    }

    private void identify(SeatName lowest) {
        tenure.read(folder() + "/" + lowest.node(), guard.of((outcome, node) -> identified(lowest, outcome, node)));
    }

    private void identified(SeatName lowest, Outcome outcome, @Nullable Node node) {
        if (state != State.DOUBTFUL) {
            return;
        }
        if (node != null && node.owner() == tenure.sessionId()) {
            found(lowest, node);
            host.createSent();
        } else if (outcome == Outcome.OK || outcome == Outcome.NO_NODE) {
            begin();
        } else if (outcome == Outcome.UNKNOWN) {
            lookup();
        } else if (outcome == Outcome.ACCESS_DENIED) {
            denied("read its own node");
        } else if (outcome == Outcome.REFUSED) {
            host.refused(Reason.UNAVAILABLE, "ZooKeeper refused to read a node in " + folder());
        }
    }

    private void denied(String what) {
        host.refused(Reason.DENIED, "the access list of " + folder() + " forbids this client to " + what);
    }

    private String folder() {
        return departure.folder();
    }
}
