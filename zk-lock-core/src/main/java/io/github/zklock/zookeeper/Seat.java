package io.github.zklock.zookeeper;

import io.github.zklock.zookeeper.Refusal.Reason;
import io.github.zklock.zookeeper.WireSession.Event;
import io.github.zklock.zookeeper.WireSession.Node;
import io.github.zklock.zookeeper.WireSession.Reply;
import io.github.zklock.zookeeper.WireSession.Watch;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One place in a lock's queue: a sequential ephemeral node on one session, from its creation until it is gone.
 *
 * <pre>
 * ENTERING -&gt; IN_LINE | AT_HEAD   created, and listed behind somebody or nobody
 * ENTERING -&gt; DOUBTFUL            the outcome of the create is not known
 * DOUBTFUL -&gt; IN_LINE | AT_HEAD   found after a sync
 * DOUBTFUL -&gt; ENTERING            not found: created again
 * IN_LINE  -&gt; AT_HEAD             everybody in front is gone
 * any      -&gt; LEFT                given up, deleted by others, refused, or session over
 * </pre>
 *
 * Owned by the loop.
 */
final class Seat {

    /*
     * Create and list are sent back to back: ZooKeeper answers a session in order, so that a free lock costs one round
     * trip. A list counts only if it shows the node of this seat. (L1, L2)
     *
     * A node found after an unknown outcome is this seat's only if its owner is this very session. (M2)
     *
     * Only the seat in front is watched, by reading it: an exists watch on a node that is gone would stay on the server
     * for ever (L23). Nothing lower than an exclusive seat can appear later, so if the one in front was the head when
     * the wait began, its deletion makes this seat the head. Whether this seat itself is still there is asked in the
     * same breath. (M25)
     */

    /** Whoever uses the seat. */
    interface Host {
        /** Nobody stands in front. */
        void reachedHead(Seat seat);

        /** Somebody stands in front. */
        void inLine(Seat seat);

        /** The seat is gone without having been left. */
        void gone(Seat seat, String reason);

        /** The seat cannot be had, and asking again will not change that. It has been left. */
        void refused(Seat seat, Refusal refusal);
    }

    private enum Phase {
        ENTERING,
        DOUBTFUL,
        IN_LINE,
        AT_HEAD,
        LEFT
    }

    /** Beyond this a create is refused: at 2^31-1 the server's counter sticks, and seats could no longer be told apart. */
    static final long LAST_SEQUENCE = 2_000_000_000L;

    private final Host host;
    private final Tenure tenure;
    private final Departures departures;
    private final Departure departure;
    private final String folder;
    private final String id;
    private final byte[] data;

    private Phase phase = Phase.ENTERING;
    private @Nullable SeatName name;
    private long czxid;
    private int ahead;
    private @Nullable FrontWatch front;

    Seat(Host host, Tenure tenure, Departures departures, String folder, String id, byte[] data) {
        this.host = host;
        this.tenure = tenure;
        this.departures = departures;
        this.folder = folder;
        this.id = id;
        this.data = data;
        this.departure = new Departure(folder, id, tenure);
    }

    Tenure tenure() {
        return tenure;
    }

    String id() {
        return id;
    }

    /** The transaction that created the node. */
    long czxid() {
        return czxid;
    }

    SeatName name() {
        if (name == null) {
            throw new IllegalStateException("Seat " + id + " has no node yet");
        }
        return name;
    }

    boolean isAtHead() {
        return phase == Phase.AT_HEAD;
    }

    /** How many stood in front when last looked; 0 if that is not known. */
    int ahead() {
        return ahead;
    }

    /** The node, once it is known to exist. */
    @Nullable String path() {
        return name == null || phase == Phase.LEFT ? null : folder + "/" + name.node();
    }

    void enter() {
        tenure.seats().add(this);
        phase = Phase.ENTERING;
        try {
            createAndList();
        } catch (Throwable error) {
            refuse(Reason.UNAVAILABLE, "the engine failed to ask for a seat: " + error, error);
        }
    }

    /**
     * Gives the seat up. The node is deleted in the background, whatever it takes.
     *
     * @return completes when the node is known to be gone
     */
    Departure leave() {
        if (phase != Phase.LEFT) {
            boolean createPending = phase == Phase.ENTERING && name == null;
            become(Phase.LEFT);
            if (!createPending) {
                departures.begin(departure);
            }
        }
        return departure;
    }

    /** The connection is back: what was in doubt is asked anew. */
    void connectionRestored() {
        if (phase == Phase.DOUBTFUL) {
            lookup();
        } else if (phase == Phase.IN_LINE) {
            if (front == null) {
                list();
            } else {
                arm(front);
            }
        } else if (phase == Phase.ENTERING && name != null) {
            list();
        }
    }

