package io.github.zklock.benchmarks.load;

import io.github.zklock.benchmarks.contender.Contender;
import io.github.zklock.benchmarks.contender.LockAdapter;
import io.github.zklock.faults.cluster.Jdk;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/** Virtual threads that all wait for one lock, and then hold it one after the other. */
final class VirtualThreads implements Load {

    private static final long GLANCE_MILLIS = 20;
    private static final String CROWDED = "crowded";

    private final Contender contender;
    private final LockAdapter lock;
    private final int count;

    VirtualThreads(Contender contender, ExclusionCheck check, Arguments arguments) {
        this.contender = contender;
        this.lock = check.exclusive(0, contender.exclusive(CROWDED));
        this.count = arguments.number("threads");
    }

    /** A first, small run loads classes and caches. */
    @Override
    public void prepare() throws Exception {
        waitTogether(count / 10);
    }

    @Override
    public Figures run(Duration time) throws Exception {
        return waitTogether(count);
    }

    private Figures waitTogether(int size) throws Exception {
        List<Thread> waiters = new ArrayList<>(size);
        CountDownLatch done = new CountDownLatch(size);
        AutoCloseable held = lock.acquire();
        ThreadFactory virtual = Jdk.virtualThreads().orElseThrow();
        for (int waiter = 0; waiter < size; waiter++) {
            waiters.add(virtual.newThread(() -> turn(done)));
        }
        long before = Load.usedHeap();
        waiters.forEach(Thread::start);
        for (Thread waiter : waiters) {
            while (waiter.getState() != Thread.State.WAITING) {
                TimeUnit.MILLISECONDS.sleep(GLANCE_MILLIS);
            }
        }
        long after = Load.usedHeap();
        OptionalInt seats = contender.queueLength(CROWDED);
        long start = System.nanoTime();
        held.close();
        while (!done.await(GLANCE_MILLIS, TimeUnit.MILLISECONDS)) {
            seats = IntStream.concat(seats.stream(), contender.queueLength(CROWDED).stream())
                    .max();
        }
        double seconds = Load.secondsSince(start);
        Figures figures = Figures.of(Figure.RATE, size / seconds)
                .and(Figure.COUNT, size)
                .and(Figure.BYTES_FOR_EACH, (double) (after - before) / size)
                .and(Figure.DRAIN_SECONDS, seconds);
        return seats.isEmpty() ? figures : figures.and(Figure.SEATS, seats.getAsInt());
    }

    private void turn(CountDownLatch done) {
        try (AutoCloseable held = lock.acquire()) {
            done.countDown();
        } catch (Exception e) {
            throw new IllegalStateException("A waiting thread failed", e);
        }
    }
}
