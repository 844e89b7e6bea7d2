package io.github.zklock.zookeeper.internal.engine;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;
import java.util.function.LongFunction;

/** Runs many schedules, each on one thread, on all processors. */
final class SimRunner {

    /** What came out of a run: totals, and the failures with the lowest seeds first. */
    record Summary(SimTally tally, long distinctShapes, List<SimResult> failures) {}

    private static final int FAILURES_KEPT = 20;

    private final LongFunction<SimPlan> plans;
    private final long firstSeed;
    private final long schedules;
    private final AtomicLong next = new AtomicLong();
    private final AtomicBoolean enough = new AtomicBoolean();
    private final ConcurrentLinkedQueue<SimResult> failures = new ConcurrentLinkedQueue<>();

    SimRunner(SimKinds kinds, long firstSeed, long schedules) {
        this(seed -> SimPlanner.plan(seed, kinds), firstSeed, schedules);
    }

    /** @param plans makes plans from seeds */
    SimRunner(LongFunction<SimPlan> plans, long firstSeed, long schedules) {
        this.plans = plans;
        this.firstSeed = firstSeed;
        this.schedules = schedules;
    }

    static int processors() {
        return Math.max(2, Runtime.getRuntime().availableProcessors());
    }

    /** @param progress is told every few seconds how many schedules have begun */
    Summary run(LongConsumer progress) throws InterruptedException {
        List<Worker> workers = new ArrayList<>();
        for (int i = 0; i < processors(); i++) {
            Worker worker = new Worker();
            workers.add(worker);
            worker.start();
        }
        SimTally total = new SimTally();
        Set<Long> shapes = new HashSet<>();
        for (Worker worker : workers) {
            while (worker.isAlive()) {
                worker.join(10_000);
                progress.accept(Math.min(next.get(), schedules));
            }
            if (worker.crash != null) {
                throw new IllegalStateException("The simulation itself failed", worker.crash);
            }
            total.add(worker.tally);
            shapes.addAll(worker.shapes);
        }
        List<SimResult> sorted = failures.stream()
                .sorted(Comparator.comparingLong(result -> result.plan().seed()))
                .toList();
        return new Summary(total, shapes.size(), sorted);
    }

    /** One thread's share. */
    private final class Worker extends Thread {
        private final SimTally tally = new SimTally();
        private final Set<Long> shapes = new HashSet<>();
        private volatile Throwable crash;

        @Override
        public void run() {
            long seed = firstSeed;
            try {
                for (long i = next.getAndIncrement(); i < schedules && !enough.get(); i = next.getAndIncrement()) {
                    seed = firstSeed + i;
                    take(SimResult.of(plans.apply(seed), false));
                }
            } catch (RuntimeException | Error failure) {
                crash = new IllegalStateException("seed=" + seed, failure);
                enough.set(true);
            }
        }

        private void take(SimResult result) {
            tally.add(result.tally());
            SimEffects.measure(result, tally);
            shapes.add(result.shape());
            if (result.violation() != null) {
                failures.add(result);
                if (failures.size() >= FAILURES_KEPT) {
                    enough.set(true);
                }
            }
        }
    }
}
