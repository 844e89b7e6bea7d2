package io.github.zklock.zookeeper.internal.engine;

import io.github.zklock.LockName;
import io.github.zklock.LockState;
import io.github.zklock.zookeeper.internal.local.Turn;
import io.github.zklock.zookeeper.internal.queue.Demand;
import io.github.zklock.zookeeper.internal.session.Refusal;
import io.github.zklock.zookeeper.internal.transport.Outcome;
import io.github.zklock.zookeeper.internal.transport.WireSession;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/** Watches every grant of every process against what is really committed. Knows nothing of how the engine works. */
final class SimChecks {

    private final SimWorld world;
    private final SimRefusals refusals;
    private final SimFairness fairness;
    private final SimPromptness promptness;
    private final SimReleases releases;
    private final SimRoom room;
    private final Map<LockName, SimBook> books = new HashMap<>(4);
    private final IdentityHashMap<Turn, SimHold> holds = new IdentityHashMap<>();
    /** Nodes that somebody else than the engine's own session took away, with the instant. */
    private final Map<String, Long> removedByOperator = new HashMap<>();

    /** Writers' nodes, and those of readers that stand in their places. */
    private final Map<String, String> replaced = new HashMap<>(2);

    private boolean folderGone;
    /** When each folder was deleted the last time. */
    private final Map<String, Long> foldersGoneAt = new HashMap<>(2);

    SimChecks(SimWorld world) {
        this.world = world;
        this.refusals = new SimRefusals(world);
        this.fairness = new SimFairness(world);
        this.promptness = new SimPromptness(world);
        this.releases = new SimReleases(world, holds.values());
        this.room = new SimRoom(world);
    }

    SimRoom room() {
        return room;
    }

    SimHold granted(SimContender contender, Turn turn) {
        SimHold hold = held(contender, turn, contender.demand(), contender.askedAt());
        if (!hold.excused) {
            fairness.granted(hold, book(contender.lock()).live());
        }
        return hold;
    }

    /** K1, K2, K5 at the instant of a grant. */
    private SimHold held(SimContender contender, Turn turn, Demand demand, long askedAt) {
        SimProcess process = contender.process();
        String path = world.folder(contender.lock()) + "/" + turn.seat().name().node();
        SimHold hold = new SimHold(contender, turn, demand, replaced.getOrDefault(path, path), askedAt, world.now());
        SimBook book = book(contender.lock());
        world.trace().note("GRANT", process.id(), turn.token(), hold.path + " " + demand);
        world.countGrant(hold, book);
        if (!turn.demand().equals(demand)) {
            world.violated("K9", hold + " was granted " + turn.demand(), null);
        }
        if (!turn.isHeld()) {
            world.violated("K5", hold + " was granted without validity", null);
        }
        SimTree.Entry node = world.ensemble().truth().entry(hold.path);
        hold.excused = isExcused(hold);
        if (!hold.excused) {
            checkNode(hold, node);
        }
        if (node == null && wasToldOfRemoval(hold)) {
            world.violated("L20", hold + " was granted on an idle seat long after an operator had deleted it", null);
        }
        if (world.isCalm() && process.isWell() && world.contention().wasBehindAnotherKind(contender, hold.path)) {
            world.violated("K9", hold + " was granted, although the queue was one of another kind of lock", null);
        }
        book.add(hold);
        holds.put(turn, hold);
        if (node == null) {
            hold.goneSince = world.now();
            if (world.isCalm() && (process.isTellingFrontGone() || isPassedOn(hold))) {
                world.scheduler().after(world.promptly(), () -> process.enter(() -> expectTold(hold)));
            }
        }
        return hold;
    }

    /** Whether the seat was idle when an operator deleted it, so that an event of a live view told of that in a calm network. */
    private boolean wasToldOfRemoval(SimHold hold) {
        Long removedAt = removedByOperator.get(hold.path);
        return removedAt != null
                && world.now() - removedAt > world.promptly()
                && hold.process().isWell()
                && !hold.process().handOff().linger().isZero()
                && wasUsedSince(hold.path, 0)
                && !wasUsedSince(hold.path, removedAt - world.promptly())
                && world.plan().tailChance() == 0
                && !world.ensemble().hasBrokenUpLately()
                && world.plan().mishaps().stream().allMatch(mishap -> mishap.fault() == SimFault.HEAD_DELETED);
    }

    /** Whether another seat of its process was given up for it just now. */
    private boolean isPassedOn(SimHold heir) {
        return heir.process().isWell()
                && holds.values().stream()
                        .anyMatch(hold -> hold.process() == heir.process()
                                && hold.lock().equals(heir.lock())
                                && hold.over
                                && hold.overAt == world.now()
                                && !hold.path.equals(heir.path));
    }

    void reentered(SimHold hold, Turn turn) {
        world.tally().hit(SimStep.REENTERED);
        if (turn != hold.turn()) {
            world.violated("K9", hold + " was re-entered as another turn", null);
        }
    }

