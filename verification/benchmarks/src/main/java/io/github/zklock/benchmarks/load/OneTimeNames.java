package io.github.zklock.benchmarks.load;

import io.github.zklock.benchmarks.cluster.Cluster;
import io.github.zklock.benchmarks.contender.Contender;
import java.time.Duration;
import java.util.Collections;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Locks that are used once each, and what is left of them after the servers' collection. */
final class OneTimeNames implements Load {

    private static final int THREADS = 64;
    private static final String FOLDER = "names";
    private static final Duration MAX_WAIT = Duration.ofMinutes(3);

    private final Contender contender;
    private final int count;
    private final ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    private int used;
    private long before;

    OneTimeNames(Contender contender, Arguments arguments) {
        this.contender = contender;
        this.count = arguments.number("names");
    }

    /** Loads the classes and caches of the first use. */
    @Override
    public void prepare() throws Exception {
        use(count / 10);
        awaitCollection();
        before = Load.usedHeap();
    }

    @Override
    public Figures run(Duration time) throws Exception {
        long start = System.nanoTime();
        use(count);
        double seconds = Load.secondsSince(start);
        int left = awaitCollection();
        return Figures.of(Figure.RATE, count / seconds)
                .and(Figure.COUNT, count)
                .and(Figure.LEFT, left)
                .and(Figure.HEAP_GROWTH, (double) Load.usedHeap() / before);
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }

    /** Waits until the servers have nothing left to delete, or two readings with collections in between were equal. */
    private int awaitCollection() throws Exception {
        long end = System.nanoTime() + MAX_WAIT.toNanos();
        int seen = Integer.MAX_VALUE;
        int left = contender.nodesOf(FOLDER);
        while (left > 0 && left != seen && System.nanoTime() - end < 0) {
            TimeUnit.NANOSECONDS.sleep(Cluster.COLLECTION.multipliedBy(2).toNanos());
            seen = left;
            left = contender.nodesOf(FOLDER);
        }
        return left;
    }

    private void use(int more) throws ExecutionException, InterruptedException {
        AtomicInteger next = new AtomicInteger(used);
        used += more;
        for (Future<?> done : threads.invokeAll(Collections.nCopies(THREADS, () -> useUntil(used, next)))) {
            done.get();
        }
    }

    private int useUntil(int end, AtomicInteger next) throws Exception {
        int name = next.getAndIncrement();
        while (name < end) {
            contender.exclusive(FOLDER + "/" + name).acquire().close();
            name = next.getAndIncrement();
        }
        return name;
    }
}
