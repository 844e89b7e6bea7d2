package io.github.zklock.benchmarks.workload;

import io.github.zklock.benchmarks.load.Figure;
import io.github.zklock.benchmarks.load.Figures;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;

/**
 * The time from the death of a leader until the other process is the leader. The servers detect the death by the end of
 * its session.
 */
final class LeaderKill implements Measurement {

    /** Two ticks of the servers, which is their smallest timeout. */
    static final Duration SESSION = Duration.ofSeconds(4);

    /** Until a candidate stands in the queue and watches it. */
    private static final Duration REST = Duration.ofSeconds(2);

    private final Callable<LoadProcess> start;
    /** The leader, then its follower. */
    private final Deque<LoadProcess> candidates = new ArrayDeque<>();

    LeaderKill(Callable<LoadProcess> start) {
        this.start = start;
    }

    @Override
    public void prepare() throws Exception {
        if (candidates.isEmpty()) {
            candidates.add(start.call());
            awaitElection();
        }
        candidates.add(start.call());
        TimeUnit.MILLISECONDS.sleep(REST.toMillis());
    }

    @Override
    public void warm(WarmUp warmUp) {
        // a candidate of a service has waited for long when its leader dies, but has never been elected
    }

    @Override
    public Figures run(Duration time) throws Exception {
        long start = System.nanoTime();
        candidates.remove().kill();
        awaitElection();
        return Figures.of(Figure.MILLIS, (double) (System.nanoTime() - start) / TimeUnit.MILLISECONDS.toNanos(1));
    }

    @Override
    public void close() {
        candidates.forEach(LoadProcess::kill);
    }

    private void awaitElection() throws Exception {
        candidates.element().run(Duration.ZERO);
        candidates.element().figures();
    }
}