    /** A writer reads, too: by a turn of its own, under the writer's token. */
    SimHold downgraded(SimHold writer, Turn turn, long askedAt) {
        world.tally().hit(SimStep.DOWNGRADED);
        if (turn == writer.turn()) {
            world.violated("K9", writer + " was given its own turn to read", null);
        }
        SimHold reader = held(writer.contender(), turn, Demand.READ, askedAt);
        if (reader.token() != writer.token()) {
            world.violated("K2", reader + " has not the token of " + writer, null);
        }
        return reader;
    }

    /** The holder gives back, or goes away. */
    void releasing(SimHold hold) {
        end(hold);
    }

    /** K6: only what happened may be told. */
    void lost(Turn turn) {
        SimHold hold = holds.get(turn);
        world.tally().losses++;
        world.tally().hit(SimStep.TURN_LOST);
        if (hold == null) {
            return;
        }
        world.trace().note("LOST", hold.process().id(), hold.token(), hold.path);
        hold.toldLost = true;
        end(hold);
        SimTree truth = world.ensemble().truth();
        boolean nodeGone = truth.entry(hold.path) == null;
        boolean sessionOver = !truth.sessions().contains(hold.session())
                || turn.seat().session().liveness() == WireSession.Liveness.ENDED
                || world.ensemble().isClosing(hold.session())
                || world.isClosing(hold.session());
        boolean takenBack = hold.process().hasTakenBack() || turn.lossReason().contains("maximum hold");
        boolean queueReplaced = isQueueReplacedLately(SimTree.parentOf(hold.path));
        boolean engineReplaced = turn.seat().session().isForsaken();
        if (!nodeGone && !sessionOver && !takenBack && !queueReplaced && !isDisplaced(hold) && !engineReplaced) {
            world.violated("K6", hold + " was told lost, but is there: " + turn.lossReason(), null);
        }
    }

    void releaseSeen(Turn turn) {
        world.tally().hit(SimStep.RELEASE_SEEN);
        SimHold hold = holds.get(turn);
        if (hold != null) {
            releases.seen(hold);
        }
    }

    void releaseUnseen(Turn turn) {
        SimHold hold = holds.get(turn);
        if (hold != null) {
            hold.releaseUnseen = true;
        }
    }

    void refused(SimContender contender, Refusal refusal) {
        refusals.refused(contender, refusal);
    }

    /** K9: whoever had a deadline was answered. */
    void deadlinePassed(SimContender contender, boolean stillWaiting) {
        if (stillWaiting) {
            world.violated("K9", "a claim of process " + contender.process().id() + " outlived its deadline", null);
        }
    }

    /** K1 while several holders are alive. */
    void afterStep(SimProcess process) {
        books.values().forEach(SimBook::checkOverlap);
        releases.afterStep();
    }

    /** What is committed now: who is without a node must not believe to hold. */
    void committed(SimTxn txn) {
        if (txn.request().kind == SimRequest.Kind.REPLACE && txn.outcome() == Outcome.OK) {
            replaced(txn.request().path, txn.request().replacement);
        }
        for (SimTxn.Change change : txn.changes()) {
            if (change instanceof SimTxn.Change.Deleted) {
                deleted(change.path(), txn);
            }
        }
        promptness.committed(txn);
        room.committed(txn);
    }

    /** L20: whether somebody sleeps on although it is his turn. */
    void lookAt(String folder) {
        promptness.changed(folder);
    }

    /** K6: nobody may still be believed to hold a node that has been gone for long. */
    void checkToldUntil(long before) {
        for (SimBook book : books.values()) {
            for (SimHold hold : book.live()) {
                if (hold.goneSince >= 0
                        && hold.goneSince < before
                        && hold.turn().state() != LockState.LOST) {
                    world.violated("K6", hold + " has been gone, and nobody told its holder", null);
                }
            }
        }
    }

    /** What can be said only of a schedule that has come to its end. */
    void checkAtEnd() {
        releases.checkAllSeen();
        room.checkAtEnd();
        checkHistories();
    }

    /** The answers of the whole schedule must be those of some order of the calls. */
    private void checkHistories() {
        for (SimBook book : books.values()) {
            world.tally().histories++;
            book.history().contradiction().ifPresent(why -> world.violated("LIN", why, null));
        }
    }

    boolean hasOperatorRemoved() {
        return !removedByOperator.isEmpty();
    }

    /** Whether some queue had to begin anew. */
    boolean hasFolderGone() {
        return folderGone;
    }

    boolean isExcused(SimHold hold) {
        return hold.process().mayBeFooled()
                || removedByOperator.containsKey(hold.path)
                || isQueueReplacedLately(SimTree.parentOf(hold.path));
    }

    /** An operator who deletes a whole queue is noticed by the next renewal. Until then its seats may pass for those of the new one. */
    private boolean isQueueReplacedLately(String folder) {
        Long goneAt = foldersGoneAt.get(folder);
        long noticed =
                world.timeout() / 8 + 3 * world.promptly() + 8 * world.plan().tailMean();
        return goneAt != null && world.now() - goneAt < noticed;
    }

