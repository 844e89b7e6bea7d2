package io.github.zklock.zookeeper;

import io.github.zklock.LockKind;
import io.github.zklock.zookeeper.FrontWatch.Until;
import io.github.zklock.zookeeper.Refusal.Reason;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where one seat stands in its queue, looked up and watched until nothing stands in the way.
 *
 * <pre>
 * LOOKING -&gt; WAITING   listed behind somebody who is in the way, or known to stand behind one of this process
 * LOOKING | WAITING -&gt; HOLDING   nothing stands in the way
 * any -&gt; OVER   it is gone, it cannot be, or the seat was left
 * </pre>
 *
 * Owned by the loop.
 */
final class Placement implements FrontWatch.Host, Departure.Heir {

    /*
     * A list counts only if it shows the node of this seat (L1).
     *
     * Nothing lower than an exclusive seat can appear later, so if the one in front was the head when the wait began, its
     * deletion makes this seat the head. Whether this seat itself is still there is asked in the same breath: a read after
     * a sync tells, and costs no write. Seats of the other kinds always read the queue again (M23).
     *
     * If the one in front is this process's own, nothing is asked of the servers: it tells when it leaves, and if it was
     * the head, this seat is the head from then on, as everybody else waits for both nodes to go. Its deletion, which is
     * on its way by then, is a transaction that also looks for this seat's node. Two seats of one process whose numbers
     * follow each other have nobody in between, so the second one need not read the queue at all.
     *
     * Any holder of a semaphore's permits may be the next to go, so the first seat that waits watches the whole folder,
     * and each further one only the one in front of it, which writes its own node when it has come to hold (L20). That
     * is needed only of a seat that sees somebody behind it: whoever took it for a waiting one had read an older queue,
     * and stands in the newer one that says that it holds.
     */

    /** The seat. */
    interface Host {
        /**
         * Nothing stands in the way.
         *
         * @param awaited whether somebody stands behind who may not know
         */
        void holds(boolean awaited);

        /** Somebody stands in the way. */
        void waits();

        void vanished(String reason);

        /** The queue was read, and nobody stands in front. */
        void isFirst();

        /** Whoever of this process is at the head without having read the queue may not be the first. */
        void queueInDoubt();

        void refused(Reason reason, String why);

        /** The seat of this process by that name, if there is one. */
        @Nullable Seat ownSeat(SeatName name);
    }

    private enum State {
        LOOKING,
        WAITING,
        HOLDING,
        OVER
    }

    private final Host host;
    private final Tenure tenure;
    private final Departures departures;
    private final String folder;
    private final Label label;
    private final Guard guard;

    private State state = State.LOOKING;
    private @Nullable SeatName own;
    private int ahead;
    private @Nullable Front front;

    Placement(Host host, Tenure tenure, Departures departures, String folder, Label label, Guard guard) {
        this.host = host;
        this.tenure = tenure;
        this.departures = departures;
        this.folder = folder;
        this.label = label;
        this.guard = guard;
    }

    /** The seat's node is known from now on. */
    void of(SeatName node) {
        own = node;
    }

    /** How many stood in front when last looked; 0 if that is not known, or no longer matters. */
    int ahead() {
        return ahead;
    }

    /** Reads the queue. */
    void look() {
        tenure.list(folder, guard.of(this::listed));
    }

    /** Nobody stands between this seat and that one, which is in its way. */
    void waitBehind(Seat inFront, SeatName itsName) {
        waitFor(new OwnFront(inFront, pathOf(itsName), this), inFront.ahead() + 1);
    }

    /** The connection is back: something may have happened unseen. */
    void connectionRestored() {
        if (front == null) {
            if (own != null && isOnItsWay()) {
                look();
            }
        } else if (front.isOver()) {
            endFront();
            look();
        } else if (!front.isOfThisProcess()) {
            // A seat of this process tells only the one that began to wait for it last. If all began again, one whose
            // node was deleted could be that one.
            arm(front);
        }
    }

    /** Nobody stands in front, which the seat knows without having been behind anybody. */
    void beFirst() {
        holds(false);
    }

    void end() {
        stop(State.OVER);
    }

    private void stop(State last) {
        state = last;
        ahead = 0;
        endFront();
    }

    @Override
    public void frontGone(FrontWatch watch) {
        front = null;
        if (watch.wasHead() && own != null) {
            askForOwn(own);
            holds(false);
        } else {
            look();
        }
    }

    @Override
    public @Nullable String path() {
        return own == null || state == State.OVER ? null : pathOf(own);
    }

    @Override
    public void inherits() {
        if (state == State.WAITING) {
            guard.run(() -> holds(false));
        }
    }

    @Override
    public void mayInherit() {
        if (state == State.WAITING) {
            endFront();
            guard.run(this::look);
        }
    }

