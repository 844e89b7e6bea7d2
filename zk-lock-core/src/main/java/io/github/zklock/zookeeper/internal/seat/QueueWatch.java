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
 * Keeps this process's view of one lock's queue on one session as current as the process needs it: by a listing, by watches of
 * the seats in front of the first one that waits here, or live, by a watch of the whole folder. Owned by the loop.
 */
public final class QueueWatch {

    /*
     * The view is what a listing has shown, and live it is what the events since then have made of it. ZooKeeper tells a session
     * of events and answers in the order of the transactions, so a listing contains all that earlier events have told
     * (CommitProcessor: no read is processed in parallel with a write).
     *
     * A view that lags is safe: it shows seats that have gone, and a lower number than those that it shows cannot appear, but by a
     * writer that becomes a reader, whose creation is told before its deletion.
     *
     * Seats of this process that were left are taken out of the view at once: for all other processes they stand there until they
     * are deleted, so that nobody else can hold what this process then grants.
     *
     * Live costs two events for each turn of any process. Watching the seats in front costs a listing for each seat of this one, and
     * of a semaphore as many watches as there are permits: any of those who hold may be the next to leave. A process with one seat in
     * a long queue must not be told of each turn in front of it.
     *
     * A watch may be lost, or events withheld, as an access list forbids this client to read a node. So the queue is listed again
     * each session timeout while somebody waits.
     */

    /** The queue of this process. */
    public interface Owner {

        /** The view has changed. */
        void viewChanged();

        /** The queue was listed: a seat whose create was sent before that listing is in the view, or gone. */
        void listed(int number);

        /** A seat was deleted, and its process may be this one. */
        void deleted(SeatName seat);

        /** Returns whether the seat belongs to this process. */
        boolean isOwn(SeatName seat);

        /** The servers refuse to show the queue. */
        void unreadable(Outcome why, String path);
    }

    private static final Logger LOG = EngineLog.of(QueueWatch.class);

    /** A process with fewer seats in the queue is not told of each turn. */
    private static final int FEWEST_SEATS_FOR_LIVE = 2;

    /** The cost of a listing and of a watch of the seat in front, without the listed names, in events of a live view. */
    private static final int LISTING_COST = 5;
    /** The number of listed names that cost as much as one event. */
    private static final int NAMES_PER_EVENT = 8;

    private static final int EVENTS_PER_SEAT = 2;
    /** So many events of nested folders may come for each event of this one, and so many besides. */
    private static final int STRANGE_EVENTS = 4;

    private static final int STRANGE_EVENTS_AT_FIRST = 64;

    private enum Tree {
        OFF,
        /** Asked for. */
        ARMED,
        /** Was listed behind that. */
        LIVE,
        /** Not to be had, or too dear. */
        REFUSED
    }

    private final Owner owner;
    private final PinnedSession session;
    private final Time time;
    private final String folder;
    private final QueueView view = new QueueView();
    /** The ids of seats that this process has left. */
    private final Set<String> leaving = new HashSet<>(1);

    private final Map<SeatName, Front> fronts = new HashMap<>(1);
    private final List<Question<List<String>>> listings = new ArrayList<>(1);
    private int lastListing;
    private int lastListed;
    private long listedAt;
    /** Whether the view was listed on the present connection. */
    private boolean recent;
    /** Whether, besides, nothing has happened since then that the view may not show. */
    private boolean current;
    /** Whether the view was listed just now. */
    private boolean certain;

    private @Nullable SeatName firstWaiting;
    private boolean arrivalsMatter;

    private Tree tree = Tree.OFF;
    private final TreeWatch treeWatch = this::happened;
    /** Whether the servers have set the watch on the present connection. */
    private boolean treeSet;

    private @Nullable Question<Void> treeQuestion;
    /** The listing behind the latest request to set it. */
    private int treeListing;

    /** Seats that came to the head without a listing or an event that shows their nodes. */
    private final Set<SeatName> unconfirmed = new LinkedHashSet<>(1);

    private boolean confirming;

    private boolean treeWanted;
    /** Whether a live view costs less than listings, as of the last tick. */
    private boolean treeIsCheaper;

    private int listedSinceTick;
    private long namesSinceTick;
    /** The sequence of the last seat in the view at the last tick. */
    private long lastSequence;
    /** Whether the tree was not wanted at any time since the last tick. */
    private boolean treeUnwanted;

    private long events;
    private long strangeEvents;
    private boolean ended;

    public QueueWatch(Owner owner, PinnedSession session, Time time, String folder) {
        this.owner = owner;
        this.session = session;
        this.time = time;
        this.folder = folder;
    }

    public boolean isOn(PinnedSession other) {
        return session == other;
    }

    public QueueView view() {
        return view;
    }

    /** Whether the view was listed on the present connection. */
    public boolean isRecent() {
        return recent;
    }

    /** Whether events keep the view current. */
    public boolean isLive() {
        return tree == Tree.LIVE && current;
    }

    /** Whether a watch of the folder cannot be had. */
    public boolean isWithoutArrivals() {
        return tree == Tree.REFUSED;
    }

    /** Whether the view tells where this seat stands. */
    public boolean places(SeatName seat) {
        return view.contains(seat) && (current || seat.demand().kind() == LockKind.EXCLUSIVE);
    }

