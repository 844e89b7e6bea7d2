package io.github.zklock.zookeeper.internal.seat;

import io.github.zklock.LockKind;
import io.github.zklock.zookeeper.internal.queue.QueueView;
import io.github.zklock.zookeeper.internal.queue.SeatName;
import io.github.zklock.zookeeper.internal.runtime.EngineLog;
import io.github.zklock.zookeeper.internal.runtime.Time;
import io.github.zklock.zookeeper.internal.session.PinnedSession;
import io.github.zklock.zookeeper.internal.transport.Outcome;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * This process's view of the queue of one lock on one session, as current as the process needs it. A listing of the
 * folder updates it, or watches of the seats in front of the first seat that waits here, or a watch of the whole
 * folder. The last way makes the view live. Owned by the loop.
 */
public final class QueueWatch {

    /*
     * The view is live while the folder is watched (FolderWatch): it then shows each seat of others as soon as this
     * process can know of it. Otherwise, watches of the seats in front (FrontWatches) and listings (Listings) do that
     * work, and the view may lag. If a view that may lag shows that a seat of this process has come to the head, the
     * node of the seat is confirmed (HeadCheck).
     *
     * The view is the result of a listing; a live view also contains the events since then. ZooKeeper sends events and
     * answers to a session in the order of the transactions, so a listing contains all changes of earlier events
     * (CommitProcessor: no read is processed in parallel with a write).
     *
     * Invariant: a view that lags errs to the safe side. It shows seats that are deleted already, and no seat can
     * appear with a lower number than the seats that it shows. The one exception is a writer that becomes a reader, and its
     * creation is reported before its deletion.
     *
     * Seats that this process has left are removed from the view at once. In the queue they block all other processes
     * until they are deleted, so no other process can hold what this process then grants.
     *
     * The folder is watched if the view has to show seats that arrive, or if a live view costs less than listings
     * (ViewCosts).
     *
     * A watch may be lost, or events may be withheld because an access list forbids this client to read a node.
     * Therefore the queue is listed again each session timeout while a request waits or arrivals matter, and a live view
     * is compared with the listing.
     */

    /** The queue of this process that uses the view. */
    public interface Owner {

        /** The view has changed. */
        void viewChanged();

        /** The queue was listed: a seat whose create was sent before that listing is in the view or deleted. */
        void listed(int number);

        /** A seat was created. It may belong to this process. */
        void appeared(SeatName seat);

        /** A seat was deleted. It may belong to this process. */
        void deleted(SeatName seat);

        /** Returns whether the seat belongs to this process. */
        boolean isOwn(SeatName seat);

        /** Returns whether a seat of this process has this id, whether its node is known or not. */
        boolean isOwn(String id);

        /** The servers do not permit this client to read the queue. */
        void unreadable(Outcome why, String path);
    }

    private static final Logger LOG = EngineLog.of(QueueWatch.class);

    /** How much the view shows. Each value includes those before it. */
    private enum Freshness {
        STALE,
        /** It was listed on the present connection. */
        RECENT,
        /** Nothing has happened since then that it may not show. */
        CURRENT,
        /** It was listed at this moment. */
        CERTAIN
    }

    private final Owner owner;
    private final PinnedSession session;
    private final Time time;
    private final String folder;
    private final QueueView view;
    /** The ids of seats that this process has left. */
    private final Set<String> leaving = new HashSet<>(1);

    private final Listings listings;
    private final FolderWatch folderWatch;
    private final FrontWatches fronts;
    private final HeadCheck headCheck;

    private Freshness freshness = Freshness.STALE;
    private long listedAt;
    private @Nullable SeatName firstWaiting;
    private boolean arrivalsMatter;
    /** Whether a live view costs less than listings, as of the last tick. */
    private boolean liveIsCheaper;

    private boolean ended;

    public QueueWatch(Owner owner, PinnedSession session, Time time, String folder) {
        this.owner = owner;
        this.session = session;
        this.time = time;
        this.folder = folder;
        this.view = new QueueView(seat -> owner.isOwn(seat.id()));
        this.listings = new Listings(session, folder, this::listed);
        this.folderWatch = new FolderWatch(new FolderEvents(), session, folder, listings);
        this.fronts = new FrontWatches(owner, this::frontGone, session, folder, view);
        this.headCheck = new HeadCheck(owner, session, folder);
    }

    public boolean isOn(PinnedSession other) {
        return session == other;
    }

    public QueueView view() {
        return view;
    }

    /** Returns whether the view was listed on the present connection. */
    public boolean isRecent() {
        return freshness != Freshness.STALE;
    }

    /** Returns whether events keep the view current. */
    public boolean isLive() {
        return folderWatch.isLive() && isCurrent();
    }

    /** Returns whether a watch of the folder is not available. */
    public boolean isWithoutArrivals() {
        return folderWatch.isUnusable();
    }

    private boolean isCurrent() {
        return freshness == Freshness.CURRENT || freshness == Freshness.CERTAIN;
    }

    /** Records that something has happened that the view may not show. */
    private void lag() {
        if (isCurrent()) {
            freshness = Freshness.RECENT;
        }
    }

    /** Returns whether the view shows the place of this seat. */
    public boolean places(SeatName seat) {
        return view.contains(seat) && (isCurrent() || seat.demand().kind() == LockKind.EXCLUSIVE);
    }

    /**
     * Queries whether the node of a seat exists that came to the head by this view, unless a listing or events have
     * just shown it. The grant does not wait for the answer: a view that lags shows too many seats in front, not too few.
     * If the node is missing, the owner is notified, and what was granted is lost.
     */
    public void confirm(SeatName seat) {
        if (freshness != Freshness.CERTAIN && !isLive()) {
            headCheck.confirm(seat);
        }
    }