    /**
     * Whether the process had a turn at this folder after this instant, or still has one, on a seat that an operator had
     * deleted, of which no renewal need have told it.
     */
    boolean wasMistakenAfter(SimProcess process, String folder, long instant) {
        long renewal = world.timeout() / 8 + 3 * world.promptly();
        return holds.values().stream()
                .filter(hold -> hold.process() == process
                        && removedByOperator.containsKey(hold.path)
                        && SimTree.parentOf(hold.path).equals(folder))
                .anyMatch(hold -> hold.over ? hold.overAt > instant : world.now() - hold.goneSince < renewal);
    }

    /** The turns on this seat. */
    List<SimHold> users(String path) {
        List<SimHold> users = new ArrayList<>(2);
        for (SimBook book : books.values()) {
            book.live().stream().filter(hold -> hold.path.equals(path)).forEach(users::add);
        }
        return users;
    }

    /** Whether there was a turn on this seat at this instant or later. */
    boolean wasUsedSince(String path, long instant) {
        return holds.values().stream().anyMatch(hold -> hold.path.equals(path) && hold.wasThereSince(instant));
    }

    private SimBook book(LockName lock) {
        return books.computeIfAbsent(lock, absent -> new SimBook(world));
    }

    private void checkNode(SimHold hold, SimTree.Entry node) {
        SimTree truth = world.ensemble().truth();
        if (node == null) {
            world.violated("K5", hold + " was granted without a node", null);
        } else if (node.owner != hold.session()) {
            world.violated("K5", hold + " was granted on a node of session " + node.owner, null);
        } else if (!isOfSeat(hold.demand(), hold.seat().demand())) {
            world.violated("K5", hold + " was granted on a seat of another kind", null);
        } else {
            String folder = SimTree.parentOf(hold.path);
            SimQueue queue = SimQueue.of(truth, folder).without(other -> isLeft(folder + "/" + other.node(), hold));
            (hold.seat().isPastTheLast() ? queue : queue.withoutPastTheLast())
                    .obstacle(hold.seat())
                    .ifPresent(other -> world.violated("K5", hold + " was granted behind " + other, null));
        }
    }

    /** Whether it was never at the head: an operator has deleted the queue in which it was to come next. */
    private boolean isDisplaced(SimHold hold) {
        String folder = SimTree.parentOf(hold.path);
        SimQueue queue = SimQueue.of(world.ensemble().truth(), folder)
                .without(other -> isLeft(folder + "/" + other.node(), hold));
        return folderGone && queue.obstacle(hold.seat()).isPresent();
    }

    /** Nobody else may come to hold while a seat of this one's session is there, even if that is no longer used. */
    private boolean isLeft(String path, SimHold by) {
        SimTree.Entry node = world.ensemble().truth().entry(path);
        return !path.equals(by.path)
                && node != null
                && node.owner == by.session()
                && users(path).isEmpty()
                && by.turn().seat().session().nodes().stream().noneMatch(seat -> path.equals(seat.path()));
    }

    /** Those who read may do so on a writer's seat, too. */
    private static boolean isOfSeat(Demand demand, Demand seat) {
        return demand.equals(seat) || (demand.equals(Demand.READ) && seat.equals(Demand.WRITE));
    }

    private void replaced(String writer, String reader) {
        replaced.put(writer, reader);
        Long removedAt = removedByOperator.remove(writer);
        if (removedAt != null) {
            removedByOperator.put(reader, removedAt);
        }
        for (SimBook book : books.values()) {
            for (SimHold hold : book.live()) {
                if (hold.path.equals(writer) && hold.demand().isAlone() && hold.claimsToBeValid()) {
                    world.violated("K1", hold + " believes to be valid, but its seat became that of a reader", null);
                }
            }
        }
        holds.values().stream().filter(hold -> hold.path.equals(writer)).forEach(hold -> hold.path = reader);
    }

    private void deleted(String path, SimTxn txn) {
        boolean byOperator = txn.session() == 0;
        if (byOperator) {
            removedByOperator.put(path, world.now());
        }
        if (!SimSeat.isSeat(SimTree.nameOf(path))) {
            folderGone = true;
            foldersGoneAt.put(path, world.now());
        }
        for (SimBook book : books.values()) {
            for (SimHold hold : book.live()) {
                if (hold.path.equals(path)) {
                    hold.goneSince = world.now();
                    if (!byOperator && hold.claimsToBeValid() && !hold.process().mayBeFooled()) {
                        world.violated(
                                "K1",
                                hold + " believes to be valid for "
                                        + hold.turn().remaining().toNanos() / 1e6
                                        + " ms more, but its node went with " + txn.request().kind + " "
                                        + txn.request().path,
                                null);
                    }
                }
            }
        }
    }

    private void expectTold(SimHold hold) {
        if (!hold.over && world.isCalm()) {
            world.violated("K6", hold + " was granted on a node that was gone, and was not told at once", null);
        }
    }

    private void end(SimHold hold) {
        book(hold.lock()).end(hold);
        promptness.changed(SimTree.parentOf(hold.path));
    }
}
