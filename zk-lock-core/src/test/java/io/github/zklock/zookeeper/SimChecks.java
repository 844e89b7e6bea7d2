package io.github.zklock.zookeeper;

import io.github.zklock.LockName;
import io.github.zklock.LockState;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Watches every grant of every process against what is really committed. Knows nothing of how the engine works. */
final class SimChecks {

    /** The order and the holders of one lock. */
    private static final class Book {
        final List<SimHold> live = new ArrayList<>(2);
        long highestToken;
        int lastProcess = -1;
    }

    private final SimWorld world;
    private final Map<LockName, Book> books = new HashMap<>(4);
    private final IdentityHashMap<Turn, SimHold> holds = new IdentityHashMap<>();
    /** Nodes that somebody else than the engine's own session took away. */
    private final Set<String> removedByOperator = new HashSet<>();

    SimChecks(SimWorld world) {
        this.world = world;
    }

    /** K1, K2, K5 at the instant of a grant. */
    SimHold granted(SimContender contender, Turn turn) {
        SimProcess process = contender.process();
        String path = String.valueOf(turn.seat().path());
        SimHold hold = new SimHold(contender, turn, path, turn.seat().tenure().sessionId(), world.now());
        Book book = books.computeIfAbsent(contender.lock(), absent -> new Book());
        world.trace().note("GRANT", process.id(), turn.token(), path);
        world.countGrant(contender, turn, book.lastProcess != process.id());
        if (!turn.isHeld()) {
            world.violated("K5", hold + " was granted without validity", null);
        }
        SimTree.Entry node = world.ensemble().truth().entry(path);
        if (!isExcused(hold)) {
            checkNode(hold, node);
            if (hold.token() <= book.highestToken) {
                world.violated("K2", hold + " follows token " + book.highestToken, null);
            }
        }
        book.highestToken = Math.max(book.highestToken, hold.token());
        book.lastProcess = process.id();
        book.live.add(hold);
        holds.put(turn, hold);
        if (node == null) {
            hold.goneSince = world.now();
            if (world.isCalm() && process.isTellingFrontGone()) {
                world.scheduler().after(world.promptly(), () -> process.enter(() -> expectTold(hold)));
            }
        }
        return hold;
    }

    void reentered(SimHold hold, Turn turn) {
        world.tally().hit(SimStep.REENTERED);
        if (turn != hold.turn()) {
            world.violated("K9", hold + " was re-entered as another turn", null);
        }
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
        world.trace().note("LOST", hold.process().id(), hold.token(), hold.path());
        hold.toldLost = true;
        end(hold);
        SimTree truth = world.ensemble().truth();
        boolean nodeGone = truth.entry(hold.path()) == null;
        boolean sessionOver = !truth.sessions().contains(hold.session())
                || turn.seat().tenure().liveness() == WireSession.Liveness.ENDED
                || world.isClosing(hold.session());
        boolean takenBack = hold.process().isEngineClosed() || turn.lossReason().contains("maximum hold");
        if (!nodeGone && !sessionOver && !takenBack) {
            world.violated("K6", hold + " was told lost, but is there: " + turn.lossReason(), null);
        }
    }

    /** A release may be reported only when the node is gone. */
    void releaseSeen(Turn turn) {
        world.tally().hit(SimStep.RELEASE_SEEN);
        SimHold hold = holds.get(turn);
        if (hold != null) {
            hold.releaseSeen = true;
        }
        if (hold != null
                && turn.seat().path() == null
                && world.ensemble().truth().entry(hold.path()) != null) {
            world.violated("L4", "the release of " + hold + " was reported while its node is there", null);
        }
    }