    /** The session is over: the node is, or will be, gone, and a later session makes sure of it. */
    void sessionEnded(String reason) {
        if (phase != Phase.LEFT) {
            become(Phase.LEFT);
            departures.begin(departure);
            host.gone(this, reason);
        }
    }

    /** The node is known to be gone. */
    void vanished(String reason) {
        if (phase != Phase.LEFT) {
            become(Phase.LEFT);
            departure.finish();
            host.gone(this, reason);
        }
    }

    private void createAndList() {
        tenure.create(folder + "/" + SeatName.stem(id), data, guarded(this::created));
        tenure.list(folder, guarded(this::listed));
    }

    private void created(Outcome outcome, @Nullable Node node) {
        if (phase == Phase.LEFT) {
            createdAfterLeaving(outcome, node);
            return;
        }
        switch (outcome) {
            case OK -> entered(require(node));
            case NO_NODE -> {
                tenure.makeFolder(folder, guarded(this::madeFolder));
                createAndList();
            }
            case CONNECTION_LOST -> become(Phase.DOUBTFUL);
            case UNKNOWN -> {
                become(Phase.DOUBTFUL);
                lookup();
            }
            case SESSION_ENDED -> {
                // told by the keeper to all seats of the session
            }
            case ACCESS_DENIED ->
                refuse(Reason.DENIED, "the access list of " + folder + " forbids this client to queue there");
            default ->
                refuse(Reason.UNAVAILABLE, "ZooKeeper refused to create a node in " + folder + " (" + outcome + ")");
        }
    }

    private void createdAfterLeaving(Outcome outcome, @Nullable Node node) {
        if (outcome == Outcome.OK) {
            departure.of(SeatName.parse(nodeName(require(node))).orElseThrow());
            departures.begin(departure);
        } else if (outcome.isUnknown()) {
            departures.begin(departure);
        } else {
            departure.finish();
        }
    }

    private void entered(Node node) {
        SeatName created = SeatName.parse(nodeName(node)).orElseThrow();
        name = created;
        czxid = node.czxid();
        departure.of(created);
        if (created.sequence() >= LAST_SEQUENCE) {
            departures.restartSequence(tenure, folder);
            refuse(
                    Reason.UNAVAILABLE,
                    "the sequence of its queue is used up at " + created.sequence()
                            + "; it begins anew once the folder is empty for a moment, or is deleted by an operator");
        }
    }

    private void madeFolder(Outcome outcome, @Nullable Void none) {
        if (outcome == Outcome.ACCESS_DENIED) {
            refuse(Reason.DENIED, "the access list above " + folder + " forbids this client to create it");
        } else if (outcome == Outcome.REFUSED) {
            refuse(Reason.UNAVAILABLE, "ZooKeeper refused to create the folder " + folder);
        }
    }

    /** Finds out whether the create whose answer is missing was carried out. */
    private void lookup() {
        tenure.sync(folder, guarded((outcome, none) -> {}));
        tenure.list(folder, guarded(this::foundAfterDoubt));
    }

    private void foundAfterDoubt(Outcome outcome, @Nullable List<String> children) {
        if (phase != Phase.DOUBTFUL) {
            return;
        }
        if (outcome == Outcome.UNKNOWN) {
            lookup();
        } else if (outcome == Outcome.OK) {
            List<SeatName> own = Line.of(require(children)).ownedBy(id);
            if (own.isEmpty()) {
                enter();
            } else {
                SeatName lowest = own.get(0);
                tenure.read(folder + "/" + lowest.node(), guarded((read, node) -> identified(lowest, read, node)));
            }
        } else if (outcome == Outcome.NO_NODE) {
            enter();
        } else if (outcome == Outcome.ACCESS_DENIED) {
            refuse(Reason.DENIED, "the access list of " + folder + " forbids this client to list it");
        }
    }

    private void identified(SeatName found, Outcome outcome, @Nullable Node node) {
        if (phase != Phase.DOUBTFUL) {
            return;
        }
        if (node != null && node.owner() == tenure.sessionId()) {
            name = found;
            czxid = node.czxid();
            departure.of(found);
            phase = Phase.ENTERING;
            list();
        } else if (outcome == Outcome.OK || outcome == Outcome.NO_NODE) {
            enter();
        } else if (outcome == Outcome.UNKNOWN) {
            lookup();
        } else if (outcome == Outcome.ACCESS_DENIED) {
            refuse(Reason.DENIED, "the access list of " + folder + " forbids this client to read its own node");
        }
    }

    private void list() {
        tenure.list(folder, guarded(this::listed));
    }

