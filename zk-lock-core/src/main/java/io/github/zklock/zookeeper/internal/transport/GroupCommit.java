package io.github.zklock.zookeeper.internal.transport;

import io.github.zklock.zookeeper.internal.queue.BasePath;
import io.github.zklock.zookeeper.internal.runtime.EngineLog;
import io.github.zklock.zookeeper.internal.transport.WireSession.Node;
import io.github.zklock.zookeeper.internal.transport.WireSession.Reply;
import io.github.zklock.zookeeper.internal.transport.WireSession.Transacted;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * The writes and listings of a session. Writes that would wait at the servers anyway are sent together. They form one
 * transaction, and the listings that were requested meanwhile form one request right behind it. If the {@link
 * CommitWindow} has room, a write is sent at once and alone, unless it is requested {@link #together} with others. Owned
 * by the loop.
 *
 * <p>A listing is executed behind the creates and deletes in its folder that were requested before it. Requests that are
 * sent on the session directly are sent before writes that wait here.
 */
public final class GroupCommit {

    /*
     * A transaction fails as a whole. Invariant: no outcome depends on the write of another request. Therefore, if a
     * transaction fails, its writes are sent again, each alone, and the listings behind them. If the outcome of a
     * transaction is unknown, it is unknown for each write.
     *
     * Seats that may share a transaction are created in the order of their requests, because they serve one turn each.
     * Therefore, while a transaction that creates such a seat may still fail because of another write in it, the creates
     * that follow in the same folder are held back.
     *
     * A fencing token contains the number of the transaction that created the seat. The servers report this number only
     * with the answer to a write of data. Therefore each transaction that creates seats writes the marker, an ephemeral
     * node of this session, which the first such transaction creates. Two seats of one lock share a transaction only if
     * each of them serves one turn. Then the place of a seat among them distinguishes its token from the others.
     *
     * A missing folder fails a transaction. Therefore, while a seat waits here, the existence of its folder is checked
     * unless it was seen recently; the transaction creates missing folders.
     *
     * An answer that is longer than the client accepts ends the connection. Therefore a folder with a long listing is
     * listed alone.
     */

    private static final Logger LOG = EngineLog.of(GroupCommit.class);

    private static final byte[] NOTHING = {};
    private static final int MOST_CHANGES = 128;
    private static final int MOST_BYTES = 64 * 1024;
    /**
     * The size of names from which a listing takes a notable part of an answer: a client accepts at least a megabyte.
     */
    private static final int LONG_LISTING_BYTES = 16 * 1024;

    private static final int MOST_LISTINGS = 32;
    private static final long FOLDER_LASTS_NANOS = 10_000_000_000L;
    private static final long LENGTH_LASTS_NANOS = 600_000_000_000L;
    /** The bytes of a change beside its path, its data and its access list. */
    private static final int OTHER_BYTES = 64;

    /** A request that is not sent yet. */
    private sealed interface Waiting {}

    private static final class PendingWrite implements Waiting {

        private final Change change;
        private final Reply<Node> reply;
        private final String parent;
        /** Whether this write, which waits, leaves as soon as the window has room. */
        private boolean urgent;

        PendingWrite(Change change, Reply<Node> reply) {
            this.change = change;
            this.reply = reply;
            this.parent = parentOf(change.path());
        }

        Change change() {
            return change;
        }

        Reply<Node> reply() {
            return reply;
        }

        int bytes() {
            return change.path().length() + OTHER_BYTES + dataOf(change).length;
        }

        /** Returns the folder whose listing this write changes; null if it changes none. */
        @Nullable String changedFolder() {
            return change instanceof Change.Write ? null : parent;
        }

        /** Returns whether this is not the create of a seat that was given up. */
        boolean isWanted() {
            return !(change instanceof Change.CreateSeat seat) || seat.wanted().getAsBoolean();
        }

        /** Returns the folder of the created seat; null if this write creates no seat. */
        @Nullable String folder() {
            return change instanceof Change.CreateSeat ? parent : null;
        }

        private static byte[] dataOf(Change change) {
            if (change instanceof Change.CreateSeat seat) {
                return seat.data();
            }
            return change instanceof Change.Write write ? write.data() : NOTHING;
        }
    }

    /** One listing of a folder, for one request or several. */
    private record PendingListing(String folder, List<Reply<List<String>>> replies) implements Waiting {

        void answered(Outcome outcome, @Nullable List<String> children) {
            replies.forEach(reply -> reply.answered(outcome, children));
        }
    }

    private final WireSession session;
    private final LongSupplier clock;
    private final CommitWindow window;
    private final FolderMemory folders = new FolderMemory(FOLDER_LASTS_NANOS);
    /** The folders with long listings. */
    private final FolderMemory longFolders = new FolderMemory(LENGTH_LASTS_NANOS);

    private final Deque<Waiting> waiting = new ArrayDeque<>();
    /** Whether writes are held back until {@link #together} has all of them. */
    private boolean gathering;

    /** The number of waiting writes that create or delete a node in each folder. */
    private final Map<String, Integer> waitingIn = new HashMap<>();

    /** The number of creates and deletes under way in each folder. */
    private final Map<String, Integer> underWayIn = new HashMap<>();
    /** The number of transactions of several writes under way that create a seat in each folder. */
    private final Map<String, Integer> seatBatchesIn = new HashMap<>();

    /**
     * The creates that have to be sent behind such transactions, by folder, and the listings behind these creates. They
     * were requested before the waiting ones of the same folder.
     */
    private final Map<String, Deque<Waiting>> heldBackIn = new LinkedHashMap<>();

    /** The creates of seats that were given up while they waited. */
    private final Deque<PendingWrite> unsent = new ArrayDeque<>(0);

    /** The number of waiting requests that leave as soon as the window has room. */
    private int urgent;

    /** The latest transaction of several writes under way that creates or deletes a node in a folder. */
    private final Map<String, Batch> batchesIn = new HashMap<>();

    private final Set<String> foldersToAskFor = new LinkedHashSet<>();
    private boolean asking;

    private final String marker;
    private boolean markerExpected;
    /** Whether the marker cannot be created: seats are created one by one. */
    private boolean withoutMarker;

    /**
     * @param basePath the folder of the marker
     * @param clock monotonic
     */
    public GroupCommit(WireSession session, String basePath, LongSupplier clock) {
        this(session, basePath, clock, new CommitWindow());
    }

    GroupCommit(WireSession session, String basePath, LongSupplier clock, CommitWindow window) {
        this.session = session;
        this.window = window;
        this.clock = clock;
        this.marker = BasePath.prefix(basePath) + "/_session-" + Long.toHexString(session.id());
    }

    /** Creates a sequential ephemeral node; the server appends ten digits to the path. */
    public void create(Change.CreateSeat seat, Reply<Node> reply) {
        write(new PendingWrite(seat, reply));
    }

    public void delete(Change.Delete deletion, Reply<Void> reply) {
        write(new PendingWrite(deletion, (outcome, node) -> reply.answered(outcome, null)));
    }

    /** Writes the data of a node. */
    public void write(String path, byte[] data, Reply<Void> reply) {
        write(new PendingWrite(new Change.Write(path, data), (outcome, node) -> reply.answered(outcome, null)));
    }

    /** Runs the action, and sends the writes that it requests in one transaction where possible. */
    public void together(Runnable asking) {
        gathering = true;
        try {
            asking.run();
        } finally {
            gathering = false;
            depart();
        }
    }

    /** Called at intervals, which bound the time for which a write waits for an answer. */
    public void tick() {
        if (!waiting.isEmpty()) {
            hurryFirst();
            depart();
        }
    }

    private void write(PendingWrite written) {
        boolean mayHaveToFollow = !seatBatchesIn.isEmpty() || !heldBackIn.isEmpty();
        if (waiting.isEmpty()
                && window.hasRoom()
                && !gathering
                && !waitsForOthers(written)
                && !(mayHaveToFollow && hasToFollow(written))) {
            sendAlone(written);
        } else {
            addWaiting(written);
            depart();
        }
    }

    private void addWaiting(Waiting request) {
        waiting.add(request);
        nowWaiting(request);
    }

    /** Corrects the counts for a request that waits now. */
    private void nowWaiting(Waiting request) {
        if (!(request instanceof PendingWrite written)) {
            urgent++;
            return;
        }
        written.urgent = !waitsForOthers(written);
        urgent += written.urgent ? 1 : 0;
        count(waitingIn, written.changedFolder(), 1);
        String folder = written.folder();
        if (folder != null && !folders.isKnown(folder, clock.getAsLong())) {
            foldersToAskFor.add(folder);
            askForFolders();
        }
    }

    /** Adds 1 or -1 to the count of a folder, which has no entry if the count is 0, and then is not counted down. */
    private static void count(Map<String, Integer> counts, @Nullable String folder, int by) {
        if (folder != null && (by > 0 || counts.containsKey(folder))) {
            counts.merge(folder, by, (count, more) -> count + more == 0 ? null : count + more);
        }
    }

    /** Lets the first waiting write leave as soon as the window has room. It has waited for an answer or a tick. */
    private void hurryFirst() {
        if (waiting.peek() instanceof PendingWrite first && !first.urgent) {
            first.urgent = true;
            urgent++;
        }
    }

    /** Returns whether this write creates a seat behind one whose transaction may fail because of other writes. */
    private boolean hasToFollow(PendingWrite written) {
        String folder = written.folder();
        return folder != null
                && mayShare(written)
                && (seatBatchesIn.containsKey(folder) || heldBackIn.containsKey(folder));
    }

    private static boolean mayShare(PendingWrite written) {
        return written.change() instanceof Change.CreateSeat seat && seat.mayShare();
    }

    private void holdBack(String folder, Waiting request) {
        heldBackIn.computeIfAbsent(folder, none -> new ArrayDeque<>()).add(request);
    }

    /**
     * Moves the requests that need not be held back any more to the front of the waiting ones, which were requested
     * later.
     */
    private void releaseHeldBackIn(String folder) {
        Deque<Waiting> held = heldBackIn.remove(folder);
        while (held != null && !held.isEmpty()) {
            Waiting last = held.removeLast();
            waiting.addFirst(last);
            nowWaiting(last);
        }
    }

    private boolean waitsForOthers(PendingWrite written) {
        return written.change().canWait() && underWayIn.containsKey(written.changedFolder());
    }

    /** Lists the names of a folder's children. */
    public void list(String folder, Reply<List<String>> reply) {
        Reply<List<String>> noting = (outcome, children) -> {
            if (children != null) {
                noteListing(folder, children);
            }
            reply.answered(outcome, children);
        };
        Batch ahead = batchesIn.get(folder);
        if (waitingIn.containsKey(folder)) {
            addWaiting(new PendingListing(folder, List.of(noting)));
            depart();
        } else if (heldBackIn.containsKey(folder)) {
            holdBack(folder, new PendingListing(folder, List.of(noting)));
        } else if (ahead != null) {
            ahead.listBehind(new PendingListing(folder, List.of(noting)));
        } else {
            session.list(folder, noting);
        }
    }

    private void noteListing(String folder, List<String> children) {
        int bytes = 0;
        for (String child : children) {
            bytes += child.length();
        }
        if (bytes > LONG_LISTING_BYTES) {
            longFolders.note(folder, true, clock.getAsLong());
        } else {
            longFolders.forget(folder);
        }
    }

    /**
     * Sends the requests that need not wait any longer. If the client rejects a request, only its sender receives the
     * failure.
     */
    private void depart() {
        if (session.currentId() != session.id()) {
            // requests that are sent now would be executed on another session (M33)
            dropWaiting();
        }
        while (!waiting.isEmpty() && !gathering) {
            Waiting next = waiting.peek();
            if (holdsBack(next)) {
                waiting.remove();
            } else if (next instanceof PendingListing listed) {
                waiting.remove();
                urgent--;
                sendListings(List.of(listed));
            } else if (window.hasRoom() && (urgent > 0 || !waitsForOthers((PendingWrite) next))) {
                new Batch().leave();
                answerUnsent();
            } else {
                return;
            }
        }
    }

    /** Answers the creates of seats that were given up before they were sent. */
    private void answerUnsent() {
        for (PendingWrite left = unsent.poll(); left != null; left = unsent.poll()) {
            left.reply().answered(Outcome.NOT_SENT, null);
        }
    }

    /** Holds a waiting request back if it has to follow a transaction under way. The caller removes it. */
    private boolean holdsBack(Waiting next) {
        if (next instanceof PendingWrite written && hasToFollow(written)) {
            holdBack(written.parent, written);
            waitingNoMore(written);
            return true;
        }
        if (next instanceof PendingListing listed && heldBackIn.containsKey(listed.folder())) {
            holdBack(listed.folder(), listed);
            urgent--;
            return true;
        }
        return false;
    }

    private void dropWaiting() {
        List<Waiting> dropped = new ArrayList<>(waiting);
        heldBackIn.values().forEach(dropped::addAll);
        heldBackIn.clear();
        waiting.clear();
        waitingIn.clear();
        urgent = 0;
        for (Waiting each : dropped) {
            if (each instanceof PendingWrite written) {
                written.reply().answered(Outcome.SESSION_ENDED, null);
            } else if (each instanceof PendingListing listed) {
                listed.answered(Outcome.SESSION_ENDED, null);
            }
        }
    }

    private static void send(Runnable send, Runnable failed) {
        try {
            send.run();
        } catch (RuntimeException error) {
            LOG.warn("A request to ZooKeeper could not be sent", error);
            failed.run();
        }
    }

    private void sendAlone(PendingWrite written) {
        long sentAt = clock.getAsLong();
        departed(written);
        window.departed();
        if (written.change() instanceof Change.CreateSeat seat) {
            seat.tellPlace(0);
        }
        boolean sent = false;
        try {
            session.change(written.change(), (outcome, node) -> {
                arrived(written);
                landed(sentAt, outcome);
                if (written.folder() != null) {
                    noteFolder(written.folder(), outcome);
                }
                if (outcome.isUnknown()) {
                    String folder = written.folder();
                    answeredInDoubt(List.of(written), folder == null ? Set.of() : Set.of(folder), outcome);
                } else {
                    depart();
                    written.reply().answered(outcome, node);
                }
            });
            sent = true;
        } finally {
            if (!sent) {
                arrived(written);
                window.landed();
            }
        }
    }

    /**
     * Passes on that it is not known whether these writes were executed. The waiting creates of seats in the same folders
     * are not sent: they would come before a create that has to be repeated.
     *
     * @param folders in which these writes create seats
     */
    private void answeredInDoubt(List<PendingWrite> writes, Set<String> folders, Outcome outcome) {
        List<PendingWrite> heldBack = takeWaitingSeatsIn(folders);
        writes.forEach(written -> written.reply().answered(outcome, null));
        heldBack.forEach(written -> written.reply().answered(Outcome.HELD_BACK, null));
        depart();
    }

    private List<PendingWrite> takeWaitingSeatsIn(Set<String> folders) {
        List<PendingWrite> taken = new ArrayList<>();
        folders.forEach(this::releaseHeldBackIn);
        waiting.removeIf(each -> {
            if (each instanceof PendingWrite written
                    && written.folder() != null
                    && folders.contains(written.folder())) {
                taken.add(written);
                waitingNoMore(written);
                return true;
            }
            return false;
        });
        return taken;
    }

    /** Corrects the counts for a write that does not wait any more. */
    private void waitingNoMore(PendingWrite written) {
        urgent -= written.urgent ? 1 : 0;
        count(waitingIn, written.changedFolder(), -1);
    }

    private void departed(PendingWrite written) {
        count(underWayIn, written.changedFolder(), 1);
    }

    private void arrived(PendingWrite written) {
        count(underWayIn, written.changedFolder(), -1);
    }

    private void landed(long sentAt, Outcome outcome) {
        if (outcome.isUnknown()) {
            window.landed();
        } else {
            long now = clock.getAsLong();
            window.landed(now - sentAt, now);
        }
    }

    private void noteFolder(String folder, Outcome outcome) {
        if (outcome == Outcome.OK) {
            folders.note(folder, true, clock.getAsLong());
        } else {
            folders.forget(folder);
        }
    }

    private void sendListings(List<PendingListing> listings) {
        for (PendingListing listed : listings) {
            send(() -> session.list(listed.folder(), listed::answered), () -> listed.answered(Outcome.NOT_SENT, null));
        }
    }

    private void askForFolders() {
        if (!asking && !foldersToAskFor.isEmpty()) {
            List<String> asked = List.copyOf(foldersToAskFor);
            foldersToAskFor.clear();
            asking = true;
            send(
                    () -> session.exist(asked, (outcome, exists) -> toldOfFolders(asked, outcome, exists)),
                    () -> asking = false);
        }
    }

    private void toldOfFolders(List<String> asked, Outcome outcome, @Nullable List<Boolean> exists) {
        asking = false;
        if (outcome == Outcome.OK && exists != null) {
            for (int i = 0; i < asked.size(); i++) {
                folders.note(asked.get(i), exists.get(i), clock.getAsLong());
            }
        }
        askForFolders();
    }

    /** The writes that share a transaction, and the listings behind it. */
    private final class Batch {

        private final List<PendingWrite> writes = new ArrayList<>();
        private final List<PendingListing> listings = new ArrayList<>();
        /** The number of seats that this transaction creates in each folder. */
        private final Map<String, Integer> seatsIn = new HashMap<>();
        /** Folders in which this transaction may create no other seat. */
        private final Set<String> unshared = new HashSet<>(0);

        private final Set<String> newFolders = new LinkedHashSet<>();
        private int bytes;
        private boolean failed;
        /** The place of the changes of the marker among all changes; -1 if there are none. */
        private int markerCreatedAt = -1;

        private int markerWrittenAt = -1;

        /** Takes the first waiting writes, and the listings among them, one for each folder. */
        Batch() {
            Map<String, List<Reply<List<String>>>> listed = new LinkedHashMap<>();
            takeWaiting(listed);
            listed.forEach((folder, replies) -> listings.add(new PendingListing(folder, replies)));
        }

        private void takeWaiting(Map<String, List<Reply<List<String>>>> listed) {
            while (!waiting.isEmpty()) {
                if (holdsBack(waiting.peek())) {
                    waiting.remove();
                    continue;
                }
                if (waiting.peek() instanceof PendingWrite written) {
                    int size = bytesOf(written);
                    if (!written.isWanted()) {
                        unsent.add(written);
                    } else if (!writes.isEmpty() && !takes(written, size)) {
                        hurryFirst();
                        return;
                    } else {
                        add(written, size);
                    }
                    waitingNoMore(written);
                } else if (waiting.peek() instanceof PendingListing listing) {
                    listed.computeIfAbsent(listing.folder(), folder -> new ArrayList<>(1))
                            .addAll(listing.replies());
                    urgent--;
                }
                waiting.remove();
            }
        }

        private boolean takes(PendingWrite written, int size) {
            String folder = written.folder();
            return writes.size() < MOST_CHANGES
                    && bytes + size <= MOST_BYTES
                    && (folder == null || takesSeatOf(folder, written))
                    && !startsWithLoneSeat();
        }

        private boolean takesSeatOf(String folder, PendingWrite written) {
            return !withoutMarker
                    && folders.isKnown(folder, clock.getAsLong())
                    && (!seatsIn.containsKey(folder) || (!unshared.contains(folder) && mayShare(written)));
        }

        /** Returns the bytes of the write, and of the folder that this transaction has to create for it. */
        private int bytesOf(PendingWrite written) {
            String folder = written.folder();
            if (folder == null) {
                return written.bytes();
            }
            boolean isNew = !newFolders.contains(folder) && folders.isMissing(folder, clock.getAsLong());
            return written.bytes()
                    + session.accessBytes(written.change().path())
                    + (isNew ? folder.length() + OTHER_BYTES + session.accessBytes(folder) : 0);
        }

        /** Returns whether the first write creates a seat that cannot share a transaction. */
        private boolean startsWithLoneSeat() {
            String first = writes.get(0).folder();
            return first != null && (withoutMarker || !folders.isKnown(first, clock.getAsLong()));
        }

        private void add(PendingWrite written, int size) {
            writes.add(written);
            bytes += size;
            String folder = written.folder();
            if (folder != null) {
                seatsIn.merge(folder, 1, Integer::sum);
                if (!mayShare(written)) {
                    unshared.add(folder);
                }
                if (folders.isMissing(folder, clock.getAsLong())) {
                    newFolders.add(folder);
                }
            }
        }

        void leave() {
            if (writes.isEmpty()) {
                sendListings(listings);
                return;
            }
            if (writes.size() == 1) {
                PendingWrite only = writes.get(0);
                send(() -> sendAlone(only), () -> only.reply().answered(Outcome.NOT_SENT, null));
                sendListings(listings);
                return;
            }
            long sentAt = clock.getAsLong();
            window.departed();
            boolean sent = false;
            try {
                writes.forEach(GroupCommit.this::departed);
                session.transact(changes(), (outcome, done) -> {
                    writes.forEach(GroupCommit.this::arrived);
                    writes.forEach(this::forgetBatch);
                    forgetSeats();
                    landed(sentAt, outcome);
                    answered(outcome, done);
                });
                sent = true;
            } catch (RuntimeException error) {
                LOG.debug("A transaction could not be sent; its changes are sent one by one", error);
            } finally {
                if (!sent) {
                    writes.forEach(GroupCommit.this::arrived);
                    window.landed();
                }
            }
            if (!sent) {
                if (markerCreatedAt >= 0) {
                    markerExpected = false;
                }
                leaveOneByOne();
            } else {
                writes.forEach(this::noteBatch);
                noteSeats();
                if (!listings.isEmpty()) {
                    list();
                }
            }
        }

        private void noteSeats() {
            seatsIn.keySet().forEach(folder -> count(seatBatchesIn, folder, 1));
        }

        private void forgetSeats() {
            for (String folder : seatsIn.keySet()) {
                count(seatBatchesIn, folder, -1);
                if (!seatBatchesIn.containsKey(folder)) {
                    releaseHeldBackIn(folder);
                }
            }
        }

        private void noteBatch(PendingWrite written) {
            String changed = written.changedFolder();
            if (changed != null) {
                batchesIn.put(changed, this);
            }
        }

        private void forgetBatch(PendingWrite written) {
            String changed = written.changedFolder();
            if (changed != null) {
                batchesIn.remove(changed, this);
            }
        }

        /**
         * Sends a listing that is valid if this transaction succeeds. If the transaction fails, the listing is sent
         * again behind the single writes.
         */
        void listBehind(PendingListing listed) {
            listings.add(listed);
            listAlone(listed);
        }

        private List<Change> changes() {
            List<Change> changes = new ArrayList<>();
            if (!seatsIn.isEmpty() && !markerExpected) {
                markerCreatedAt = 0;
                changes.add(new Change.CreateEphemeral(marker, NOTHING));
                markerExpected = true;
            }
            newFolders.forEach(folder -> changes.add(new Change.CreateFolder(folder)));
            Map<String, Integer> places = new HashMap<>();
            for (PendingWrite written : writes) {
                changes.add(written.change());
                if (written.change() instanceof Change.CreateSeat seat) {
                    seat.tellPlace(places.merge(written.folder(), 1, Integer::sum) - 1);
                }
            }
            if (!seatsIn.isEmpty()) {
                markerWrittenAt = changes.size();
                changes.add(new Change.Write(marker, NOTHING));
            }
            return changes;
        }

        private void answered(Outcome outcome, @Nullable Transacted done) {
            if (outcome == Outcome.OK && done != null) {
                depart();
                Iterator<Node> seats = done.seats().iterator();
                for (PendingWrite written : writes) {
                    if (written.folder() == null) {
                        written.reply().answered(outcome, null);
                    } else {
                        noteFolder(written.folder(), outcome);
                        written.reply().answered(outcome, seats.next());
                    }
                }
            } else if (outcome.isUnknown()) {
                answeredInDoubt(writes, seatsIn.keySet(), outcome);
            } else {
                failedAt(done == null ? -1 : done.failedAt(), outcome);
                hurryFirst();
                leaveOneByOne();
                depart();
            }
        }

        private void failedAt(int place, Outcome outcome) {
            boolean ofMarker = place >= 0 && (place == markerCreatedAt || place == markerWrittenAt);
            if (ofMarker && outcome == Outcome.ACCESS_DENIED) {
                withoutMarker = true;
                LOG.warn(
                        "Access to node {} is denied: seats are created one by one, which costs throughput; grant this client the"
                                + " right to create and write nodes there",
                        marker);
            }
            if (ofMarker ? outcome != Outcome.NODE_EXISTS : markerCreatedAt >= 0) {
                // the marker was not created, or another client has deleted it
                markerExpected = false;
            }
            seatsIn.keySet().forEach(folders::forget);
        }

        private void leaveOneByOne() {
            failed = true;
            for (PendingWrite written : writes) {
                send(() -> sendAlone(written), () -> written.reply().answered(Outcome.NOT_SENT, null));
            }
            sendListings(listings);
        }

        private void list() {
            long now = clock.getAsLong();
            List<PendingListing> alone = listings.stream()
                    .filter(listed -> longFolders.isKnown(listed.folder(), now))
                    .toList();
            alone.forEach(this::listAlone);
            List<PendingListing> others = new ArrayList<>(listings);
            others.removeAll(alone);
            for (int from = 0; from < others.size(); from += MOST_LISTINGS) {
                listTogether(others.subList(from, Math.min(others.size(), from + MOST_LISTINGS)));
            }
        }

        private void listAlone(PendingListing listed) {
            send(
                    () -> session.list(listed.folder(), (outcome, children) -> {
                        if (!failed) {
                            listed.answered(outcome, children);
                        }
                    }),
                    () -> {
                        listings.remove(listed);
                        listed.answered(Outcome.NOT_SENT, null);
                    });
        }

        private void listTogether(List<PendingListing> together) {
            List<String> paths = together.stream().map(PendingListing::folder).toList();
            try {
                session.listAll(paths, (outcome, found) -> {
                    if (failed) {
                        return;
                    }
                    for (int i = 0; i < together.size(); i++) {
                        PendingListing listed = together.get(i);
                        if (found == null) {
                            // until a listing of this folder alone has arrived
                            longFolders.note(paths.get(i), true, clock.getAsLong());
                            listed.answered(outcome, null);
                        } else {
                            listed.answered(found.get(i).outcome(), found.get(i).children());
                        }
                    }
                });
            } catch (RuntimeException error) {
                LOG.debug("Folders could not be listed together; they are listed one by one", error);
                together.forEach(this::listAlone);
            }
        }
    }

    /** Removes what this object created on the session for its own use: no further request follows. */
    public void leave() {
        if (markerExpected) {
            // the session continues if other code uses this client
            session.change(new Change.Delete(marker), (outcome, none) -> {});
        }
    }

    private static String parentOf(String path) {
        return path.substring(0, path.lastIndexOf('/'));
    }
}
