package com.example.ordershop.demo;

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
 * The demonstration as the page plays it: one scenario at a time, on a stage of its own beside this shop.
 *
 * <pre>
 * idle -> running    start()
 * running -> idle    the scenario is over; stop() interrupts it
 * </pre>
 */
@Component
@ConditionalOnBooleanProperty(name = "ordershop.demonstration", matchIfMissing = true)
class Demonstration implements Audience {

    /** Runs of scenarios that are repeated: on the page somebody waits. */
    private static final int RUNS = 3;

    private static final int KEPT = 200;

    record Line(Instant at, String text) {}

    record Offer(String name, String title, String about) {}

    /** All that the page shows. */
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
    private @Nullable Thread player;
    private @Nullable Scenario scenario;
    private @Nullable Instant startedAt;
    private int done;
    private int total;
    private final Deque<Line> lines = new ArrayDeque<>();
    private final List<Verdict> verdicts = new ArrayList<>();

    /** Begins to play it; false if one is played already. */
    boolean start(Scenario wanted) {
        lock.lock();
        try {
            if (player != null) {
                return false;
            }
            scenario = wanted;
            startedAt = Instant.now();
            done = 0;
            total = wanted.orders(Load.DEFAULT, runs(wanted));
            player = new Thread(() -> play(wanted), "demonstration");
            player.start();
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** Lets the one that is played end, without waiting for it. */
    void stop() {
        lock.lock();
        try {
            if (player != null) {
                player.interrupt();
            }
        } finally {
            lock.unlock();
        }
    }

    Report report() {
        lock.lock();
        try {
            return new Report(
                    player != null,
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

    /** With the shop: what it has started must not be left. */
    @PreDestroy
    void close() throws InterruptedException {
        Thread running;
        lock.lock();
        try {
            running = player;
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

    private void play(Scenario wanted) {
        try (Stage stage = Stage.open(this)) {
            tell(wanted.play(stage, Load.DEFAULT, runs(wanted)));
        } catch (InterruptedException stopped) {
            line(wanted.label() + ": stopped");
        } catch (RuntimeException failed) {
            tell(new Verdict(wanted.label(), false, "not played to its end: " + failed.getMessage()));
        } finally {
            lock.lock();
            try {
                player = null;
            } finally {
                lock.unlock();
            }
        }
    }

    private void tell(Verdict verdict) {
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
