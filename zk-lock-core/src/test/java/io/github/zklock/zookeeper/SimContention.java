package io.github.zklock.zookeeper;

import io.github.zklock.LockName;
import java.util.HashMap;
import java.util.Map;

/** Remembers when anybody else stood in the way of a claim, so that BUSY can be told from an outage. */
final class SimContention {

    private final SimWorld world;
    /** For each lock the last instant at which its folder had a seat of a session that was not this process's. */
    private final Map<String, Long> seatsGoneAt = new HashMap<>();

    SimContention(SimWorld world) {
        this.world = world;
    }

    void committed(SimTxn txn) {
        for (SimTxn.Change change : txn.changes()) {
            if (change instanceof SimTxn.Change.Deleted && SimWorld.isSeat(SimTree.nameOf(change.path()))) {
                seatsGoneAt.put(SimTree.parentOf(change.path()), world.now());
            }
        }
    }

    /** Whether anybody else had, awaited or stood in the queue of the lock while this claim was open. */
    boolean wasThere(SimContender contender) {
        LockName lock = contender.lock();
        boolean inProcess = world.contenders().stream()
                .anyMatch(other -> other != contender
                        && other.process() == contender.process()
                        && other.lock().equals(lock)
                        && (other.isWaiting() || other.hasTurn() || other.isFinished()));
        if (inProcess) {
            return true;
        }
        String folder = world.folder(lock);
        long since = contender.askedAt() - world.ensemble().patience() - world.timeout();
        return seatsGoneAt.getOrDefault(folder, Long.MIN_VALUE) >= since
                || hasSeatOfOthers(folder, contender.process());
    }

    private boolean hasSeatOfOthers(String folder, SimProcess process) {
        SimTree.Entry entry = world.ensemble().truth().entry(folder);
        return entry != null
                && entry.children.stream()
                        .anyMatch(child -> SimWorld.isSeat(child)
                                && world.ensemble().truth().entry(folder + "/" + child).owner
                                        != process.client().session());
    }
}
