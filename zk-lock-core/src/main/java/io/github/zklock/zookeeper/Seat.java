package io.github.zklock.zookeeper;

import io.github.zklock.LockKind;
import io.github.zklock.zookeeper.internal.queue.Demand;
import io.github.zklock.zookeeper.internal.queue.Label;
import io.github.zklock.zookeeper.internal.queue.SeatName;
import io.github.zklock.zookeeper.internal.session.PinnedSession;
import io.github.zklock.zookeeper.internal.session.Refusal;
import io.github.zklock.zookeeper.internal.session.Refusal.Reason;
import io.github.zklock.zookeeper.internal.session.SessionNode;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/**
 * One place in a lock's queue: a sequential ephemeral node on one session, from its creation until it is gone.
 *
 * <pre>
 * ENTERING -&gt; IN_LINE | AT_HEAD   created, and known as one that waits or holds
 * IN_LINE  -&gt; AT_HEAD             what stood in the way is gone, or given up by this process
 * AT_HEAD  -&gt; IN_LINE             it was not: somebody else stands in the way; it leaves
 * any      -&gt; LEFT                given up, deleted by others, refused, or session over
 * </pre>
 *
 * Owned by the loop.
 */
final class Seat implements SessionNode, Entry.Host, Placement.Host, Doubt.Host, Downgrade.Host {

    /*
     * Create and list are sent back to back: ZooKeeper answers a session in order, so that a free lock costs one round
     * trip. Behind a seat of this process that waits itself there is nothing to look for, as long as nobody is in between:
     * it passes its place on when it leaves, also to one whose create is not answered yet.
     */

    /** Whoever uses the seat. */
    interface Host {
        /** Nothing stands in the way. */
        void reachedHead(Seat seat);

        /** Somebody stands in the way. */
        void inLine(Seat seat);

        /** The seat of a writer has become one of a reader. */
        void becameReader(Seat seat);

        /** The seat is gone without having been left. */
        void gone(Seat seat, String reason);

        /** The seat cannot be had, and asking again will not change that. It has been left. */
        void refused(Seat seat, Refusal refusal);

        /** Among all seats that there are beside it. */
        Inheritance inheritance();

        /** All seats that there are beside it. */
        Collection<Seat> seats();
    }

    private enum Phase {
        ENTERING,
        IN_LINE,
        AT_HEAD,
        LEFT
    }

    private final Host host;
    private final PinnedSession tenure;
    private final Departures departures;
    private final Departure departure;
    private final Label label;
    private final Entry entry;
    private final Placement placement;
    private final Doubt doubt;
    private final Guard guard = new Guard(this::failed);

    private Phase phase = Phase.ENTERING;
    private Demand demand;
    private @Nullable SeatName name;
    private long czxid;
    private @Nullable Downgrade downgrade;
    /** The servers refused the downgrade, and would again. */
    private boolean staysWriter;

    /** Whoever of this process waits right behind. */
    private Departure.@Nullable Heir heir;

    private boolean leftAtHead;

    private @Nullable WakeUp wakeUp;
    /** Null until the seat lingers for the first time. */
    private @Nullable IdleMark idleMark;
    /** The one of this process that was on its way when the create was sent, so that the queue was not read. */
    private @Nullable Seat forerunner;

    Seat(Host host, PinnedSession tenure, Departures departures, String folder, String id, Demand demand, Label label) {
        this.host = host;
        this.tenure = tenure;
        this.departures = departures;
        this.departure = new Departure(folder, id, tenure);
        this.demand = demand;
        this.label = label;
        this.entry = new Entry(this, tenure, departures, departure, label, demand, guard);
        this.placement = new Placement(this, tenure, departures, folder, label, guard);
        this.doubt = new Doubt(this, tenure, departures, folder, guard);
    }

    PinnedSession tenure() {
        return tenure;
    }

    @Override
    public String id() {
        return departure.id();
    }

    /** What it asks for: to read, once it was downgraded. */
    Demand demand() {
        return demand;
    }

