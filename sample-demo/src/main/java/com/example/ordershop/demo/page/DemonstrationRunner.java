package com.example.ordershop.demo.page;

import com.example.ordershop.demo.process.ProgressListener;
import com.example.ordershop.demo.process.ShopCluster;
import com.example.ordershop.demo.scenario.Load;
import com.example.ordershop.demo.scenario.Scenario;
import com.example.ordershop.demo.scenario.Verdict;
import jakarta.annotation.PreDestroy;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.stereotype.Component;

/**
 * Runs scenarios for the page, one at a time, on a cluster of its own beside this shop.
 *
 * <pre>
 * idle -> running    start()
 * running -> idle    the scenario ends; stop() interrupts it
 * </pre>
 */
@Component
@ConditionalOnBooleanProperty(name = "ordershop.demonstration", matchIfMissing = true)
class DemonstrationRunner implements ProgressListener {

    /** Number of runs of a repeated scenario: fewer than on the command line, because a user waits. */
    private static final int RUNS = 3;

    private static final int KEPT = 200;

    record Line(Instant at, String text) {}

    record Offer(String name, String title, String about) {}

    /** State of the demonstration for the page. */
    record Report(
            boolean running,
            @Nullable String scenario,
            @Nullable Instant startedAt,
            int done,
            int total,
            List<Line> lines,
            List<Verdict> verdicts,
            List<Offer> scenarios) {}

    private static final List<Offer> OFFERS = Scenario.all().stream()
            .map(each -> new Offer(each.label(), each.title(), each.about()))
            .toList();

    private final ReentrantLock lock = new ReentrantLock(); // guards all below
    private @Nullable Thread worker;
    private @Nullable Scenario scenario;
    private @Nullable Instant startedAt;
    private int done;
    private int total;
    private final Deque<Line> lines = new ArrayDeque<>();
    private final List<Verdict> verdicts = new ArrayList<>();

    /** Starts the scenario; returns false if a scenario is running. */
    boolean start(Scenario wanted) {
        lock.lock();
        try {
            if (worker != null) {
                return false;
            }
            scenario = wanted;
            startedAt = Instant.now();
            done = 0;
            total = wanted.orders(Load.DEFAULT, runs(wanted));
            worker = new Thread(() -> run(wanted), "demonstration");
            worker.start();
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** Interrupts the running scenario and does not wait for its end. */
    void stop() {
        lock.lock();
        try {
            if (worker != null) {
                worker.interrupt();
            }
        } finally {
            lock.unlock();
        }
    }

    Report report() {
        lock.lock();
        try {
            return new Report(
                    worker != null,
                    scenario == null ? null : scenario.label(),
                    startedAt,
                    done,
                    total,
                    List.copyOf(lines),
                    List.copyOf(verdicts),
                    OFFERS);
        } finally {
            lock.unlock();
        }
    }

    /** Ends with the application, so that no child process is left. */
    @PreDestroy
    void close() throws InterruptedException {
        Thread running;
        lock.lock();
        try {
            running = worker;
        } finally {
            lock.unlock();
        }
        if (running != null) {
            running.interrupt();
            running.join();
        }
    }

    @Override
    public void line(String text) {
        lock.lock();
        try {
            lines.add(new Line(Instant.now(), text));
            if (lines.size() > KEPT) {
                lines.remove();
            }
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void progress(int completed, int wanted) {
        lock.lock();
        try {
            done = completed;
            total = wanted;
        } finally {
            lock.unlock();
        }
    }

    private static int runs(Scenario scenario) {
        return Math.min(scenario.runs(), RUNS);
    }

    private void run(Scenario wanted) {
        try (ShopCluster cluster = ShopCluster.open(this)) {
            finish(wanted.run(cluster, Load.DEFAULT, runs(wanted)));
        } catch (InterruptedException stopped) {
            line(wanted.label() + ": stopped");
        } catch (RuntimeException failed) {
            finish(new Verdict(wanted.label(), false, "not finished: " + failed.getMessage()));
        } finally {
            lock.lock();
            try {
                worker = null;
            } finally {
                lock.unlock();
            }
        }
    }

    private void finish(Verdict verdict) {
        lock.lock();
        try {
            verdicts.removeIf(earlier -> earlier.scenario().equals(verdict.scenario()));
            verdicts.add(verdict);
        } finally {
            lock.unlock();
        }
        line(verdict.toString());
    }
}
