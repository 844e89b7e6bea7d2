package io.github.zklock.zookeeper.internal.engine;

import static io.github.zklock.zookeeper.internal.engine.SimPlant.exclusive;
import static io.github.zklock.zookeeper.internal.engine.SimPlant.readWrite;
import static io.github.zklock.zookeeper.internal.engine.SimPlant.semaphore;

import io.github.zklock.zookeeper.internal.engine.Plant.Edit;
import java.util.List;
import java.util.stream.Stream;

/**
 * The bugs that the simulation must find. Each has the seed of a schedule that shows it. If an engine or a schedule has
 * changed so that this seed shows the bug no longer, a search finds another one: see {@link SimPlantRunner}.
 */
final class SimPlants {

    private static final Edit FORGOTTEN_AFTER_SESSION = Edit.delete("Seat.sessionEnded", "deletions.begin(deletion);");

    /** Hides that a listing was sent too early, because the listing is sent again. */
    private static final Edit PLACED_BY_ANY_LISTING =
            new Edit("LocalQueue.awaitsListing", "used.listing() > watch().lastListed()", "used.listing() > 0");

    private static final Edit NO_SYNC_BEFORE_SEARCH =
            new Edit("PinnedSession.search", "listCommitted(folder", "list(folder");

    /** Deletes in time what some bugs leave behind: it is the second line of defence. */
    private static final Edit NO_SWEEP =
            Edit.delete("Engine.tick", "Isolated.run(() -> keeper.connected().ifPresent(orphans::tick));");

    private static final List<SimPlant> OF_SEATS = List.of(
            // fresh ids and pursued deletions hide it, so they go as well
            exclusive(
                            9,
                            "no owner check",
                            Edit.delete("Seat.identify", "&& node.owner() == session.sessionId()"),
                            FORGOTTEN_AFTER_SESSION,
                            new Edit(
                                    "Engine.newSeat",
                                    "ids.next()",
                                    "idsOfFolders.computeIfAbsent(folder, absent -> ids.next())"),
                            new Edit(
                                    "Engine.closed",
                                    "private boolean closed;",
                                    "private boolean closed; private final Map<String, java.util.UUID> idsOfFolders = new HashMap<>();"))
                    .withSymptom("of session"),
            exclusive(25, "no sync before the search", NO_SYNC_BEFORE_SEARCH),
            // the sync hides it: it is the second line of defence
            exclusive(
                    25,
                    "no sibling deletion",
                    NO_SYNC_BEFORE_SEARCH,
                    Edit.delete("Seat.deleteSiblings", "deletions.beginStray(folder(), sibling, session, false);")),
            exclusive(
                    37,
                    "sequence number as token",
                    "SeatUse.nextToken",
                    "Tokens.of(seat.czxid(), seat.place() + given)",
                    "Tokens.of(seat.name().sequence() + 1, given)"),
            exclusive(
                    56, "seats of one transaction with one token", Edit.delete("SeatUse.nextToken", "seat.place() +")),
            exclusive(144, "place forgotten with the answer", Edit.begin("Seat.lookUp", "place = 0;")),
            exclusive(3, "departure forgotten after session end", FORGOTTEN_AFTER_SESSION),
            exclusive(
                    3,
                    "departure not attempted again",
                    Edit.delete(
                            "Deletions.continueOn",
                            "List.copyOf(pending).forEach(deletion -> attempt(deletion, next));")),
            exclusive(
                    1,
                    "seat kept after timeout and cancel",
                    Edit.delete("Seat.leave", "else { deletions.begin(deletion); }")),
            exclusive(
                    1_826,
                    "seat created anew before the deletion is answered",
                    "Seat.lookUp",
                    "replace(own.get(0));",
                    "deletions.beginStray(folder(), own.get(0), session, false); create();"),
            exclusive(
                    1,
                    "seat that has gone counted for ever",
                    Edit.delete("Deletion.finish", "session.budget().giveBack(bytes);")),
            exclusive(
                    2,
                    "text order instead of numbers",
                    "SeatName.compareTo",
                    "return sequence < other.sequence ? -1 : 1;",
                    "return node.compareTo(other.node);"),
            exclusive(
                    1_531,
                    "more turns than a transaction has tokens",
                    Edit.delete("SeatUse.mayServeAnother", "&& given < Tokens.MAX_TURNS")),
            exclusive(4_938, "lingering seat not marked", Edit.delete("SeatUse.linger", "seat.markIdle(true);")));