    @Override
    public void isInDoubt() {
        if (state == State.WAITING) {
            mayInherit();
        } else {
            // it may have left by now: then the doubt is of whoever came after it
            host.queueInDoubt();
        }
    }

    @Override
    public void isMissing() {
        if (state != State.OVER) {
            host.vanished("its node was deleted");
        }
    }

    private boolean isOnItsWay() {
        return state == State.LOOKING || state == State.WAITING;
    }

    private void askForOwn(SeatName node) {
        tenure.sync(folder, (outcome, none) -> {});
        tenure.read(pathOf(node), guard.of((outcome, found) -> {
            if (outcome == Outcome.NO_NODE) {
                host.vanished("its node was deleted");
            }
        }));
    }

    @Override
    public void frontUnreadable(FrontWatch watch, Outcome why) {
        unreadable(why, watch.path());
    }

    private void listed(Outcome outcome, @Nullable List<String> children) {
        if (own == null || !isOnItsWay()) {
            return;
        }
        if (outcome == Outcome.OK && children != null) {
            place(Line.of(children), own);
        } else if (outcome == Outcome.NO_NODE) {
            host.vanished("its folder was deleted");
        } else if (outcome == Outcome.UNKNOWN) {
            look();
        } else if (outcome == Outcome.ACCESS_DENIED || outcome == Outcome.REFUSED) {
            unreadable(outcome, folder);
        }
    }

    private void unreadable(Outcome why, String path) {
        if (why == Outcome.ACCESS_DENIED) {
            host.refused(Reason.DENIED, "the access list of " + path + " forbids this client to read it");
        } else {
            host.refused(Reason.UNAVAILABLE, "ZooKeeper refused to read " + path);
        }
    }

    private void place(Line line, SeatName seat) {
        deleteSiblings(line, seat);
        Mismatch mismatch =
                Mismatch.of(line, seat.demand(), label.owner().instance()).orElse(null);
        int position = line.positionOf(seat);
        if (mismatch != null) {
            mismatch.explain(tenure, folder, guard, why -> host.refused(Reason.MISMATCH, why));
        } else if (position < 0) {
            host.vanished("its node was deleted");
        } else if (line.hasRivalOf(seat)) {
            host.refused(Reason.UNAVAILABLE, "two nodes in " + folder + " have the sequence " + seat.sequence());
        } else {
            line.blockerOf(seat).ifPresentOrElse(blocker -> waits(line, seat, blocker), () -> first(line, seat));
        }
    }

    private void deleteSiblings(Line line, SeatName seat) {
        for (SeatName sibling : line.ownedBy(seat.id())) {
            if (!sibling.equals(seat)) {
                Departure stray = new Departure(folder, seat.id(), tenure);
                stray.of(sibling);
                departures.begin(stray);
            }
        }
    }

    private void first(Line line, SeatName seat) {
        host.isFirst();
        holds(!line.isLast(seat));
    }

    private void holds(boolean awaited) {
        stop(State.HOLDING);
        host.holds(awaited);
    }

    private void waits(Line line, SeatName seat, SeatName blocker) {
        waitFor(frontFor(line, seat, blocker), line.positionOf(seat));
    }

    private void waitFor(Front next, int inFront) {
        state = State.WAITING;
        ahead = inFront;
        if (front == null || !front.path().equals(next.path())) {
            endFront();
            front = next;
            arm(next);
        }
        host.waits();
    }

    private Front frontFor(Line line, SeatName seat, SeatName blocker) {
        LockKind kind = seat.demand().kind();
        boolean ofOurs = blocker.demand().agreesWith(seat.demand());
        Seat ownSeat = kind == LockKind.EXCLUSIVE ? host.ownSeat(blocker) : null;
        if (ownSeat != null) {
            return new OwnFront(ownSeat, pathOf(blocker), this);
        }
        if (kind == LockKind.PERMITS && ofOurs && line.holds(blocker)) {
            return new FolderWatch(tenure, folder, guard.of(this::listed), this::somebodyCameOrLeft);
        }
        if (kind == LockKind.PERMITS && ofOurs) {
            return watchOf(blocker, Until.GONE_OR_WRITTEN);
        }
        if (kind == LockKind.EXCLUSIVE && line.holds(blocker)) {
            return watchOf(blocker, Until.HEAD_GONE);
        }
        return watchOf(blocker, Until.GONE);
    }

    private FrontWatch watchOf(SeatName blocker, Until until) {
        return new FrontWatch(this, tenure, pathOf(blocker), until, guard);
    }

    private void arm(Front watch) {
        watch.arm();
        if (watch.mayHaveMissedSomething()) {
            look();
        }
    }

    private void somebodyCameOrLeft() {
        if (front != null) {
            guard.run(front::arm);
        }
    }

    private void endFront() {
        if (front != null) {
            front.end();
            front = null;
        }
    }

    private String pathOf(SeatName seat) {
        return folder + "/" + seat.node();
    }
}
