package io.github.zklock.zookeeper.internal.seat;

import io.github.zklock.zookeeper.internal.queue.Demand;
import io.github.zklock.zookeeper.internal.queue.Label;
import io.github.zklock.zookeeper.internal.queue.QueueView;
import io.github.zklock.zookeeper.internal.queue.SeatName;
import io.github.zklock.zookeeper.internal.session.PinnedSession;
import io.github.zklock.zookeeper.internal.session.Question;
import io.github.zklock.zookeeper.internal.session.Refusal;
import io.github.zklock.zookeeper.internal.session.Refusal.Reason;
import io.github.zklock.zookeeper.internal.session.SessionNode;
import io.github.zklock.zookeeper.internal.transport.Change;
import io.github.zklock.zookeeper.internal.transport.Outcome;
import io.github.zklock.zookeeper.internal.transport.WireSession.Node;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One place in a lock's queue: a sequential ephemeral node on one session, from its creation until it is deleted.
 *
 * <pre>
 * CREATING            -&gt; IN_DOUBT  its create was answered, and it is not known yet whether its node exists
 * CREATING | IN_DOUBT -&gt; WAITING   its node exists, whatever happened to the answers
 * IN_DOUBT            -&gt; ABSENT    its node does not exist
 * IN_DOUBT | ABSENT   -&gt; CREATING  its create is sent again
 * WAITING             -&gt; HEAD      no other seat blocks it
 * any                 -&gt; LEFT      given up, deleted by another client, rejected, or its session ended
 * </pre>
 *
 * <p>Owned by the loop.
 */
public final class Seat implements SessionNode {

    /*
     * The owner of the node: a seat that has not left is among the nodes of its session. A seat that has left is its
     * Deletion's, whatever the answer to its create will be: the answer is passed on to the deletion, which waits for
     * it.
     *
     * The server numbers the node, and it may create the node although its answer is lost. Then the node is searched
     * for by its id, behind a commit, because the server of the next connection may lag behind (L2, L25). Invariant: a
     * node that is found belongs to this seat only if its owner is this same session (M2).
     */

    /** The queue whose requests use the seat. */
    public interface Owner {

        /** The create was requested: a listing that is requested now shows the node. */
        void createSent(Seat seat);

        /** The seat may have no node: the outcome of its create is unknown, or it has to be repeated. */
        void inDoubt(Seat seat);

        /** It is known now that the node does not exist. The owner calls {@link Seat#createIfAbsent}. */
        void absent();

        /** Its node exists. */
        void created(Seat seat);

        /**
         * The seat cannot exist, and a further attempt would fail as well, also for another seat of this lock. The seat
         * has been left.
         */
        void refused(Seat seat, Refusal refusal);

        /** The seat has ended without having been left. */
        void gone(Seat seat, String reason);

        /** The write seat has become a read seat. */
        void becameReader(Seat seat, SeatName writer);
    }

    private enum State {
        CREATING,
        IN_DOUBT,
        ABSENT,
        WAITING,
        HEAD,
        LEFT
    }

    /**
     * The number of attempts to create the folder. ZooKeeper may delete an empty folder just before the seat is
     * created, once or twice, but not as often as this.
     */
    private static final int MOST_FOLDERS = 16;

    private static final long SEQUENCE_RESTART_NANOS = 50_000_000L;

    private final Owner owner;
    private final PinnedSession session;
    private final Deletions deletions;
    private final Deletion deletion;
    private final Demand demand;
    private final Label label;
    /** Whether the seat serves one turn only. If so, its transaction may create other seats of the lock. */
    private final boolean oneTurn;

    private State state = State.CREATING;
    private @Nullable SeatName name;
    private long czxid;
    private int place;
    /** Whether the create was repeated at another place, so that a node that is found may have been created at either. */
    private boolean placeInDoubt;

    private boolean canWait;
    private boolean wasInDoubt;
    private int foldersMade;
    private @Nullable Question<?> lookup;
    private @Nullable Downgrade downgrade;
    /** Whether the servers rejected the downgrade; they would reject it again. */
    private boolean staysWriter;