    private void listed(Outcome outcome, @Nullable List<String> children) {
        if (phase == Phase.LEFT || phase == Phase.DOUBTFUL || phase == Phase.AT_HEAD || name == null) {
            return;
        }
        switch (outcome) {
            case OK -> place(Line.of(require(children)));
            case NO_NODE -> vanished("its folder was deleted");
            case UNKNOWN -> list();
            case ACCESS_DENIED ->
                refuse(Reason.DENIED, "the access list of " + folder + " forbids this client to list it");
            default -> {
                // asked again when the connection is back
            }
        }
    }

    private void place(Line line) {
        deleteSiblings(line);
        SeatName stranger = line.notExclusive().orElse(null);
        int position = line.positionOf(name());
        if (stranger != null) {
            mismatch(stranger);
        } else if (position < 0) {
            vanished("its node was deleted");
        } else if (position > 0 && line.at(position - 1).sequence() == name().sequence()) {
            refuse(Reason.UNAVAILABLE, "two nodes in " + folder + " have the sequence " + name().sequence());
        } else if (position == 0) {
            atHead();
        } else {
            ahead = position;
            become(Phase.IN_LINE);
            front = new FrontWatch(line.at(position - 1), position == 1);
            arm(front);
            host.inLine(this);
        }
    }

    private void deleteSiblings(Line line) {
        List<SeatName> own = line.ownedBy(id);
        for (SeatName sibling : own) {
            if (!sibling.equals(name)) {
                Departure stray = new Departure(folder, id, tenure);
                stray.of(sibling);
                departures.begin(stray);
            }
        }
    }

    private void mismatch(SeatName stranger) {
        tenure.read(folder + "/" + stranger.node(), guarded((outcome, node) -> {
            String owner = node == null
                    ? "unknown"
                    : OwnerDescription.read(node.data()).map(Object::toString).orElse("unknown");
            refuse(
                    Reason.MISMATCH,
                    "this side wants it exclusively, but " + stranger.node() + " (owner " + owner + ") queues there as "
                            + stranger.kind() + "; give the two locks different names");
        }));
    }

    private void arm(FrontWatch watch) {
        tenure.readWatching(watch.path(), watch, guarded((outcome, node) -> {
            if (front != watch || phase != Phase.IN_LINE) {
                return;
            }
            if (outcome == Outcome.NO_NODE) {
                frontGone(watch);
            } else if (outcome == Outcome.UNKNOWN) {
                arm(watch);
            } else if (outcome == Outcome.ACCESS_DENIED) {
                refuse(Reason.DENIED, "the access list of " + watch.path() + " forbids this client to watch it");
            }
        }));
    }

    private void frontGone(FrontWatch watch) {
        front = null;
        if (watch.wasHead) {
            tenure.check(List.of(folder + "/" + name().node()), guarded((outcome, missing) -> {
                if (outcome == Outcome.NO_NODE) {
                    vanished("its node was deleted");
                }
            }));
            atHead();
        } else {
            list();
        }
    }

    private void atHead() {
        ahead = 0;
        become(Phase.AT_HEAD);
        host.reachedHead(this);
    }

    private void refuse(Reason reason, String why) {
        refuse(reason, why, null);
    }

    private void refuse(Reason reason, String why, @Nullable Throwable cause) {
        if (phase != Phase.LEFT) {
            leave();
            host.refused(this, new Refusal(reason, why, cause));
        }
    }

    private void become(Phase next) {
        if (next != Phase.IN_LINE && front != null) {
            tenure.unwatch(front.path(), front);
            front = null;
        }
        if (next == Phase.LEFT) {
            tenure.seats().remove(this);
        }
        phase = next;
    }

    /** An error in handling an answer must not leave a node and its waiters behind. (L19) */
    private <T> Reply<T> guarded(Reply<T> reply) {
        return (outcome, value) -> {
            try {
                reply.answered(outcome, value);
            } catch (Throwable error) {
                refuse(Reason.UNAVAILABLE, "the engine failed on an answer: " + error, error);
            }
        };
    }

    private static String nodeName(Node node) {
        return node.path().substring(node.path().lastIndexOf('/') + 1);
    }

    private static <T> T require(@Nullable T value) {
        if (value == null) {
            throw new IllegalStateException("An answer without its value");
        }
        return value;
    }

    /** The watch of the seat in front. */
    private final class FrontWatch implements Watch {

        private final SeatName seat;
        private final boolean wasHead;

        FrontWatch(SeatName seat, boolean wasHead) {
            this.seat = seat;
            this.wasHead = wasHead;
        }

        String path() {
            return folder + "/" + seat.node();
        }

        @Override
        public void happened(Event event) {
            if (front != this || phase != Phase.IN_LINE) {
                return;
            }
            if (event == Event.NODE_DELETED) {
                frontGone(this);
            } else {
                arm(this);
            }
        }
    }
}
