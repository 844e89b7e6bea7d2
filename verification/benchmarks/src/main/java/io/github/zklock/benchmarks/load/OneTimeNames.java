package io.github.zklock.benchmarks.load;

import io.github.zklock.benchmarks.cluster.Cluster;
import io.github.zklock.benchmarks.contender.Contender;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
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
    private static final double NANOS_PER_SECOND = TimeUnit.SECONDS.toNanos(1);

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
        before = Memory.used();
    }

    @Override
    public Figures run(Duration time) throws Exception {
        long start = System.nanoTime();
        use(count);
        double seconds = (System.nanoTime() - start) / NANOS_PER_SECOND;
        int left = awaitCollection();
        long after = Memory.used();
        return new Figures(Map.of(
                Figures.RATE,
                count / seconds,
                Figures.COUNT,
                (double) count,
                Figures.LEFT,
                (double) left,
                Figures.HEAP_BEFORE,
                (double) before,
                Figures.HEAP_AFTER,
                (double) after,
                Figures.HEAP_GROWTH,
                (double) after / before));
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
        int end = used + more;
        AtomicInteger next = new AtomicInteger(used);
        List<Future<Integer>> tasks = new ArrayList<>();
        for (int thread = 0; thread < THREADS; thread++) {
            tasks.add(threads.submit(() -> use(next, end)));
        }
        int done = 0;
        for (Future<Integer> task : tasks) {
            done += task.get();
        }
        if (done != more) {
            throw new IllegalStateException(done + " names were used instead of " + more);
        }
        used = end;
    }

    private int use(AtomicInteger next, int end) throws Exception {
        int done = 0;
        for (int name = next.getAndIncrement(); name < end; name = next.getAndIncrement()) {
            contender.exclusive(FOLDER + "/" + name).acquire().close();
            done++;
        }
        return done;
    }
}