    private @Nullable IdleMark idleMark;

    public Seat(
            Owner owner,
            PinnedSession session,
            Deletions deletions,
            String folder,
            String id,
            Demand demand,
            Label label,
            boolean oneTurn) {
        this.owner = owner;
        this.session = session;
        this.deletions = deletions;
        this.deletion = new Deletion(folder, id, session, oneTurn);
        this.demand = demand;
        this.label = label;
        this.oneTurn = oneTurn;
    }

    public PinnedSession session() {
        return session;
    }

    @Override
    public String id() {
        return deletion.id();
    }

    /** Returns the access that the seat requests: to read, once it was downgraded. */
    public Demand demand() {
        return name == null ? demand : name.demand();
    }

    /** Returns whether no other seat can hold at the same time. */
    public boolean isAlone() {
        return demand().isAlone() && downgrade == null;
    }

    /** Returns the transaction that created the node; of a downgraded seat, the transaction that created the write node. */
    public long czxid() {
        return czxid;
    }

    /** Returns the number of seats of this lock that the same transaction created before this one. */
    public int place() {
        return place;
    }

    /** Returns the node's name; null until the node is known to exist. */
    public @Nullable SeatName name() {
        return name;
    }

    public boolean isWaiting() {
        return state == State.WAITING;
    }

    public boolean isHead() {
        return state == State.HEAD;
    }

    /** Returns whether the outcome of the create is unknown and the node is searched for. */
    public boolean isInDoubt() {
        return state == State.IN_DOUBT;
    }

    /** Returns whether the create was not executed and has to be repeated. */
    public boolean isAbsent() {
        return state == State.ABSENT;
    }

    /** Requests the node again, if it {@link #isAbsent}. */
    public void createIfAbsent() {
        if (isAbsent()) {
            create();
        }
    }

    public boolean hasLeft() {
        return state == State.LEFT;
    }

    @Override
    public @Nullable String path() {
        return name == null || state == State.LEFT || downgrade != null ? null : name.pathIn(folder());
    }

    /**
     * Requests the node.
     *
     * @param bytes what the node takes of the session's budget
     * @param behindOwn whether other seats of this process are in front of it, so that the create can wait for other
     *     writes
     */
    public void begin(int bytes, boolean behindOwn) {
        canWait = behindOwn;
        session.add(this);
        deletion.occupy(bytes);
        create();
    }

    /** Records that no other seat blocks this one. */
    public void becomeHead() {
        if (state == State.WAITING) {
            state = State.HEAD;
        }
    }

    /** Replaces a write seat at the head by a read seat at the same place. Has no effect if that is under way. */
    public void downgrade() {
        SeatName writer = name;
        if (state == State.HEAD && isAlone() && !staysWriter && writer != null) {
            downgrade = new Downgrade(this, session, deletion.folder(), writer, label);
            downgrade.begin();
        }
    }

    /** Returns whether other processes may regard the seat as idle. */
    public boolean isMarkedIdle() {
        return idleMark != null && idleMark.isIdle();
    }

    /** Marks the node as idle, or removes that mark; a node that was never marked is not written. (L30) */
    public void markIdle(boolean isIdle) {
        SeatName own = name;
        if (isIdle && idleMark == null && state == State.HEAD && downgrade == null && own != null) {
            idleMark = new IdleMark(session, own.pathIn(folder()), label, own.demand());
        }
        if (idleMark != null) {
            idleMark.mark(isIdle);
        }
    }

    /**
     * Deletes the other nodes of this seat and removes them from the view. They exist if the create was repeated
     * although the first one had been executed. (L2)
     */
    public void deleteSiblings(QueueView view) {
        if (wasInDoubt) {
            for (SeatName sibling : view.ownedBy(id())) {
                if (!sibling.equals(name)) {
                    view.remove(sibling);
                    deletions.beginStray(folder(), sibling, session, false);
                }
            }
        }
    }