    /** Returns the number of the latest listing that was answered. */
    public int lastListed() {
        return listings.answered();
    }

    /** Returns whether a listing is not answered yet. */
    public boolean isBeingListed() {
        return listings.isAnyUnderWay();
    }

    /** Lists the folder. Returns the number of this listing. A live view shows the same without it. */
    public int look() {
        return listings.request();
    }

    /** Removes a seat of this process that is about to be deleted. */
    public void leave(SeatName seat) {
        view.remove(seat);
        leaving.add(seat.id());
    }

    /** Records that the node of a seat that was left is deleted. */
    public void forget(String id) {
        leaving.remove(id);
    }

    /** Records the new name of a seat of this process. */
    public void renamed(SeatName before, SeatName now) {
        view.add(now);
        view.remove(before);
    }

    /**
     * Sets what the view must show from now on.
     *
     * @param first the first seat of this process that waits; null if no seat waits
     * @param arrivals whether the owner needs to detect seats that arrive behind its own
     */
    public void follow(@Nullable SeatName first, boolean arrivals) {
        firstWaiting = first;
        arrivalsMatter = arrivals;
        folderWatch.need(arrivals || (first != null && liveIsCheaper));
        watchFronts();
    }

    /** Called at intervals of at least an eighth of a session timeout. */
    public void tick() {
        liveIsCheaper = ViewCosts.isLiveCheaper(view, owner::isOwn);
        folderWatch.tick();
        watchFronts();
        if ((firstWaiting != null || arrivalsMatter) && time.nanoTime() - listedAt >= session.timeoutNanos()) {
            look();
        }
    }

    /** Records that the connection is lost: changes are not seen any more. */
    public void connectionLost() {
        freshness = Freshness.STALE;
    }

    /** Sets the watches again, on a new connection. */
    public void connectionRestored() {
        if (folderWatch.isOn()) {
            // the client may have forgotten these watches; if some are still needed, they are set when the view is
            // current
            fronts.end();
            folderWatch.arm();
        } else if (firstWaiting != null) {
            fronts.armAgain();
            look();
        } else {
            fronts.end();
        }
    }

    public void end() {
        ended = true;
        folderWatch.end();
        fronts.end();
        headCheck.end();
        listings.end();
    }

    private void listed(int number, Outcome outcome, @Nullable List<String> children) {
        if (outcome == Outcome.OK && children != null) {
            compare(children);
            view.replace(children, leaving);
        } else if (outcome == Outcome.NO_NODE) {
            view.replace(List.of());
        } else {
            owner.unreadable(outcome, folder);
            return;
        }
        listedAt = time.nanoTime();
        folderWatch.listed(number);
        freshness = Freshness.CERTAIN;
        owner.listed(number);
        if (!ended) {
            owner.viewChanged();
        }
        if (freshness == Freshness.CERTAIN) {
            freshness = Freshness.CURRENT;
        }
    }

    /** Compares a live view with a listing. If they differ, an event was lost. */
    private void compare(List<String> children) {
        if (!isLive()) {
            return;
        }
        // a seat that was left may have several nodes there
        QueueView listed = QueueView.of(children).without(leaving);
        QueueView shown = view.without(leaving);
        if (!listed.withoutSiblingsOf(shown).seats().equals(shown.seats())) {
            LOG.error(
                    "The live view of queue {} shows {} seats and the queue has {}: a watch or an event was lost. The view is"
                            + " replaced. If an access list forbids this client to read the nodes of other clients there, grant it"
                            + " that right; otherwise this is a bug of zk-lock or of the servers",
                    folder,
                    view.size(),
                    listed.size());
            folderWatch.giveUp();
        }
    }

    /** Watches the seats in front of the first one, unless the view is live. */
    private void watchFronts() {
        SeatName first = firstWaiting;
        if (first == null || isCurrent()) {
            fronts.watchBefore(folderWatch.isOn() ? null : first);
        }
    }

    private void frontGone(SeatName gone) {
        SeatName first = firstWaiting;
        // the write seat may have become a read seat, whose node has the same number (M23)
        if (gone.demand().kind() != LockKind.WRITE) {
            view.remove(gone);
            if (first != null && (view.holds(first) || fronts.reportAllBefore(first))) {
                owner.viewChanged();
                return;
            }
        }
        lag();
        look();
    }

    /** The effects of the events of the folder. */
    final class FolderEvents {

        /** A seat was created, and the view was listed after the watch had been set. */
        void created(SeatName seat) {
            if (!leaving.contains(seat.id())) {
                view.add(seat);
                owner.appeared(seat);
            }
            changedIfLive();
        }

        void deleted(SeatName seat) {
            if (!folderWatch.isLive() && seat.demand().kind() == LockKind.WRITE) {
                // the seat may have become a read seat, whose creation was reported before the view was live (M23)
                lag();
            } else {
                view.remove(seat);
            }
            owner.deleted(seat);
            changedIfLive();
        }

        private void changedIfLive() {
            if (isLive()) {
                owner.viewChanged();
            }
        }

        /**
         * Events may have been missed: the connection was lost, or other code on the client has removed the watch. After a
         * lost connection, this is reported before any answer on the next one, unlike the notification of the loss.
         */
        void missed() {
            connectionLost();
        }

        /** The servers rejected the watch. */
        void refused() {
            if (isCurrent()) {
                owner.viewChanged();
            } else {
                look();
            }
        }

        /** There were too many events of nodes that are no seats. */
        void flooded() {
            if (firstWaiting != null) {
                look();
            } else if (arrivalsMatter) {
                owner.viewChanged();
            }
        }
    }
}