    private static final List<SimPlant> OF_LOCAL_QUEUES = List.of(
            exclusive(
                    32,
                    "granted although the lock before was not",
                    "Claim.mayBeGranted",
                    "return before == null || before.state == State.GRANTED;",
                    "return true;"),
            exclusive(
                    2,
                    "grant without validity",
                    "LocalQueue.serve",
                    "!seat.session().isValid(context.time().nanoTime())",
                    "false"),
            exclusive(
                    1,
                    "release reported before it is gone",
                    "LocalQueue.dismiss",
                    "deletion.observe(context.announcer().releaseOf(settling));",
                    "context.announcer().releaseConfirmed(settling);"),
            exclusive(
                    4,
                    "loss not told",
                    Edit.delete("LocalQueue.lose", "context.lost(lost, reason);"),
                    Edit.delete("LocalQueue.loseAll", "turns.forEach(turn -> context.lost(turn, reason));")),
            exclusive(
                    93,
                    "held locks given away by a close",
                    "LocalQueue.close",
                    "held == OnClose.RELEASE_HELD",
                    "held != null"),
            exclusive(
                    29,
                    "seats beyond what a session may have",
                    "LocalQueue.takeSeat",
                    "!connected.budget().admits(bytes, budget)",
                    "bytes < 0"),
            exclusive(
                    1_356,
                    "lost seats behind those of newcomers",
                    "StrictPlan.decide",
                    "missing.values()",
                    "missing.descendingMap().values()"),
            exclusive(
                    3,
                    "deadline ignored while disconnected",
                    "LocalQueue.expire",
                    "!claim.isOpen()",
                    "!claim.isOpen() || context.keeper().connected().isEmpty()"),
            exclusive(
                    5,
                    "outage told as contention",
                    "Obstacles.block",
                    "context.keeper().isConnected() && !isAtHead && (isAnyoneAhead(watch) || occupancy.keepsWaiting(claim) || wasTakenMeanwhile(claim))",
                    "true"),
            exclusive(
                    4_938,
                    "try refused by a seat that only lingers",
                    "Askers.listed",
                    "IdleSeats.mayAdmit(view, demand)",
                    "false"),
            exclusive(
                    93, "session closed before the last holder", "Engine.close", "tellIfQuiet();", "whenOver.run();"));

    private static final List<SimPlant> OF_VIEWS = List.of(
            exclusive(
                    70,
                    "no own check after a shortcut grant",
                    "QueueWatch.confirm",
                    "freshness != Freshness.CERTAIN && !isLive()",
                    "false"),
            exclusive(
                    2,
                    "any event taken for a deletion",
                    "FrontWatches.Front.happened",
                    "event == Event.NODE_DELETED",
                    "event != null"),
            exclusive(21, "watch not set again", Edit.delete("FrontWatches.Front.happened", "arm();")),
            exclusive(
                    2_655,
                    "live by a listing before the watch",
                    "FolderWatch.listed",
                    "state == State.SET && number >= listing",
                    "isOn()"),
            exclusive(
                    537,
                    "live view kept over a lost connection",
                    Edit.delete("QueueWatch.connectionRestored", "folderWatch.arm();"),
                    Edit.delete("QueueWatch.connectionLost", "freshness = Freshness.STALE;"),
                    Edit.delete("FolderWatch.happened", "owner.missed(); arm();")),
            exclusive(
                    1_273,
                    "deletion of a seat not told by a live view",
                    Edit.delete("QueueWatch.FolderEvents.deleted", "owner.deleted(seat);")),
            exclusive(165, "nobody watched after a live view", Edit.delete("QueueWatch.tick", "watchFronts();")),
            exclusive(
                    20,
                    "watch of a folder asked for again after its end",
                    Edit.delete("FolderWatch.end", "dropQuestion();")),
            exclusive(
                    90,
                    "not listed again after a reconnect",
                    Edit.delete("QueueWatch.connectionRestored", "fronts.armAgain(); look();")),
            exclusive(
                    66,
                    "listing sent before the create",
                    PLACED_BY_ANY_LISTING,
                    new Edit("GroupCommit.list", "waitingIn.containsKey(folder)", "false")),
            exclusive(
                    127,
                    "failure of a transaction taken for that of each write",
                    "GroupCommit.Batch.answered",
                    "leaveOneByOne();",
                    "writes.forEach(written -> written.reply().answered(outcome, null));"),
            exclusive(
                    620,
                    "listing behind a transaction that failed counts",
                    PLACED_BY_ANY_LISTING,
                    new Edit("GroupCommit.Batch.listTogether", "if (failed)", "if (false)")));

