package io.github.zklock.benchmarks.load;

import io.github.zklock.benchmarks.contender.Contender;
import io.github.zklock.benchmarks.contender.Held;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/** Threads that acquire locks, hold them for the configured time, and release them. */
final class Turns implements Load {

    private static final double NANOS_PER_SECOND = TimeUnit.SECONDS.toNanos(1);
    private static final double NANOS_PER_MICRO = TimeUnit.MICROSECONDS.toNanos(1);
    private static final double HALF = 0.5;
    private static final double ALL_BUT_ONE_IN_A_HUNDRED = 0.99;
    private static final double ALL_BUT_ONE_IN_A_THOUSAND = 0.999;

    /** With fewer waits, the longest one would stand for the 99.9th percentile. */
    private static final int ENOUGH_FOR_THE_RARE = 1_000;

    private final List<LockChoice> choices = new ArrayList<>();
    private final ExecutorService threads;
    private final int workMillis;

    Turns(Contender contender, ExclusionCheck check, Arguments arguments) {
        int count = arguments.number("threads");
        for (int thread = 0; thread < count; thread++) {
            choices.add(LockChoice.of(arguments.text("claim"), contender, check, thread));
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
        Histogram waits = new Histogram();
        for (Future<Histogram> task : threads.invokeAll(tasks)) {
            try {
                waits.add(task.get());
            } catch (ExecutionException e) {
                throw new IllegalStateException("A turn failed", e.getCause());
            }
        }
        double seconds = (System.nanoTime() - start) / NANOS_PER_SECOND;
        return figures(waits, seconds);
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }

    static Figures figures(Histogram waits, double seconds) {
        double median = waits.quantile(HALF);
        double rare = waits.quantile(ALL_BUT_ONE_IN_A_THOUSAND);
        Map<String, Double> figures = new TreeMap<>();
        figures.put(Figures.RATE, waits.total() / seconds);
        figures.put(Figures.COUNT, (double) waits.total());
        figures.put(Figures.MEDIAN, median / NANOS_PER_MICRO);
        figures.put(Figures.P99, waits.quantile(ALL_BUT_ONE_IN_A_HUNDRED) / NANOS_PER_MICRO);
        if (waits.total() >= ENOUGH_FOR_THE_RARE) {
            figures.put(Figures.P999, rare / NANOS_PER_MICRO);
            figures.put(Figures.TAIL, median == 0 ? 0 : rare / median);
        }
        return new Figures(figures);
    }

    /**
     * A thread that fails may hold the lock, so the failure must be reported at once: the other threads would wait for
     * the lock.
     */
    private Histogram turnsOrEnd(LockChoice choices, long end) throws Exception {
        try {
            return turns(choices, end);
        } catch (Exception | Error failure) {
            Thread thread = Thread.currentThread();
            thread.getUncaughtExceptionHandler().uncaughtException(thread, failure);
            throw failure;
        }
    }

    private Histogram turns(LockChoice choices, long end) throws Exception {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        Histogram waits = new Histogram();
        long asked = System.nanoTime();
        while (asked - end < 0) {
            Held held = choices.next(() -> random.nextInt(LockChoice.PERCENT)).acquire();
            waits.add(System.nanoTime() - asked);
            if (workMillis > 0) {
                TimeUnit.MILLISECONDS.sleep(workMillis);
            }
            held.close();
            asked = System.nanoTime();
        }
        return waits;
    }
}
