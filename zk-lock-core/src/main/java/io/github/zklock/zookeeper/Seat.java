package io.github.zklock.zookeeper;

import io.github.zklock.zookeeper.Refusal.Reason;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One place in a lock's queue: a sequential ephemeral node on one session, from its creation until it is gone.
 *
 * <pre>
 * ENTERING -&gt; IN_LINE | AT_HEAD   created, and listed behind somebody or nobody
 * IN_LINE  -&gt; AT_HEAD             everybody in front is gone
 * any      -&gt; LEFT                given up, deleted by others, refused, or session over
 * </pre>
 *
 * Owned by the loop.
 */
final class Seat implements Entry.Host, FrontWatch.Host {

    /*
     * Create and list are sent back to back: ZooKeeper answers a session in order, so that a free lock costs one round
     * trip. A list counts only if it shows the node of this seat (L1).
     *
     * Nothing lower than an exclusive seat can appear later, so if the one in front was the head when the wait began,
     * its deletion makes this seat the head. Whether this seat itself is still there is asked in the same breath.
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
    private final Entry entry;
    private final Guard guard = new Guard(this::failed);

    private Phase phase = Phase.ENTERING;
    private @Nullable SeatName name;
    private long czxid;
    private int ahead;
    private @Nullable FrontWatch front;

    Seat(Host host, Tenure tenure, Departures departures, String folder, String id, byte[] data) {
        this.host = host;
        this.tenure = tenure;
        this.departures = departures;
        this.departure = new Departure(folder, id, tenure);
        this.entry = new Entry(this, tenure, departures, departure, data, guard);
    }

    Tenure tenure() {
        return tenure;
    }

    String id() {
        return departure.id();
    }

    /** The transaction that created the node. */
    long czxid() {
        return czxid;
    }

    SeatName name() {
        if (name == null) {
            throw new IllegalStateException("Seat " + id() + " has no node yet");
        }
        return name;
    }

    /** How many stood in front when last looked; 0 if that is not known. */
    int ahead() {
        return ahead;
    }

    /** The node, while it is known to exist. */
    @Nullable String path() {
        return name == null || phase == Phase.LEFT ? null : pathOf(name);
    }

    void enter() {
        tenure.seats().add(this);
        guard.run(entry::begin);
    }

    /**
     * Gives the seat up. The node is deleted in the background, whatever it takes.
     *
     * @return completes when the node is known to be gone
     */
    Departure leave() {
        if (phase != Phase.LEFT) {
            become(Phase.LEFT);
            entry.abandon();
        }
        return departure;
    }

    /** The connection is back: what was in doubt is asked anew. */
    void connectionRestored() {
        guard.run(this::askAnew);
    }

    private void askAnew() {
        entry.connectionRestored();
        if (front != null) {
            front.arm();
        } else if (name != null && (phase == Phase.ENTERING || phase == Phase.IN_LINE)) {
            list();
        }
    }

    /** The session is over: the node is, or will be, gone, and a later session makes sure of it. */
    void sessionEnded(String reason) {
        if (phase != Phase.LEFT) {
            become(Phase.LEFT);
            entry.sessionEnded();
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

    @Override
    public void createSent() {
        list();
    }

    @Override
    public void created(SeatName node, long transaction) {
        name = node;
        czxid = transaction;
        if (node.sequence() >= LAST_SEQUENCE) {
            departures.restartSequence(tenure, departure.folder());
            refused(
                    Reason.UNAVAILABLE,
                    "the sequence of its queue is used up at " + node.sequence()
                            + "; it begins anew once the folder is empty for a moment, or is deleted by an operator");
        }
    }

    @Override
    public void refused(Reason reason, String why) {
        refuse(new Refusal(reason, why, null));
    }

    @Override
    public void frontGone(FrontWatch watch) {
        front = null;
        if (watch.frontWasHead()) {
            tenure.check(List.of(pathOf(name())), guard.of((outcome, missing) -> {
                if (outcome == Outcome.NO_NODE) {
                    vanished("its node was deleted");
                }
            }));
            atHead();
        } else {
            list();
        }
    }

    @Override
    public void frontUnreadable(FrontWatch watch, Outcome why) {
        unreadable(why, watch.path());
    }

    private void list() {
        tenure.list(departure.folder(), guard.of(this::listed));
    }

    private void listed(Outcome outcome, @Nullable List<String> children) {
        if (name == null || phase == Phase.LEFT || phase == Phase.AT_HEAD) {
            return;
        }
        if (outcome == Outcome.OK && children != null) {
            place(Line.of(children), name);
        } else if (outcome == Outcome.NO_NODE) {
            vanished("its folder was deleted");
        } else if (outcome == Outcome.UNKNOWN) {
            list();
        } else if (outcome == Outcome.ACCESS_DENIED || outcome == Outcome.REFUSED) {
            unreadable(outcome, departure.folder());
        }
    }

    private void unreadable(Outcome why, String path) {
        if (why == Outcome.ACCESS_DENIED) {
            refused(Reason.DENIED, "the access list of " + path + " forbids this client to read it");
        } else {
            refused(Reason.UNAVAILABLE, "ZooKeeper refused to read " + path);
        }
    }

    private void place(Line line, SeatName own) {
        deleteSiblings(line, own);
        SeatName stranger = line.notExclusive().orElse(null);
        int position = line.positionOf(own);
        if (stranger != null) {
            mismatch(stranger);
        } else if (position < 0) {
            vanished("its node was deleted");
        } else if (line.hasTwo(own.sequence())) {
            refused(Reason.UNAVAILABLE, "two nodes in " + departure.folder() + " have the sequence " + own.sequence());
        } else if (position == 0) {
            atHead();
        } else {
            inLine(line.at(position - 1), position);
        }
    }

    private void deleteSiblings(Line line, SeatName own) {
        for (SeatName sibling : line.ownedBy(id())) {
            if (!sibling.equals(own)) {
                Departure stray = new Departure(departure.folder(), id(), tenure);
                stray.of(sibling);
                departures.begin(stray);
            }
        }
    }

    private void mismatch(SeatName stranger) {
        tenure.read(pathOf(stranger), guard.of((outcome, node) -> {
            String owner = node == null
                    ? "unknown"
                    : OwnerDescription.read(node.data()).map(Object::toString).orElse("unknown");
            refused(
                    Reason.MISMATCH,
                    "this side wants it exclusively, but " + stranger.node() + " (owner " + owner + ") queues there as "
                            + stranger.kind() + "; give the two locks different names");
        }));
    }

    private void inLine(SeatName inFront, int position) {
        ahead = position;
        phase = Phase.IN_LINE;
        endFront();
        FrontWatch watch = new FrontWatch(this, tenure, pathOf(inFront), position == 1, guard);
        front = watch;
        watch.arm();
        host.inLine(this);
    }

    private void atHead() {
        ahead = 0;
        become(Phase.AT_HEAD);
        host.reachedHead(this);
    }

    private void failed(Throwable error) {
        refuse(Refusal.failure(error));
    }

    private void refuse(Refusal refusal) {
        if (phase != Phase.LEFT) {
            leave();
            host.refused(this, refusal);
        }
    }

    private void become(Phase next) {
        endFront();
        if (next == Phase.LEFT) {
            tenure.seats().remove(this);
        }
        phase = next;
    }

    private void endFront() {
        if (front != null) {
            front.end();
            front = null;
        }
    }

    private String pathOf(SeatName seat) {
        return departure.folder() + "/" + seat.node();
    }
}