    /** Whether nobody else can hold beside it. */
    boolean isAlone() {
        return demand.isAlone() && downgrade == null;
    }

    /** The transaction that created the node, and of one that was downgraded the writer's. */
    long czxid() {
        return czxid;
    }

    SeatName name() {
        if (name == null) {
            throw new IllegalStateException("Seat " + id() + " has no node yet");
        }
        return name;
    }

    /** How many stood in front when last looked; 0 if that is not known, or no longer matters. */
    int ahead() {
        return placement.ahead();
    }

    /** The node, while it is known to exist by this name. */
    @Override
    public @Nullable String path() {
        return name == null || phase == Phase.LEFT || downgrade != null ? null : pathOf(name);
    }

    void enter() {
        tenure.nodes().add(this);
        departure.occupy(demand);
        guard.run(entry::begin);
    }

    /** Makes a writer's seat at the head one of a reader at the same place; without effect if that is under way. */
    void downgrade() {
        if (phase == Phase.AT_HEAD && isAlone() && !staysWriter) {
            Downgrade begun = new Downgrade(this, tenure, departure.folder(), name(), label, guard);
            downgrade = begun;
            guard.run(begun::begin);
        }
    }

    /**
     * Gives the seat up. The node is deleted in the background, whatever it takes.
     *
     * @return completes when the node is known to be gone
     */
    Departure leave() {
        if (phase != Phase.LEFT) {
            leftAtHead = phase == Phase.AT_HEAD && !host.inheritance().isInDoubt();
            Departure.Heir next = heir;
            if (leftAtHead && next != null) {
                departure.inFavourOf(next);
            }
            try {
                become(Phase.LEFT);
                entry.abandon();
            } finally {
                // nobody else would tell it (L19)
                if (next != null && leftAtHead) {
                    host.inheritance().leftTo(next);
                } else if (next != null) {
                    next.mayInherit();
                }
            }
        }
        return departure;
    }

    /** Marks the node as idle, or removes that mark; a node that was never marked is not written. (L30) */
    void markIdle(boolean isIdle) {
        if (isIdle && idleMark == null && phase == Phase.AT_HEAD && downgrade == null) {
            idleMark = new IdleMark(tenure, pathOf(name()), label, demand);
        }
        if (idleMark != null) {
            idleMark.mark(isIdle);
        }
    }

    /** Asks whether the seat is still the first. */
    void confirm() {
        if (phase == Phase.AT_HEAD) {
            guard.run(() -> doubt.raise(name()));
        }
    }

    /** Somebody of this process waits for this seat to leave, and for nobody else. */
    void inheritedBy(Departure.Heir next) {
        if (phase != Phase.LEFT) {
            // if there was another one, its node is gone, of which a renewal tells it
            heir = next;
        }
    }

    void notInheritedBy(Departure.Heir other) {
        if (heir == other) {
            heir = null;
        }
    }

    /** The connection is back: what was in doubt is asked anew. */
    void connectionRestored() {
        guard.run(this::askAnew);
    }

    private void askAnew() {
        entry.connectionRestored();
        if (downgrade != null) {
            downgrade.connectionRestored();
        }
        if (wakeUp != null) {
            wakeUp.connectionRestored();
        }
        // after the wake-up, which writes the same node
        if (idleMark != null) {
            idleMark.connectionRestored();
        }
        placement.connectionRestored();
        doubt.connectionRestored();
    }

    /** The session is over: the node is, or will be, gone, and a later session makes sure of it. */
    @Override
    public void sessionEnded(String reason) {
        if (phase != Phase.LEFT) {
            become(Phase.LEFT);
            entry.sessionEnded();
            host.gone(this, reason);
        }
    }

    @Override
    public void vanished(String reason) {
        if (phase != Phase.LEFT) {
            Departure.Heir next = heir;
            become(Phase.LEFT);
            departure.finish();
            try {
                host.gone(this, reason);
            } finally {
                // nobody else would tell it (L19)
                if (next != null) {
                    next.mayInherit();
                }
            }
        }
    }

