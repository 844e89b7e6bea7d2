package io.github.zklock.docs.faq;

import io.github.zklock.LockHandle;
import io.github.zklock.LockLostException;
import io.github.zklock.LockRegistry;
import java.util.concurrent.CountDownLatch;

/** A candidate that leads while it holds a lock. */
final class Leadership implements Runnable {

    private final LockRegistry locks;
    private final Runnable begin;
    private final Runnable end;

    Leadership(LockRegistry locks, Runnable begin, Runnable end) {
        this.locks = locks;
        this.begin = begin;
        this.end = end;
    }

    // snippet:leader
    /** Runs on a separate thread until it is interrupted. */
    @Override
    public void run() {
        try {
            while (true) {
                leadOnce();
            }
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
        }
    }

    private void leadOnce() throws InterruptedException {
        try (LockHandle leading = locks.lock("/leader").acquire()) {
            CountDownLatch over = new CountDownLatch(1);
            leading.onLost(over::countDown);
            begin.run();
            try {
                over.await();
            } finally {
                end.run();
            }
        } catch (LockLostException lost) {
            // no longer the leader: queue again
        }
    }
    // end:leader
}