    /**
     * Gives the seat up. Its node is deleted in the background, with as many attempts as necessary.
     *
     * @return the deletion, which ends when the node is known to be deleted
     */
    public Deletion leave() {
        if (state != State.LEFT) {
            boolean createIsPending = state == State.CREATING;
            end();
            if (createIsPending) {
                deletions.expect(deletion);
            } else {
                deletions.begin(deletion);
            }
        }
        return deletion;
    }

    @Override
    public void sessionEnded(String reason) {
        if (state != State.LEFT) {
            end();
            // at the servers, the session may still be alive
            deletions.begin(deletion);
            owner.gone(this, reason);
        }
    }

    @Override
    public void vanished() {
        if (state != State.LEFT) {
            end();
            deletion.finish();
            owner.gone(this, "its node was deleted");
        }
    }

    void downgraded(SeatName reader) {
        SeatName writer = name;
        downgrade = null;
        endIdleMark();
        name = reader;
        deletion.setName(reader);
        if (writer != null) {
            owner.becameReader(this, writer);
        }
    }

    /** Records that the seat stays a write seat. */
    void notDowngraded() {
        downgrade = null;
        staysWriter = true;
    }

    private void create() {
        state = State.CREATING;
        session.create(
                new Change.CreateSeat(
                        pathOfStem(), label.on(demand), oneTurn ? this::placed : null, canWait, () -> !hasLeft()),
                this::createAnswered);
        owner.createSent(this);
    }

    private void placed(int at) {
        placeInDoubt |= wasInDoubt && at != place;
        place = at;
    }

    private void createAnswered(Outcome outcome, @Nullable Node node) {
        if (state == State.LEFT) {
            createAnsweredTooLate(outcome, node);
            return;
        }
        state = State.IN_DOUBT;
        switch (outcome) {
            case OK -> {
                if (node == null) {
                    throw new IllegalStateException("A create succeeded without an answer that names the node");
                }
                created(SeatName.ofPath(node.path()), node);
            }
            case NO_NODE -> makeFolder();
            case CONNECTION_LOST -> lookUp();
            case UNKNOWN -> {
                doubt();
                session.afterPause(this::lookUpIfInDoubt);
            }
            case HELD_BACK -> absent();
            case SESSION_ENDED -> {
                // the session notifies its seats of its end, except one that was requested afterwards
                if (session.hasEnded()) {
                    sessionEnded("its session ended");
                }
            }
            case ACCESS_DENIED -> denied("queue there");
            case LOCAL_SESSION ->
                unavailable(
                        "the servers gave this client a local session (localSessionsEnabled), which cannot own the node"
                                + " of a lock. Set localSessionsUpgradingEnabled=true on all servers");
            default -> unavailable("ZooKeeper rejected the creation of a node in " + folder() + " (" + outcome + ")");
        }
    }

    private void createAnsweredTooLate(Outcome outcome, @Nullable Node node) {
        if (outcome == Outcome.OK && node != null) {
            deletion.setName(SeatName.ofPath(node.path()));
        }
        if (outcome == Outcome.OK || outcome.isUnknown()) {
            deletions.begin(deletion);
        } else {
            deletions.finish(deletion);
        }
    }

    private void created(SeatName seat, Node node) {
        lookup = null;
        name = seat;
        czxid = node.czxid();
        deletion.setName(seat);
        state = State.WAITING;
        if (seat.isPastTheLast()) {
            deletions.restartSequence(session, folder(), SEQUENCE_RESTART_NANOS);
            unavailable("the sequence numbers of its queue are used up at " + seat.sequence()
                    + "; they start anew when the folder is empty for a moment or is deleted by an operator");
        } else {
            owner.created(this);
        }
    }

    private void makeFolder() {
        if (++foldersMade > MOST_FOLDERS) {
            unavailable("its folder " + folder() + " was deleted " + MOST_FOLDERS + " times after it was created");
        } else {
            session.makeFolder(folder(), (outcome, none) -> madeFolder(outcome));
            create();
        }
    }

