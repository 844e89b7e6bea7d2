package io.github.zklock.boot3;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The storage that all instances share. A thread updates it by a read and a store. The storage counts the updates
 * between whose read and store another thread reads.
 */
final class Warehouse {

    /** A point at which one update or report waits until the test releases it. */
    static final class Barrier {

        private final CountDownLatch reached = new CountDownLatch(1);
        private final CountDownLatch released = new CountDownLatch(1);

        void awaitReached() throws InterruptedException {
            reached.await();
        }

        void release() {
            released.countDown();
        }

        private void pass() {
            reached.countDown();
            try {
                released.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException("Interrupted at a barrier", e);
            }
        }
    }

    private final AtomicLong items = new AtomicLong();
    private final AtomicLong fence = new AtomicLong();
    private final AtomicReference<@Nullable Thread> lastReader = new AtomicReference<>();
    private final AtomicInteger overlaps = new AtomicInteger();
    private final AtomicInteger reports = new AtomicInteger();
    private final AtomicReference<@Nullable Barrier> next = new AtomicReference<>();

    long items() {
        lastReader.set(Thread.currentThread());
        long read = items.get();
        passBarrier();
        return read;
    }

    /** Stores the number of items and the token of the grant. Rejects a token that is lower than the stored one. */
    boolean store(long number, long token) {
        if (lastReader.get() != Thread.currentThread()) {
            overlaps.incrementAndGet();
        }
        if (fence.getAndAccumulate(token, Math::max) > token) {
            return false;
        }
        items.set(number);
        return true;
    }

    int overlaps() {
        return overlaps.get();
    }

    void report() {
        reports.incrementAndGet();
        passBarrier();
    }

    int reports() {
        return reports.get();
    }

    /** Returns a barrier at which the next update or report waits. */
    Barrier nextWaits() {
        Barrier barrier = new Barrier();
        next.set(barrier);
        return barrier;
    }

    private void passBarrier() {
        Barrier barrier = next.getAndSet(null);
        if (barrier != null) {
            barrier.pass();
        }
    }
}
