package io.github.zklock.benchmarks.workload;

import io.github.zklock.benchmarks.cluster.Cluster;
import io.github.zklock.benchmarks.cluster.Traffic;
import io.github.zklock.benchmarks.load.Figure;
import io.github.zklock.benchmarks.load.Figures;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;
import org.awaitility.Awaitility;

/**
 * Hand-overs of a lock with a queue of fixed length. Before each hand-over, the queue is filled and all waiters have
 * set their watches. All traffic until the next silence belongs to this hand-over.
 */
final class HandOvers implements Measurement {

    private static final Duration MAX_WAIT = Duration.ofSeconds(60);
    private static final Duration GLANCE = Duration.ofMillis(5);
    /** After this time, earlier events cause no more traffic. */
    private static final long SILENCE_MILLIS = 15;

    private record HandOver(double nanos, Traffic traffic) {}

    private final LoadProcess process;
    private final Cluster cluster;
    private final int waiters;

    HandOvers(LoadProcess process, Cluster cluster, int waiters) {
        this.process = process;
        this.cluster = cluster;
        this.waiters = waiters;
    }

    /** Fills the queue itself, so that it disturbs no other measurement. */
    @Override
    public Figures run(Duration time) throws IOException, InterruptedException {
        long watches = cluster.watches();
        List<HandOver> all = new ArrayList<>();
        long start = System.nanoTime();
        do {
            process.prepare();
            awaitWatches(watches + waiters);
            awaitSilence();
            all.add(handOver());
        } while (System.nanoTime() - start < time.toNanos());
        process.rest();
        awaitWatches(watches);
        return figures(all);
    }

    @Override
    public void close() throws IOException, InterruptedException {
        process.close();
    }

    private HandOver handOver() throws IOException, InterruptedException {
        Traffic before = process.traffic();
        process.run(Duration.ZERO);
        double nanos = process.figures().get(Figure.NANOS);
        awaitSilence();
        return new HandOver(nanos, process.traffic().since(before));
    }

    /** Each waiter watches one node, which other waiters may watch as well. */
    private void awaitWatches(long count) {
        Awaitility.await(count + " watches")
                .atMost(MAX_WAIT)
                .pollDelay(Duration.ZERO)
                .pollInterval(GLANCE)
                .until(() -> cluster.watches() == count);
    }

    private void awaitSilence() throws InterruptedException {
        Traffic seen = process.traffic();
        while (true) {
            TimeUnit.MILLISECONDS.sleep(SILENCE_MILLIS);
            Traffic now = process.traffic();
            if (now.equals(seen)) {
                return;
            }
            seen = now;
        }
    }

    private static Figures figures(List<HandOver> all) {
        LongSummaryStatistics events =
                all.stream().mapToLong(handOver -> handOver.traffic().events()).summaryStatistics();
        return Figures.of(Figure.COUNT, all.size())
                .and(Figure.MEDIAN, median(all, HandOver::nanos) / TimeUnit.MICROSECONDS.toNanos(1))
                .and(Figure.REQUESTS, median(all, handOver -> handOver.traffic().requests()))
                .and(Figure.BYTES, median(all, handOver -> handOver.traffic().bytes()))
                .and(Figure.EVENTS, median(all, handOver -> handOver.traffic().events()))
                .and(Figure.LEAST_EVENTS, (double) events.getMin())
                .and(Figure.MOST_EVENTS, (double) events.getMax());
    }

    private static double median(List<HandOver> all, ToDoubleFunction<HandOver> value) {
        return Outcome.median(all.stream().mapToDouble(value)).orElseThrow();
    }
}
