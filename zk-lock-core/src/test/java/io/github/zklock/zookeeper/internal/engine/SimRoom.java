package io.github.zklock.zookeeper.internal.engine;

import io.github.zklock.zookeeper.internal.session.Refusal;
import io.github.zklock.zookeeper.internal.session.SeatBudget;

/** L24: each session can be closed at any time by a transaction that carries the paths of all its nodes. */
final class SimRoom {

    private static final int LENGTH_BYTES = 4;

    private final SimWorld world;

    SimRoom(SimWorld world) {
        this.world = world;
    }

    void committed(SimTxn txn) {
        boolean creates = txn.changes().stream()
                .anyMatch(change -> change instanceof SimTxn.Change.Created created && created.owner() != 0);
        if (creates) {
            for (SimProcess process : world.processes()) {
                if (process.hadSession(txn.session())) {
                    check(process, txn.session());
                }
            }
        }
    }

    /** K9: nobody is refused for lack of room while there is room. */
    void refused(SimContender contender, Refusal refusal) {
        world.tally().hit(SimStep.REFUSED_NO_ROOM);
        SimProcess process = contender.process();
        String folder = world.folder(contender.lock());
        int wanted = SeatBudget.bytesOf(0, folder, contender.demand());
        long used = process.engine().session().seatBytes();
        // an engine that was replaced meanwhile may have refused it
        if (!contender.sawReplacement() && (used == 0 || used + wanted <= process.seatBudget())) {
            world.violated("K9", "refused although there is room: " + refusal.message(), null);
        }
    }

    /** When all is over, no seat may be counted any more: the room would be lost for ever. */
    void checkAtEnd() {
        for (SimProcess process : world.processes()) {
            long left = process.engine().session().seatBytes();
            if (left != 0 || process.engine().session().seats() != 0) {
                world.violated("L24", left + " bytes of no seat are counted in process " + process.id(), null);
            }
        }
    }

    private void check(SimProcess process, long session) {
        long bytes = world.ensemble().truth().ownedBy(session).stream()
                .filter(path -> SimSeat.isSeat(SimTree.nameOf(path)))
                // nor is what an observer made of a seat that was given up
                .filter(path -> !world.tally().overtakenNodes.contains(path))
                // a sign is not counted: a seat whose number is negative is refused and deleted (M7)
                .mapToLong(path ->
                        path.length() - (SimSeat.of(SimTree.nameOf(path)).sequence() < 0 ? 1 : 0) + LENGTH_BYTES)
                .sum();
        // what was sent before a session was replaced without a word may come to stand on the next one, beside what is
        // asked
        // again; so do the seats of a replaced engine, until they are deleted
        long engines = 1L + process.replacements();
        long allowed = (world.plan().conditions().silentSessions() ? 2L : 1L) * engines * process.seatBudget();
        if (bytes > allowed) {
            world.violated(
                    "L24",
                    "session " + session + " of process " + process.id() + " can only be closed by a transaction of "
                            + bytes + " bytes, and " + allowed + " are allowed",
                    null);
        }
    }
}