    private void madeFolder(Outcome outcome) {
        if (isWithoutNode() && outcome == Outcome.ACCESS_DENIED) {
            denied("create it");
        } else if (isWithoutNode() && (outcome == Outcome.REFUSED || outcome == Outcome.NOT_SENT)) {
            unavailable("ZooKeeper rejected the creation of the folder " + folder() + " (" + outcome + ")");
        }
    }

    /** Returns whether the node is not known to exist yet. */
    private boolean isWithoutNode() {
        return switch (state) {
            case CREATING, IN_DOUBT, ABSENT -> true;
            case WAITING, HEAD, LEFT -> false;
        };
    }

    private void doubt() {
        wasInDoubt = true;
        owner.inDoubt(this);
    }

    private void lookUpIfInDoubt() {
        if (state == State.IN_DOUBT) {
            lookUp();
        }
    }

    private void lookUp() {
        doubt();
        lookup = session.<List<SeatName>>ask(reply -> session.find(folder(), id(), reply), (outcome, own) -> {
            if (outcome == Outcome.OK && own != null) {
                if (own.isEmpty()) {
                    absent();
                } else if (placeInDoubt) {
                    replace(own.get(0));
                } else {
                    identify(own.get(0));
                }
            } else if (outcome == Outcome.NO_NODE) {
                absent();
            } else if (outcome == Outcome.ACCESS_DENIED) {
                denied("list it");
            } else {
                unavailable("ZooKeeper rejected the listing of " + folder() + " (" + outcome + ")");
            }
        });
    }

    /**
     * Deletes a node whose place is unknown. Only then is another one created: both together could exceed the budget of the
     * session. (L24)
     */
    private void replace(SeatName node) {
        lookup = session.<Void>ask(
                reply -> session.delete(new Change.Delete(node.pathIn(folder())), reply), (outcome, none) -> {
                    if (outcome == Outcome.OK || outcome == Outcome.NO_NODE) {
                        lookUp();
                    } else if (outcome == Outcome.ACCESS_DENIED) {
                        denied("delete its own node");
                    } else {
                        unavailable("ZooKeeper rejected the deletion of a node in " + folder() + " (" + outcome + ")");
                    }
                });
    }

    private void identify(SeatName lowest) {
        lookup = session.<Node>ask(reply -> session.read(lowest.pathIn(folder()), reply), (outcome, node) -> {
            if (node != null && node.owner() == session.sessionId()) {
                created(lowest, node);
                if (state == State.WAITING) {
                    owner.createSent(this);
                }
            } else if (outcome == Outcome.OK || outcome == Outcome.NO_NODE) {
                absent();
            } else if (outcome == Outcome.ACCESS_DENIED) {
                denied("read its own node");
            } else {
                unavailable("ZooKeeper rejected the read of a node in " + folder() + " (" + outcome + ")");
            }
        });
    }

    private void absent() {
        lookup = null;
        state = State.ABSENT;
        owner.inDoubt(this);
        owner.absent();
    }

    private void denied(String what) {
        refuse(Refusal.of(Reason.DENIED, "the access list of " + folder() + " forbids this client to " + what));
    }

    private void unavailable(String why) {
        refuse(Refusal.of(Reason.UNAVAILABLE, why));
    }

    /** Leaves a seat that cannot be used, and reports the reason to its owner. */
    public void refuse(Refusal refusal) {
        if (state != State.LEFT) {
            leave();
            owner.refused(this, refusal);
        }
    }

    private void end() {
        state = State.LEFT;
        session.remove(this);
        endIdleMark();
        if (lookup != null) {
            lookup.drop();
        }
        if (downgrade != null) {
            downgrade.abandon();
            deletion.ofUnknownName();
        }
    }

    private void endIdleMark() {
        if (idleMark != null) {
            idleMark.end();
            idleMark = null;
        }
    }

    private String folder() {
        return deletion.folder();
    }

    private String pathOfStem() {
        return folder() + "/" + SeatName.stem(id(), demand);
    }
}
