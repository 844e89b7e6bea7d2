package io.github.zklock.benchmarks.workload;

import io.github.zklock.benchmarks.cluster.Cluster;
import io.github.zklock.benchmarks.cluster.CountingProxy;
import io.github.zklock.benchmarks.cluster.Traffic;
import io.github.zklock.benchmarks.load.Figures;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
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
    private final CountingProxy proxy;
    private final Cluster cluster;
    private final int waiters;

    HandOvers(LoadProcess process, CountingProxy proxy, Cluster cluster, int waiters) {
        this.process = process;
        this.proxy = proxy;
        this.cluster = cluster;
        this.waiters = waiters;
    }

    @Override
    public void prepare() {
        // each round fills the queue itself, so that it disturbs no other measurement
    }

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
    public void close() throws Exception {
        Closeables.closeAll(Stream.of(process, proxy));
    }

    private HandOver handOver() throws IOException, InterruptedException {
        Traffic before = proxy.traffic();
        process.run(Duration.ZERO);
        double nanos = process.figures().get(Figures.NANOS);
        awaitSilence();
        return new HandOver(nanos, proxy.traffic().since(before));
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
        Traffic seen = proxy.traffic();
        while (true) {
            TimeUnit.MILLISECONDS.sleep(SILENCE_MILLIS);
            Traffic now = proxy.traffic();
            if (now.equals(seen)) {
                return;
            }
            seen = now;
        }
    }

    private static Figures figures(List<HandOver> all) {
        LongSummaryStatistics events =
                all.stream().mapToLong(handOver -> handOver.traffic().events()).summaryStatistics();
        return new Figures(Map.of(
                Figures.COUNT,
                (double) all.size(),
                Figures.MEDIAN,
                median(all, HandOver::nanos) / TimeUnit.MICROSECONDS.toNanos(1),
                Figures.REQUESTS,
                median(all, handOver -> handOver.traffic().requests()),
                Figures.BYTES,
                median(all, handOver -> handOver.traffic().bytes()),
                Figures.EVENTS,
                median(all, handOver -> handOver.traffic().events()),
                Figures.LEAST_EVENTS,
                (double) events.getMin(),
                Figures.MOST_EVENTS,
                (double) events.getMax()));
    }

    private static double median(List<HandOver> all, ToDoubleFunction<HandOver> value) {
        return Outcome.median(all.stream().mapToDouble(value)).orElseThrow();
    }
}
