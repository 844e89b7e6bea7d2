package io.github.zklock.benchmarks.load;

import io.github.zklock.benchmarks.contender.Contender;
import io.github.zklock.benchmarks.contender.Held;
import io.github.zklock.benchmarks.contender.LockAdapter;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/** Virtual threads that all wait for one lock, and then hold it one after the other. */
final class VirtualThreads implements Load {

    private static final double NANOS_PER_SECOND = TimeUnit.SECONDS.toNanos(1);
    private static final long GLANCE_MILLIS = 20;
    private static final String CROWDED = "crowded";

    private final Contender contender;
    private final LockAdapter lock;
    private final int count;
    /** Whether the seats are counted meanwhile. */
    private final boolean isLooking;

    VirtualThreads(Contender contender, ExclusionCheck check, Arguments arguments) {
        this.contender = contender;
        this.lock = check.exclusive(0, contender.exclusive(CROWDED));
        this.count = arguments.number("threads");
        this.isLooking = arguments.number("look", 1) == 1;
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
        Held held = lock.acquire();
        for (int waiter = 0; waiter < size; waiter++) {
            waiters.add(unstarted(() -> turn(done)));
        }
        long before = Memory.used();
        waiters.forEach(Thread::start);
        for (Thread waiter : waiters) {
            while (waiter.getState() != Thread.State.WAITING) {
                TimeUnit.MILLISECONDS.sleep(GLANCE_MILLIS);
            }
        }
        long after = Memory.used();
        OptionalInt seats = seats();
        long start = System.nanoTime();
        held.close();
        while (!done.await(GLANCE_MILLIS, TimeUnit.MILLISECONDS)) {
            seats = greater(seats, seats());
        }
        double seconds = (System.nanoTime() - start) / NANOS_PER_SECOND;
        Figures figures = new Figures(Map.of(
                Figures.RATE,
                size / seconds,
                Figures.COUNT,
                (double) size,
                Figures.BYTES_FOR_EACH,
                (double) (after - before) / size,
                Figures.DRAIN_SECONDS,
                seconds));
        return seats.isEmpty() ? figures : figures.and(Map.of(Figures.SEATS, (double) seats.getAsInt()));
    }

    private OptionalInt seats() throws Exception {
        return isLooking ? contender.queueLength(CROWDED) : OptionalInt.empty();
    }

    private static OptionalInt greater(OptionalInt one, OptionalInt other) {
        return IntStream.concat(one.stream(), other.stream()).max();
    }

    private void turn(CountDownLatch done) {
        try (Held held = lock.acquire()) {
            done.countDown();
        } catch (Exception e) {
            throw new IllegalStateException("A waiting thread failed", e);
        }
    }

    /** Creates a virtual thread, by reflection: the API begins with Java 21. */
    private static Thread unstarted(Runnable task) {
        try {
            Class<?> builder = Class.forName("java.lang.Thread$Builder");
            Class<?> ofVirtual = Class.forName("java.lang.Thread$Builder$OfVirtual");
            MethodHandles.Lookup lookup = MethodHandles.publicLookup();
            Object virtual = lookup.findStatic(Thread.class, "ofVirtual", MethodType.methodType(ofVirtual))
                    .invoke();
            return (Thread)
                    lookup.findVirtual(builder, "unstarted", MethodType.methodType(Thread.class, Runnable.class))
                            .invoke(virtual, task);
        } catch (Throwable e) {
            throw new IllegalStateException(
                    "No virtual threads on Java " + Runtime.version().feature(), e);
        }
    }
}
