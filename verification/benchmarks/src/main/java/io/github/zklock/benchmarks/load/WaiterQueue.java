package io.github.zklock.benchmarks.load;

import io.github.zklock.benchmarks.contender.Contender;
import io.github.zklock.benchmarks.contender.LockAdapter;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;

/** A holder and a queue of waiters, each with a seat of its own. */
final class WaiterQueue implements Load {

    private final int length;
    /** The adapters of waiters that are not in the queue. */
    private final BlockingQueue<LockAdapter> idle = new LinkedBlockingQueue<>();

    private final Semaphore granted = new Semaphore(0);
    private final Semaphore mayLeave = new Semaphore(0);
    /** How many waiters have left the queue, or are about to. */
    private int left;

    WaiterQueue(Contender contender, ExclusionCheck check, Arguments arguments) throws Exception {
        // one more holds the lock
        length = arguments.number("waiters") + 1;
        left = length;
        List<LockAdapter> adapters = contender.waiters("line", length);
        adapters.forEach(lock -> idle.add(check.exclusive(0, lock)));
    }

    /** Lets all waiters join the queue again. */
    @Override
    public void prepare() throws InterruptedException {
        boolean empty = left == length;
        for (; left > 0; left--) {
            LockAdapter lock = idle.take();
            Thread waiter = new Thread(() -> takeTurn(lock), "waiter");
            waiter.setDaemon(true);
            waiter.start();
        }
        if (empty) {
            granted.acquire();
        }
    }

    /** Measures one hand-over. */
    @Override
    public Figures run(Duration time) throws InterruptedException {
        long released = System.nanoTime();
        leave();
        granted.acquire();
        return Figures.of(Figure.NANOS, (double) (System.nanoTime() - released));
    }

    /** Lets all waiters have their turn. */
    @Override
    public void rest() throws InterruptedException {
        while (left < length) {
            leave();
            if (left < length) {
                granted.acquire();
            }
        }
    }

    private void leave() {
        mayLeave.release();
        left++;
    }

    private void takeTurn(LockAdapter lock) {
        try (AutoCloseable held = lock.acquire()) {
            granted.release();
            mayLeave.acquire();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return;
        } catch (Exception e) {
            throw new IllegalStateException("A waiter of the line failed", e);
        }
        idle.add(lock);
    }
}
