package io.github.zklock.docs.picture;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/** Two instances that count orders in the same row: each reads the number, computes, and writes a larger one. */
final class CountedOrders {

    static final int INSTANCES = 2;
    static final int ORDERS_EACH = 6;

    /** Runs an update, with or without a lock. */
    interface Guard {
        void run(int instance, Runnable update) throws Exception;
    }

    /**
     * An update of the row.
     *
     * @param asked when the instance began, in nanoseconds since the start of the run
     * @param read when it read the number
     * @param wrote when it wrote the number
     * @param number what it wrote
     */
    record Update(int instance, long asked, long read, long wrote, int number) {}

    /**
     * What has happened.
     *
     * @param counted the number in the row at the end
     */
    record Run(List<Update> updates, int counted) {

        int orders() {
            return updates.size();
        }

        /** Returns whether the number was read before another instance wrote, and written afterwards. */
        boolean isStale(Update update) {
            return updates.stream()
                    .anyMatch(other -> other.instance() != update.instance()
                            && other.wrote() > update.read()
                            && other.wrote() < update.wrote());
        }
    }

    private final AtomicInteger row = new AtomicInteger();
    private final ConcurrentLinkedQueue<Update> updates = new ConcurrentLinkedQueue<>();
    private final Guard guard;
    private long start;

    private CountedOrders(Guard guard) {
        this.guard = guard;
    }

    static Run run(Guard guard) throws Exception {
        return new CountedOrders(guard).run();
    }

    private Run run() throws Exception {
        CountDownLatch ready = new CountDownLatch(INSTANCES);
        ExecutorService threads = Executors.newFixedThreadPool(INSTANCES);
        try {
            start = System.nanoTime();
            List<Future<?>> all = new ArrayList<>();
            for (int i = 0; i < INSTANCES; i++) {
                int instance = i;
                all.add(threads.submit(() -> {
                    ready.countDown();
                    ready.await();
                    for (int order = 0; order < ORDERS_EACH; order++) {
                        complete(instance);
                    }
                    return instance;
                }));
            }
            for (Future<?> each : all) {
                each.get(60, TimeUnit.SECONDS);
            }
        } catch (ExecutionException failed) {
            throw new IllegalStateException("An update failed", failed.getCause());
        } finally {
            threads.shutdownNow();
        }
        List<Update> inOrder = new ArrayList<>(updates);
        inOrder.sort(Comparator.comparingLong(Update::wrote));
        return new Run(inOrder, row.get());
    }

    private void complete(int instance) throws Exception {
        // the customers of a shop do not come at regular times
        compute(2, 5);
        long asked = now();
        guard.run(instance, () -> {
            long read = now();
            int number = row.get();
            compute(3, 8);
            row.set(number + 1);
            updates.add(new Update(instance, asked, read, now(), number + 1));
        });
    }

    private static void compute(int leastMillis, int mostMillis) {
        LockSupport.parkNanos(ThreadLocalRandom.current()
                .nextLong(TimeUnit.MILLISECONDS.toNanos(leastMillis), TimeUnit.MILLISECONDS.toNanos(mostMillis)));
    }

    private long now() {
        return System.nanoTime() - start;
    }
}
