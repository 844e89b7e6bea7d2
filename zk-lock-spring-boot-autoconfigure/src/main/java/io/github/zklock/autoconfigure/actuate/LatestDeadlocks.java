package io.github.zklock.autoconfigure.actuate;

import io.github.zklock.LockEvent;
import io.github.zklock.LockListener;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/** The latest deadlocks of which a request of this process was part, the latest first. */
final class LatestDeadlocks implements LockListener {

    private static final int KEPT = 10;

    private final ReentrantLock lock = new ReentrantLock();
    private final Deque<LocksReport.Deadlock> latest = new ArrayDeque<>();

    @Override
    public void onEvent(LockEvent event) {
        if (event instanceof LockEvent.Deadlocked found) {
            lock.lock();
            try {
                latest.addFirst(new LocksReport.Deadlock(
                        found.name().value(), Texts.of(Instant.now()), found.requests(), found.rejected()));
                if (latest.size() > KEPT) {
                    latest.removeLast();
                }
            } finally {
                lock.unlock();
            }
        }
    }

    List<LocksReport.Deadlock> report() {
        lock.lock();
        try {
            return List.copyOf(latest);
        } finally {
            lock.unlock();
        }
    }
}