    @Override
    public void queueInDoubt() {
        host.inheritance().doubt();
    }

    @Override
    public void isFirst() {
        host.inheritance().allay();
    }

    @Override
    public void displaced(String reason) {
        if (phase == Phase.AT_HEAD) {
            phase = Phase.IN_LINE;
            host.gone(this, reason);
        }
    }

    @Override
    public @Nullable Seat ownSeat(SeatName wanted) {
        for (Seat seat : host.seats()) {
            if (seat.tenure == tenure && seat.path() != null && wanted.equals(seat.name)) {
                return seat;
            }
        }
        return null;
    }

    @Override
    public void createSent() {
        Seat before = entry.wasInDoubt() ? null : before();
        if (before != null && before.isOnItsWay()) {
            forerunner = before;
        } else {
            forerunner = null;
            placement.look();
        }
    }

    @Override
    public void created(SeatName node, long transaction) {
        name = node;
        czxid = transaction;
        placement.of(node);
        if (node.isPastTheLast()) {
            departures.restartSequence(tenure, departure.folder());
            refused(
                    Reason.UNAVAILABLE,
                    "the sequence of its queue is used up at " + node.sequence()
                            + "; it begins anew once the folder is empty for a moment, or is deleted by an operator");
        } else if (forerunner != null && !entry.wasInDoubt()) {
            findPlace(node, forerunner);
        }
    }

    @Override
    public void waits() {
        phase = Phase.IN_LINE;
        host.inLine(this);
    }

    @Override
    public void holds(boolean awaited) {
        become(Phase.AT_HEAD);
        if (awaited && demand.kind() == LockKind.PERMITS) {
            WakeUp begun = new WakeUp(tenure, pathOf(name()), label.on(demand), guard);
            wakeUp = begun;
            begun.send();
        }
        host.reachedHead(this);
    }

    @Override
    public void downgraded(SeatName reader) {
        downgrade = null;
        endIdleMark();
        name = reader;
        demand = reader.demand();
        departure.of(reader);
        host.becameReader(this);
    }

    @Override
    public void notDowngraded() {
        downgrade = null;
        staysWriter = true;
    }

    @Override
    public void refused(Reason reason, String why) {
        refuse(new Refusal(reason, why, null));
    }

    private void findPlace(SeatName node, Seat before) {
        forerunner = null;
        boolean isNext = before.name != null && before.name.sequence() + 1 == node.sequence();
        if (isNext && before.path() != null) {
            placement.waitBehind(before, before.name());
        } else if (isNext && before.leftAtHead) {
            // its deletion was sent after this create: if its node was there then, both numbers are of one folder
            before.departure.inFavourOf(placement);
            placement.beFirst();
        } else {
            placement.look();
        }
    }

    /** The one of this process that was asked for right before, on the same session, if both are exclusive. */
    private @Nullable Seat before() {
        Seat before = null;
        for (Seat seat : host.seats()) {
            if (seat == this) {
                break;
            }
            before = seat;
        }
        return before != null
                        && before.tenure == tenure
                        && before.demand.kind() == LockKind.EXCLUSIVE
                        && demand.kind() == LockKind.EXCLUSIVE
                ? before
                : null;
    }

    /** Whether nobody behind it can be at the head. */
    private boolean isOnItsWay() {
        return phase == Phase.ENTERING || phase == Phase.IN_LINE;
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
        if (next == Phase.LEFT) {
            placement.end();
            doubt.end();
            tenure.nodes().remove(this);
            heir = null;
            endIdleMark();
            if (downgrade != null) {
                downgrade.abandon();
                departure.ofUnknownName();
            }
            if (wakeUp != null) {
                wakeUp.end();
            }
        }
        phase = next;
    }

    private void endIdleMark() {
        if (idleMark != null) {
            idleMark.end();
            idleMark = null;
        }
    }

    private String pathOf(SeatName seat) {
        return departure.folder() + "/" + seat.node();
    }
}
