package io.github.zklock.zookeeper.internal.seat;

import io.github.zklock.LockKind;
import io.github.zklock.zookeeper.internal.queue.QueueView;
import io.github.zklock.zookeeper.internal.queue.SeatName;
import io.github.zklock.zookeeper.internal.runtime.EngineLog;
import io.github.zklock.zookeeper.internal.runtime.Time;
import io.github.zklock.zookeeper.internal.session.PinnedSession;
import io.github.zklock.zookeeper.internal.session.Question;
import io.github.zklock.zookeeper.internal.transport.Outcome;
import io.github.zklock.zookeeper.internal.transport.WireSession.Event;
import io.github.zklock.zookeeper.internal.transport.WireSession.Node;
import io.github.zklock.zookeeper.internal.transport.WireSession.TreeEvent;
import io.github.zklock.zookeeper.internal.transport.WireSession.TreeWatch;
import io.github.zklock.zookeeper.internal.transport.WireSession.Watch;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
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
     * What is known of the view:
     *
     *   recent   it was listed on the present connection
     *   current  and since then nothing has happened that it may not show
     *   live     and events keep it so: it shows each seat of others as soon as this process can know of it
     *   certain  it was listed at this moment
     *
     * The watch of the folder:
     *
     *   OFF   -> ARMED     the view has to show arrivals, or listings would cost more
     *   ARMED -> LIVE      the watch is set, and a listing was answered that was sent after that
     *   LIVE  -> ARMED     the connection was lost: the watch is set again on the next one
     *   ARMED | LIVE -> OFF      not needed between two ticks
     *   ARMED | LIVE -> UNUSABLE  not available, too many events of nested folders, or an event was lost; for good
     *
     * In every other state than ARMED and LIVE, watches of the seats in front (fronts) and listings do its work.
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
     * A live view costs two events for each turn of any process. Watches of the seats in front cost a listing for each
     * seat of this process, and for a semaphore as many watches as there are permits, because any holder may be the
     * next to leave. A process with one seat in a long queue must not receive an event for each turn in front of it.
     *
     * A watch may be lost, or events may be withheld because an access list forbids this client to read a node.
     * Therefore the queue is listed again each session timeout while a request waits.
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

    /** The number of seats below which a process does not receive an event for each turn. */
    private static final int FEWEST_SEATS_FOR_LIVE = 2;

    /** The number of listings under way from which on further ones are shared by all that need one. */
    private static final int MOST_LISTINGS = 4;

    /** The cost of a listing and of a watch of the seat in front, without the listed names, in events of a live view. */
    private static final int LISTING_COST = 5;
    /** The number of listed names that cost as much as one event. */
    private static final int NAMES_PER_EVENT = 8;

    /** The cost of listings since the last tick from which on the ways are compared before the next tick. */
    private static final int MUCH = 512;

    private static final int EVENTS_PER_SEAT = 2;
    /**
     * The number of events of nested folders that are tolerated for each event of this folder. {@link
     * #STRANGE_EVENTS_AT_FIRST} more are tolerated.
     */
    private static final int STRANGE_EVENTS = 4;

    private static final int STRANGE_EVENTS_AT_FIRST = 64;

    private enum Tree {
        OFF,
        /** The watch was requested. */
        ARMED,
        /** The folder was listed after the watch was set. */
        LIVE,
        /** The watch is not available or too expensive. */
        UNUSABLE
    }

    private final Owner owner;
    private final PinnedSession session;
    private final Time time;
    private final String folder;
    private final QueueView view;
    /** The ids of seats that this process has left. */
    private final Set<String> leaving = new HashSet<>(1);

    private final Map<SeatName, Front> fronts = new HashMap<>(1);
    private final List<Question<List<String>>> listings = new ArrayList<>(1);
    /** The number of the latest listing that was requested. */
    private int lastListing;
    /** Whether that listing is sent only when one of those under way is answered. */
    private boolean lastIsDue;

    private int lastListed;
    private long listedAt;
    /** Whether the view was listed on the present connection. */
    private boolean recent;
    /** Whether, in addition, nothing has happened since the listing that the view may not show. */
    private boolean current;
    /** Whether the listing was answered at this moment. */
    private boolean certain;

    private @Nullable SeatName firstWaiting;
    private boolean arrivalsMatter;
    private boolean newSeatsAreListed;

    private Tree tree = Tree.OFF;
    private final TreeWatch treeWatch = this::happened;
    /** Whether the servers have set the watch on the present connection. */
    private boolean treeSet;

    private @Nullable Question<Void> treeQuestion;
    /** The listing that followed the latest request to set the watch. */
    private int treeListing;

    /** Seats that came to the head although no listing or event has shown their nodes. */
    private final Set<SeatName> unconfirmed = new LinkedHashSet<>(1);

    private boolean confirming;

    private boolean treeWanted;
    /** Whether a live view costs less than listings, as of the last tick. */
    private boolean treeIsCheaper;

    private int listedSinceTick;
    private long namesSinceTick;
    /** The number of own seats since the last tick whose places a listing would have shown without the live view. */
    private int placedSinceTick;
    /** The sequence of the last seat in the view at the last tick. */
    private long lastSequence;
    /** Whether the watch of the folder was not needed at any time since the last tick. */
    private boolean treeUnwanted;

    private long events;
    private long strangeEvents;
    private boolean ended;

    public QueueWatch(Owner owner, PinnedSession session, Time time, String folder) {
        this.owner = owner;
        this.session = session;
        this.time = time;
        this.folder = folder;
        this.view = new QueueView(seat -> owner.isOwn(seat.id()));
    }

    public boolean isOn(PinnedSession other) {
        return session == other;
    }

    public QueueView view() {
        return view;
    }

    /** Returns whether the view was listed on the present connection. */
    public boolean isRecent() {
        return recent;
    }

    /** Returns whether events keep the view current. */
    public boolean isLive() {
        return tree == Tree.LIVE && current;
    }

    /** Returns whether a watch of the folder is not available. */
    public boolean isWithoutArrivals() {
        return tree == Tree.UNUSABLE;
    }

    /** Returns whether the view shows the place of this seat. */
    public boolean places(SeatName seat) {
        return view.contains(seat) && (current || seat.demand().kind() == LockKind.EXCLUSIVE);
    }

    /**
     * Queries whether the node of a seat exists that came to the head by this view, unless a listing or events have
     * just shown it. The grant does not wait for the answer: a view that lags shows too many seats in front, not too few.
     * If the node is missing, the owner is notified, and what was granted is lost. One such query is under way at a time.
     * Seats that come to the head meanwhile share the next query, unless they have left by then.
     */
    public void confirm(SeatName seat) {
        if (!certain && !isLive()) {
            unconfirmed.add(seat);
            confirmNext();
        }
    }

    private void confirmNext() {
        if (confirming) {
            return;
        }
        unconfirmed.removeIf(seat -> !owner.isOwn(seat));
        if (unconfirmed.isEmpty()) {
            return;
        }
        List<SeatName> asked = List.copyOf(unconfirmed);
        unconfirmed.clear();
        confirming = true;
        session.sync(folder, (outcome, none) -> {});
        if (asked.size() == 1) {
            session.read(
                    pathOf(asked.get(0)), (outcome, node) -> confirmed(asked, List.of(outcome != Outcome.NO_NODE)));
        } else {
            session.exist(
                    asked.stream().map(this::pathOf).toList(),
                    (outcome, exists) -> confirmed(asked, exists == null ? List.of() : exists));
        }
    }

    /** @param exist the answers; empty if there is no answer */
    private void confirmed(List<SeatName> asked, List<Boolean> exist) {
        confirming = false;
        if (!ended) {
            for (int i = 0; i < exist.size(); i++) {
                if (!exist.get(i)) {
                    owner.deleted(asked.get(i));
                }
            }
            confirmNext();
        }
    }

    private String pathOf(SeatName seat) {
        return folder + "/" + seat.node();
    }

    /** Returns the number of the latest listing that was answered. */
    public int lastListed() {
        return lastListed;
    }

    /** Returns whether a listing is not answered yet. */
    public boolean isBeingListed() {
        return lastListing > lastListed;
    }

    /**
     * Lists the folder. Returns the number of this listing. A live view needs no listing. If several are under way, the
     * next one is sent when one of them is answered, and serves all requests until then.
     */
    public int look() {
        if (!lastIsDue) {
            lastListing++;
            listings.removeIf(Question::isOver);
            lastIsDue = true;
            if (listings.size() < MOST_LISTINGS) {
                list();
            }
        }
        return lastListing;
    }

    private void list() {
        int number = lastListing;
        lastIsDue = false;
        listings.add(session.<List<String>>ask(
                reply -> session.list(folder, reply), (outcome, children) -> listed(number, outcome, children)));
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
     * @param several whether the process has several seats, and a further one would be listed
     */
    public void follow(@Nullable SeatName first, boolean arrivals, boolean several) {
        firstWaiting = first;
        arrivalsMatter = arrivals;
        newSeatsAreListed = several;
        treeWanted = arrivals || ((first != null || several) && treeIsCheaper);
        treeUnwanted &= !treeWanted;
        if (treeWanted && tree == Tree.OFF) {
            armTree();
        }
        watchFronts();
    }

    /** Called at intervals of at least an eighth of a session timeout. */
    public void tick() {
        compareCosts();
        if (treeUnwanted && !treeWanted) {
            endTree();
            watchFronts();
        }
        treeUnwanted = !treeWanted;
        if ((firstWaiting != null || arrivalsMatter) && time.nanoTime() - listedAt >= session.timeoutNanos()) {
            look();
        }
    }

    /** Records that the connection is lost: changes are not seen any more. */
    public void connectionLost() {
        current = false;
        recent = false;
    }

    /** Sets the watches again, on a new connection. */
    public void connectionRestored() {
        if (isTreeSet()) {
            armTree();
        } else if (firstWaiting != null) {
            fronts.values().forEach(Front::arm);
            look();
        } else {
            List.copyOf(fronts.keySet()).forEach(this::endFront);
        }
    }

    public void end() {
        ended = true;
        endTree();
        List.copyOf(fronts.keySet()).forEach(this::endFront);
        listings.forEach(Question::drop);
    }

    private void listed(int number, Outcome outcome, @Nullable List<String> children) {
        if (lastIsDue && !ended) {
            list();
        }
        if (outcome == Outcome.OK && children != null) {
            compare(children);
            view.replace(children, leaving);
        } else if (outcome == Outcome.NO_NODE) {
            view.replace(List.of());
        } else {
            lastListed = Math.max(lastListed, number);
            owner.unreadable(outcome, folder);
            return;
        }
        current = true;
        recent = true;
        lastListed = Math.max(lastListed, number);
        listedAt = time.nanoTime();
        if (tree == Tree.ARMED && treeSet && number >= treeListing) {
            tree = Tree.LIVE;
        }
        listedSinceTick++;
        namesSinceTick += view.size();
        if (newSeatsAreListed && costOfListings(listedSinceTick, namesSinceTick) > MUCH + costOfLiveView()) {
            treeIsCheaper = true;
        }
        certain = true;
        owner.listed(number);
        if (!ended) {
            owner.viewChanged();
        }
        certain = false;
    }

    /**
     * Chooses between a live view and listings by their cost. A live view costs two events for each seat that is
     * created and deleted. Without it, a seat that comes to the head costs a watch of the seat in front and a listing,
     * unless the seat in front belongs to this process.
     */
    private void compareCosts() {
        int own = 0;
        int runs = 0;
        boolean inRun = false;
        for (SeatName seat : view.seats()) {
            boolean isOwn = owner.isOwn(seat);
            own += isOwn ? 1 : 0;
            runs += isOwn && !inRun ? 1 : 0;
            inRun = isOwn;
        }
        if (isTreeSet()) {
            long listings = (long) runs + placedSinceTick;
            treeIsCheaper = costOfListings(listings, listings * view.size()) > EVENTS_PER_SEAT * (long) view.size();
        } else {
            treeIsCheaper =
                    own >= FEWEST_SEATS_FOR_LIVE && costOfListings(listedSinceTick, namesSinceTick) > costOfLiveView();
        }
        lastSequence = lastSequence();
        listedSinceTick = 0;
        namesSinceTick = 0;
        placedSinceTick = 0;
    }

    /** Returns what a live view would have cost since the last tick. */
    private long costOfLiveView() {
        return EVENTS_PER_SEAT * (lastSequence() - lastSequence);
    }

    private long lastSequence() {
        return view.isEmpty() ? lastSequence : view.last().sequence();
    }

    private static long costOfListings(long listings, long names) {
        return listings * LISTING_COST + names / NAMES_PER_EVENT;
    }

    private boolean isTreeSet() {
        return tree == Tree.ARMED || tree == Tree.LIVE;
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
            endTree();
            tree = Tree.UNUSABLE;
        }
    }

    private void armTree() {
        tree = Tree.ARMED;
        treeSet = false;
        dropTreeQuestion();
        treeQuestion = session.<Void>ask(
                reply -> session.watchTree(folder, treeWatch, reply), (outcome, none) -> armed(outcome));
        treeListing = look();
    }

    private void dropTreeQuestion() {
        if (treeQuestion != null) {
            treeQuestion.drop();
        }
    }

    private void armed(Outcome outcome) {
        if (ended || tree != Tree.ARMED) {
            return;
        }
        if (outcome == Outcome.OK) {
            treeSet = true;
            if (lastListed >= treeListing) {
                // the listing was answered before the watch was set, and may have been sent before
                treeListing = look();
            }
        } else {
            LOG.debug("Folder {} cannot be watched as a whole ({})", folder, outcome);
            session.unwatchTree(folder, treeWatch);
            tree = Tree.UNUSABLE;
            if (current) {
                owner.viewChanged();
            } else {
                look();
            }
        }
    }

    private void endTree() {
        if (isTreeSet()) {
            dropTreeQuestion();
            session.unwatchTree(folder, treeWatch);
            tree = Tree.OFF;
        }
    }

    private void happened(TreeEvent event, String path) {
        if (ended || tree == Tree.OFF || tree == Tree.UNUSABLE) {
            return;
        }
        if (event == TreeEvent.MISSED) {
            // this event arrives before any answer on the next connection, unlike the notification that the connection
            // is lost
            connectionLost();
            armTree();
            return;
        }
        if (path.equals(folder)) {
            if (event == TreeEvent.DELETED) {
                look();
            }
            return;
        }
        SeatName seat = path.lastIndexOf('/') == folder.length()
                ? SeatName.parse(path.substring(folder.length() + 1)).orElse(null)
                : null;
        if (seat == null) {
            strangeEvent();
            return;
        }
        events++;
        if (event == TreeEvent.CREATED) {
            // before the listing that follows the watch, the view may lack earlier seats
            if (tree == Tree.LIVE && !leaving.contains(seat.id())) {
                view.add(seat);
                placedSinceTick += seat.demand().kind() != LockKind.EXCLUSIVE && owner.isOwn(seat.id()) ? 1 : 0;
                owner.appeared(seat);
            }
        } else {
            if (tree != Tree.LIVE && seat.demand().kind() == LockKind.WRITE) {
                // the seat may have become a read seat, whose creation was reported before the view was live (M23)
                current = false;
            } else {
                view.remove(seat);
            }
            owner.deleted(seat);
        }
        if (!ended && isLive()) {
            owner.viewChanged();
        }
    }

    /** Counts an event of a nested folder. If there are too many of them, ends the watch of the folder. */
    private void strangeEvent() {
        strangeEvents++;
        if (strangeEvents > STRANGE_EVENTS_AT_FIRST + STRANGE_EVENTS * events) {
            endTree();
            tree = Tree.UNUSABLE;
            if (firstWaiting != null) {
                look();
            } else if (arrivalsMatter) {
                owner.viewChanged();
            }
        }
    }

    /** Watches the seats in front of the first one, unless the view is live. */
    private void watchFronts() {
        SeatName first = firstWaiting;
        if (!current && first != null) {
            return;
        }
        boolean watched = tree == Tree.LIVE || tree == Tree.ARMED;
        if (fronts.isEmpty() && (first == null || watched)) {
            return;
        }
        Set<SeatName> wanted =
                first == null || watched || !view.contains(first) ? Set.of() : new LinkedHashSet<>(wantedFronts(first));
        for (SeatName before : List.copyOf(fronts.keySet())) {
            if (!wanted.contains(before)) {
                endFront(before);
            }
        }
        for (SeatName front : wanted) {
            // no watch is needed for a seat of this process
            if (!fronts.containsKey(front) && !owner.isOwn(front)) {
                Front watch = new Front(front);
                fronts.put(front, watch);
                watch.arm();
            }
        }
    }

    /**
     * Returns the seats to watch: the seats that block this one. If few more are in front, returns all of these, so that no
     * further listing is needed.
     */
    private List<SeatName> wantedFronts(SeatName first) {
        List<SeatName> inTheWay = view.inTheWayOf(first);
        return inTheWay.size() > 1 && view.ahead(first) <= 2 * inTheWay.size() ? view.inFrontOf(first) : inTheWay;
    }

    private void endFront(SeatName seat) {
        Front front = fronts.remove(seat);
        if (front != null) {
            front.end();
        }
    }

    private void frontGone(SeatName gone) {
        endFront(gone);
        SeatName first = firstWaiting;
        // the write seat may have become a read seat, whose node has the same number (M23)
        if (gone.demand().kind() != LockKind.WRITE) {
            view.remove(gone);
            if (first != null && (view.holds(first) || areAllWatched(first))) {
                owner.viewChanged();
                return;
            }
        }
        current = false;
        look();
    }

    /** Returns whether the watches report the deletion of each seat in front. */
    private boolean areAllWatched(SeatName first) {
        for (SeatName seat : view.inFrontOf(first)) {
            if (!fronts.containsKey(seat) && !owner.isOwn(seat)) {
                return false;
            }
        }
        return true;
    }

    /** The watch of one seat in front of the first one that waits here. */
    private final class Front implements Watch {

        private final SeatName seat;
        private final String path;
        private boolean over;
        private @Nullable Question<Node> question;

        Front(SeatName seat) {
            this.seat = seat;
            this.path = pathOf(seat);
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
                frontGone(seat);
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
                frontGone(seat);
            } else {
                arm();
            }
        }
    }
}