    /** What is concluded from the answers of servers: that a session lives, that a node is gone, that a write was seen. */
    private static final List<SimPlant> OF_PROOFS = List.of(
            exclusive(
                    169,
                    "bound from the last commit",
                    "SessionProof.answered",
                    "extendUntil(provisionallyUntil);",
                    "extendUntil(sentAt + lifetime());"),
            exclusive(
                    95,
                    "bound from reads",
                    "SessionProof.answered",
                    "touches.answered(sentAt, now, proves, trusted);",
                    "touches.answered(sentAt, now, proves, trusted); extendUntil(sentAt + lifetime());"),
            exclusive(
                    275,
                    "ended session taken for alive",
                    Edit.delete("PinnedSession.isValid", "&& liveness() != Liveness.ENDED")),
            exclusive(2, "no renewal after the first", Edit.delete("Renewal.chunkDone", "pendingChunks--;")),
            exclusive(13, "deleted seat not noticed", Edit.delete("Renewal.settle", "failed.vanished();")),
            exclusive(
                    1_188,
                    "suspended machine not noticed",
                    Edit.delete(
                            "SessionKeeper.suspendAfterDrift",
                            "current.proof().clockFellBehind(drift, time.nanoTime());")),
            // M26
            exclusive(
                    95,
                    "touches trusted while a bucket is closed",
                    "SessionProof.hasLapsed",
                    "!isValid(now) && provisionallyUntil - now <= 0",
                    "false"),
            exclusive(
                    95,
                    "connection taken for made when it is noticed",
                    "SessionProof.connected",
                    "noticed = heard.isPresent() && attemptedAfter.isPresent() ? new Heard(heard.getAsLong(), now) : null;",
                    "heard.ifPresent(this::extendProvisionally);"),
            exclusive(
                    95,
                    "suspect session proven by any write",
                    Edit.delete("SessionProof.answered", "&& suspicion.isRefutedByCommit(sentAt)")),
            // M34
            exclusive(
                    95,
                    "bucket taken for closed after a quarter",
                    "Suspicion.isSentAfterBuckets",
                    "bucketsClosedAt.isPresent() && sentAt - bucketsClosedAt.getAsLong() >= 0",
                    "since.isPresent() && sentAt - since.getAsLong() >= 250_000_000L"),
            // M27
            exclusive(
                    36,
                    "timeout read once",
                    new Edit("SessionProof.connected", "timeoutNanos < timeout", "false"),
                    Edit.delete("PinnedSession.isValid", "!isShorter(wire.connection()) &&")),
            // M32
            exclusive(1_857, "no margin", Edit.delete("SessionProof.lifetime", "- margin(timeoutNanos)")),
            exclusive(1_188, "long suspensions not noticed", "ClockWatch.UNNOTICED", "24", "2"),
            // M33
            exclusive(
                    170,
                    "another session taken for the same",
                    "PinnedSession.liveness",
                    "wire.currentId() == wire.id() ? seen : Liveness.ENDED",
                    "seen"),
            // L25
            exclusive(
                    25,
                    "sync taken for a commit",
                    new Edit(
                            "PinnedSession.behindCommit",
                            "check(List.of(path), (outcome, missing)",
                            "sync(path, (outcome, none)"),
                    NO_SWEEP),
            exclusive(
                    3_773,
                    "list counts although the check before it does not",
                    new Edit("PinnedSession.behindCommit", "outcome.isUnknown() || committed.get()", "true"),
                    NO_SWEEP),
            exclusive(
                    90,
                    "reconnection not noticed without a loss",
                    "SessionKeeper.pauseIfMoved",
                    "current.hasMoved()",
                    "false"));