    void refused(SimContender contender, Refusal refusal) {
        world.trace()
                .note(
                        "REFUSED",
                        contender.process().id(),
                        refusal.reason(),
                        contender.lock().value());
        switch (refusal.reason()) {
            case BUSY -> {
                world.tally().hit(SimStep.REFUSED_BUSY);
                if (!world.contention().wasThere(contender)) {
                    world.violated("K9", "BUSY without anybody else: " + refusal.message(), null);
                }
            }
            case UNAVAILABLE -> {
                world.tally().hit(SimStep.REFUSED_UNAVAILABLE);
                if (refusal.message().contains("engine failed")
                        || refusal.message().contains("have the sequence")) {
                    world.violated("ENGINE", refusal.message(), refusal.cause());
                } else if (world.isUntroubledSince(contender)) {
                    world.violated("K9", "UNAVAILABLE without any trouble: " + refusal.message(), null);
                }
            }
            case CLOSED -> {
                if (!contender.process().isEngineClosed()) {
                    world.violated("K9", "CLOSED by an open engine", null);
                }
            }
            default -> world.violated("K9", "refused for no reason: " + refusal, null);
        }
    }

    /** K9: whoever had a deadline was answered. */
    void deadlinePassed(SimContender contender, boolean stillWaiting) {
        if (stillWaiting) {
            world.violated("K9", "a claim of process " + contender.process().id() + " outlived its deadline", null);
        }
    }

    /** K1 while holders of several processes are alive: at no instant may two of them claim to be valid. */
    void afterStep(SimProcess process) {
        for (Book book : books.values()) {
            if (book.live.size() > 1) {
                checkOverlap(book);
            }
        }
    }

    /** What is committed now: who is without a node must not believe to hold. */
    void committed(SimTxn txn) {
        for (SimTxn.Change change : txn.changes()) {
            if (change instanceof SimTxn.Change.Deleted) {
                deleted(change.path(), txn);
            }
        }
    }

    /** K6: nobody may still be believed to hold a node that has been gone for long. */
    void checkToldUntil(long before) {
        for (Book book : books.values()) {
            for (SimHold hold : book.live) {
                if (hold.goneSince >= 0
                        && hold.goneSince < before
                        && hold.turn().state() != LockState.LOST) {
                    world.violated("K6", hold + " has been gone, and nobody told its holder", null);
                }
            }
        }
    }

    /** L21: in the end every release is known to be seen, unless its engine was shut down before. */
    void checkReleasesSeen() {
        for (SimHold hold : holds.values()) {
            if (hold.over && !hold.releaseSeen && !hold.process().isEngineClosed()) {
                world.violated("L21", "the release of " + hold + " was never reported", null);
            }
        }
    }

    boolean hasOperatorRemoved() {
        return !removedByOperator.isEmpty();
    }

    boolean isExcused(SimHold hold) {
        return hold.process().mayBeFooled() || removedByOperator.contains(hold.path());
    }

    private void checkNode(SimHold hold, SimTree.Entry node) {
        if (node == null) {
            world.violated("K5", hold + " was granted without a node", null);
        } else if (node.owner != hold.session()) {
            world.violated("K5", hold + " was granted on a node of session " + node.owner, null);
        } else {
            String folder = SimTree.parentOf(hold.path());
            for (String other : world.ensemble().truth().entry(folder).children) {
                if (SimWorld.isSeat(other) && SimWorld.sequence(other) < SimWorld.sequence(hold.path())) {
                    world.violated("K5", hold + " was granted behind " + other, null);
                }
            }
        }
    }

    private void deleted(String path, SimTxn txn) {
        boolean byOperator = txn.session() == 0;
        if (byOperator) {
            removedByOperator.add(path);
        }
        for (Book book : books.values()) {
            for (SimHold hold : book.live) {
                if (hold.path().equals(path)) {
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

    private void checkOverlap(Book book) {
        SimHold valid = null;
        for (SimHold hold : book.live) {
            if (!isExcused(hold) && hold.claimsToBeValid()) {
                if (valid != null) {
                    world.violated("K1", valid + " and " + hold + " are valid at once", null);
                }
                valid = hold;
            }
        }
    }

    private void expectTold(SimHold hold) {
        if (!hold.over && world.isCalm()) {
            world.violated("K6", hold + " was granted on a node that was gone, and was not told at once", null);
        }
    }

    private void end(SimHold hold) {
        hold.over = true;
        books.get(hold.lock()).live.remove(hold);
    }
}