    /**
     * Asks the servers whether the node of a seat exists that came to the head by this view, unless a listing or events have just
     * shown it. One such question is under way at a time: seats that come to the head meanwhile share the next one, unless they
     * have left by then.
     */
    public void confirm(SeatName seat) {
        if (!certain && !isLive()) {
            unconfirmed.add(seat);
            confirmNext();
        }
    }

    private void confirmNext() {
        unconfirmed.removeIf(seat -> !owner.isOwn(seat));
        if (confirming || unconfirmed.isEmpty()) {
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

    /** The number of the latest listing that was answered. */
    public int lastListed() {
        return lastListed;
    }

    /** The number of a listing that is sent now. A live view needs none. */
    public int look() {
        int number = ++lastListing;
        listings.add(session.<List<String>>ask(
                reply -> session.list(folder, reply), (outcome, children) -> listed(number, outcome, children)));
        listings.removeIf(Question::isOver);
        return number;
    }

    /** A seat of this process is about to be deleted. */
    public void leave(SeatName seat) {
        view.remove(seat);
        leaving.add(seat.id());
    }

    /** The node of a seat that was left is gone. */
    public void forget(String id) {
        leaving.remove(id);
    }

    /** A seat of this process bears another name from now on. */
    public void renamed(SeatName before, SeatName now) {
        view.add(now);
        view.remove(before);
    }

    /**
     * What is to be known from now on.
     *
     * @param first the first seat of this process that waits; null if none does
     * @param arrivals whether the owner needs to know of seats that come behind its own
     */
    public void follow(@Nullable SeatName first, boolean arrivals) {
        firstWaiting = first;
        arrivalsMatter = arrivals;
        treeWanted = arrivals || (first != null && treeIsCheaper);
        treeUnwanted &= !treeWanted;
        if (treeWanted && tree == Tree.OFF) {
            armTree();
        }
        watchFronts();
    }

    /** Some time has passed, at least an eighth of a session timeout. */
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

    /** The connection is lost: what happens is not seen. */
    public void connectionLost() {
        current = false;
        recent = false;
    }

    /** A connection is there again. */
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
        if (outcome == Outcome.OK && children != null) {
            compare(children);
            view.replace(children);
            leaving.forEach(id -> view.ownedBy(id).forEach(view::remove));
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
        certain = true;
        owner.listed(number);
        if (!ended) {
            owner.viewChanged();
        }
        certain = false;
    }

    /**
     * Chooses between a live view and listings by their cost. A live view costs two events for each seat that is created and deleted.
     * Without it, a seat that comes to the head costs a watch of the seat in front and a listing, unless the seat in front belongs to
     * this process.
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
            long names = (long) runs * view.size();
            treeIsCheaper = costOfListings(runs, names) > EVENTS_PER_SEAT * (long) view.size();
        } else {
            long last = view.isEmpty() ? lastSequence : view.last().sequence();
            treeIsCheaper = own >= FEWEST_SEATS_FOR_LIVE
                    && costOfListings(listedSinceTick, namesSinceTick) > EVENTS_PER_SEAT * (last - lastSequence);
            lastSequence = last;
        }
        listedSinceTick = 0;
        namesSinceTick = 0;
    }

    private static long costOfListings(long listings, long names) {
        return listings * LISTING_COST + names / NAMES_PER_EVENT;
    }

    private boolean isTreeSet() {
        return tree == Tree.ARMED || tree == Tree.LIVE;
    }

    /** A live view shows what a listing shows, or an event was lost. */
    private void compare(List<String> children) {
        if (!isLive()) {
            return;
        }
        // of seats that were left, more nodes than one may stand there
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
            tree = Tree.REFUSED;
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
                // it was answered first, and may have been sent first
                treeListing = look();
            }
        } else {
            LOG.debug("Folder {} cannot be watched as a whole ({})", folder, outcome);
            session.unwatchTree(folder, treeWatch);
            tree = Tree.REFUSED;
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
        if (ended || tree == Tree.OFF || tree == Tree.REFUSED) {
            return;
        }
        if (event == TreeEvent.MISSED) {
            // told before any answer of the next connection, unlike the end of the connection itself
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
            // before the listing behind the watch, the view may lack what came earlier
            if (tree == Tree.LIVE && !leaving.contains(seat.id())) {
                view.add(seat);
            }
        } else {
            if (tree != Tree.LIVE && seat.demand().kind() == LockKind.WRITE) {
                // it may have become a reader, whose node was told of before the view was live (M23)
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

    /** Of a nested folder. */
    private void strangeEvent() {
        strangeEvents++;
        if (strangeEvents > STRANGE_EVENTS_AT_FIRST + STRANGE_EVENTS * events) {
            endTree();
            tree = Tree.REFUSED;
            if (firstWaiting != null) {
                look();
            } else if (arrivalsMatter) {
                owner.viewChanged();
            }
        }
    }

    /** Without a live view, the seats in front of the first one are watched. */
    private void watchFronts() {
        SeatName first = firstWaiting;
        if (!current && first != null) {
            return;
        }
        boolean watched = tree == Tree.LIVE || tree == Tree.ARMED;
        List<SeatName> wanted = first == null || watched || !view.contains(first) ? List.of() : wantedFronts(first);
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

    /** Those in the way. If few more stand in front, all of these: then it needs no further listing. */
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
        // a writer may have become a reader, whose node has the same number (M23)
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

    /** Whether the watches will tell of each seat in front that leaves. */
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
