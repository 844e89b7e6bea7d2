package io.github.zklock.benchmarks.load;

import io.github.zklock.benchmarks.contender.Contender;
import io.github.zklock.benchmarks.contender.LockAdapter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.HdrHistogram.Histogram;

/** Threads that acquire locks, hold them for the configured time, and release them. */
final class Turns implements Load {

    private static final double NANOS_PER_MICRO = TimeUnit.MICROSECONDS.toNanos(1);

    /** The percentage of writers in a load that mostly reads. */
    private static final int WRITERS = 5;

    /** With fewer waits, the longest one would stand for the 99.9th percentile. */
    private static final int ENOUGH_FOR_THE_RARE = 1_000;

    /** The lock of the next turn, for each thread. */
    private final List<Supplier<LockAdapter>> choices = new ArrayList<>();

    private final ExecutorService threads;
    private final int workMillis;

    Turns(Contender contender, ExclusionCheck check, Arguments arguments) {
        int count = arguments.number("threads");
        for (int thread = 0; thread < count; thread++) {
            choices.add(choice(arguments, contender, check, thread));
        }
        workMillis = arguments.number("work", 0);
        threads = Executors.newFixedThreadPool(count);
    }

    @Override
    public Figures run(Duration time) throws InterruptedException {
        long start = System.nanoTime();
        long end = start + time.toNanos();
        List<Callable<Histogram>> tasks = new ArrayList<>();
        choices.forEach(lock -> tasks.add(() -> turnsOrEnd(lock, end)));
        Histogram waits = histogram();
        for (Future<Histogram> task : threads.invokeAll(tasks)) {
            try {
                waits.add(task.get());
            } catch (ExecutionException e) {
                throw new IllegalStateException("A turn failed", e.getCause());
            }
        }
        return figures(waits, start);
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }

    /** Returns one lock for all threads, a lock of the thread's own, a semaphore, several locks, or mostly a reader's. */
    private static Supplier<LockAdapter> choice(
            Arguments arguments, Contender contender, ExclusionCheck check, int thread) {
        String claim = arguments.text("claim");
        int count = arguments.number("of", 1);
        LockAdapter lock = switch (claim) {
            case "one" -> check.exclusive(0, contender.exclusive("one"));
            case "own" -> check.exclusive(thread, contender.exclusive("own-" + thread));
            case "permits" -> check.permit(0, count, contender.permit("permits", count));
            case "all" -> check.exclusive(0, contender.all(parts(count)));
            case "read-mostly" -> check.reading(0, contender.reading("read-mostly"));
            default -> throw new IllegalArgumentException("No locks '" + claim + "'");
        };
        if (!claim.equals("read-mostly")) {
            return () -> lock;
        }
        LockAdapter writing = check.writing(0, contender.writing("read-mostly"));
        return () -> ThreadLocalRandom.current().nextInt(100) < WRITERS ? writing : lock;
    }

    private static List<String> parts(int count) {
        return IntStream.range(0, count).mapToObj(part -> "part-" + part).toList();
    }

    /** Returns an empty histogram of nanoseconds, with an error of at most 1 %. */
    static Histogram histogram() {
        return new Histogram(2);
    }

    /** @param start the beginning of a round that ends now */
    static Figures figures(Histogram waits, long start) {
        double median = waits.getValueAtPercentile(50);
        Figures figures = Figures.of(Figure.RATE, waits.getTotalCount() / Load.secondsSince(start))
                .and(Figure.COUNT, (double) waits.getTotalCount())
                .and(Figure.MEDIAN, median / NANOS_PER_MICRO)
                .and(Figure.P99, waits.getValueAtPercentile(99) / NANOS_PER_MICRO);
        return waits.getTotalCount() < ENOUGH_FOR_THE_RARE
                ? figures
                : figures.and(Figure.TAIL, waits.getValueAtPercentile(99.9) / median);
    }

    /**
     * A thread that fails may hold the lock, so the failure must be reported at once: the other threads would wait for
     * the lock.
     */
    private Histogram turnsOrEnd(Supplier<LockAdapter> choice, long end) throws Exception {
        try {
            return turns(choice, end);
        } catch (Exception | Error failure) {
            Thread thread = Thread.currentThread();
            thread.getUncaughtExceptionHandler().uncaughtException(thread, failure);
            throw failure;
        }
    }

    private Histogram turns(Supplier<LockAdapter> choice, long end) throws Exception {
        Histogram waits = histogram();
        long asked = System.nanoTime();
        while (asked - end < 0) {
            AutoCloseable held = choice.get().acquire();
            waits.recordValue(System.nanoTime() - asked);
            if (workMillis > 0) {
                TimeUnit.MILLISECONDS.sleep(workMillis);
            }
            held.close();
            asked = System.nanoTime();
        }
        return waits;
    }
}