    private static final List<SimPlant> OF_READERS_AND_WRITERS = List.of(
            readWrite(
                    7,
                    "reader passes writers",
                    "QueueView.letHold",
                    "held.admits(seat.demand())",
                    "(held.admits(seat.demand()) || seat.demand().kind() == LockKind.READ)"),
            readWrite(
                    12,
                    "seat passes a writer who became a reader",
                    "QueueWatch.frontGone",
                    "gone.demand().kind() != LockKind.WRITE",
                    "!ended"),
            readWrite(
                    745,
                    "writer's deletion believed before the view is live",
                    "QueueWatch.FolderEvents.deleted",
                    "!folderWatch.isLive() && seat.demand().kind() == LockKind.WRITE",
                    "ended"),
            readWrite(
                    27,
                    "writer's node deleted before the reader's is created",
                    "PinnedSession.replace",
                    "new Change.CreateEphemeral(replacement, data), new Change.Delete(path)",
                    "new Change.Delete(path), new Change.CreateEphemeral(replacement, data)"),
            readWrite(
                    11,
                    "seat that becomes a reader's taken for deleted",
                    "LocalQueue.deleted",
                    "used != null && used.seat().path() != null",
                    "used != null"),
            readWrite(
                    27,
                    "writer let in beside readers",
                    "SeatUse.serves",
                    "(demand.kind() == LockKind.READ && isReading())",
                    "isReading()"),
            readWrite(
                    725,
                    "late readers join although a writer waits",
                    "SeatUse.willServe",
                    "return mayServeAnother()",
                    "boolean joins = handOff.policy() == HandOff.Policy.BOUNDED && demand.kind() == LockKind.READ;"
                            + " return (joins || mayServeAnother())"),
            readWrite(
                    21,
                    "readers kept behind one who only reads",
                    "LocalQueue.letReadersIn",
                    "head.seat().downgrade();",
                    ""),
            readWrite(16, "downgrade by deletion and creation", "Downgrade.begin", """
                    session.replace(
                            writer.pathIn(folder),
                            reader.pathIn(folder),
                            label.on(Demand.READ),
                            (outcome, none) -> answered(outcome));""", """
                    session.delete(
                            new io.github.zklock.zookeeper.internal.transport.Change.Delete(writer.pathIn(folder)),
                            (outcome, none) -> {});
                    session.create(
                            new io.github.zklock.zookeeper.internal.transport.Change.CreateSeat(
                                    folder + "/" + SeatName.stem(reader.id(), Demand.READ),
                                    label.on(Demand.READ),
                                    null,
                                    false,
                                    () -> true),
                            (outcome, node) -> owner.downgraded(SeatName.ofPath(node.path())));"""),
            readWrite(
                    151,
                    "downgrade in doubt taken for done",
                    "Downgrade.answered",
                    "case CONNECTION_LOST, UNKNOWN, NODE_EXISTS ->",
                    "case CONNECTION_LOST -> done(); case UNKNOWN, NODE_EXISTS ->"),
            readWrite(
                    12,
                    "seat left while it is downgraded deleted by its old name",
                    "Seat.end",
                    "deletion.ofUnknownName();",
                    ""),
            readWrite(
                    2,
                    "read hold without the writer's token",
                    "LocalQueue.comeBack",
                    "own.token()",
                    "Tokens.of(own.seat().czxid(), Tokens.MAX_TURNS - 1)"),
            readWrite(2_186, "other kinds not refused", "LocalQueue.check", "mismatch != null", "false"));

    private static final List<SimPlant> OF_SEMAPHORES = List.of(
            semaphore(
                    8,
                    "seats counted instead of permits",
                    new Edit(
                            "QueueView.letHold",
                            "held.add(seat.demand());",
                            "held.add(new Demand(LockKind.PERMITS, 1, seat.demand().of()));"),
                    new Edit(
                            "QueueView.remove",
                            "held.remove(seat.demand());",
                            "held.remove(new Demand(LockKind.PERMITS, 1, seat.demand().of()));")),
            semaphore(
                    631,
                    "semaphore waiting on one predecessor",
                    "QueueView.inTheWayOf",
                    "!inTheWay.admits(seat.demand())",
                    "true"),
            semaphore(
                    8,
                    "small wish passes a large one",
                    "QueueView.holds",
                    "isUpToLastHolder(seat) && seats.contains(seat)",
                    "(isUpToLastHolder(seat) || held.admits(seat.demand())) && seats.contains(seat)"),
            semaphore(
                    9,
                    "own number of permits counts alone",
                    "Sharers.admits",
                    "smallestNumber(demand.of())",
                    "demand.of()"),
            semaphore(
                    3,
                    "first number of permits counts",
                    "QueueView.letHold",
                    "held.admits(seat.demand())",
                    "held.admits(new Demand(seat.demand().kind(), seat.demand().permits(), seats.first().demand().of()))"));

    /** All bugs that the simulation must find. */
    static final List<SimPlant> ALL = Stream.of(
                    OF_SEATS, OF_LOCAL_QUEUES, OF_VIEWS, OF_PROOFS, OF_READERS_AND_WRITERS, OF_SEMAPHORES)
            .flatMap(List::stream)
            .toList();

    /**
     * The bug that is too rare for the simulation: a schedule would have to go wrong by a difference of T/5 by chance. Real
     * processes find it, and so does {@code PinnedSessionTest}.
     */
    static final Plant OF_REAL_PROCESSES = new Plant(
            "receive time in the proof",
            new Edit("PinnedSession.Asked.answered", "proof.answered(sentAt,", "proof.answered(time.nanoTime(),"));

    private SimPlants() {}
}
