package com.example.ordershop.demo.scenario;

import com.example.ordershop.demo.process.ScenarioException;
import com.example.ordershop.demo.process.ShopCluster;
import io.github.zklock.LockException;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** A scenario of the demonstration. */
public enum Scenario {
    /** Clients complete orders in two shops at once without a lock: the statistics lose orders. */
    OFF(10, "Lock off"),
    /** The same under {@code @DistributedLock}: the statistics count every order, and the shops acquire the lock in turn. */
    ON(20, "Lock on"),
    /** Ten clients with a session each wait for one lock: each acquires it once, in queue order, one at a time. */
    QUEUE(1, "Ten clients queue"),
    /**
     * A shop is stopped between its lock and its transaction until its session expires: the database rejects the late
     * transaction, and zk-lock reports the loss to the shop.
     */
    PAUSED(1, "A holder is paused"),
    /** A shop is killed while it holds the lock: another shop acquires it when the session expires, and no order is lost. */
    KILLED(1, "A holder is killed");

    private final int runs;
    private final String title;

    Scenario(int runs, String title) {
        this.runs = runs;
        this.title = title;
    }

    public static Optional<Scenario> named(String name) {
        return Arrays.stream(values())
                .filter(scenario -> scenario.label().equals(name))
                .findAny();
    }

    public static String labels() {
        return Arrays.stream(values()).map(Scenario::label).collect(Collectors.joining(", "));
    }

    /** Returns the name in commands and URLs. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Returns the default number of runs. */
    public int runs() {
        return runs;
    }

    /**
     * Runs the scenario. If it cannot finish, the verdict is a failure with the reason.
     *
     * @param times number of runs of a repeated scenario
     */
    public Verdict run(ShopCluster cluster, int times) throws InterruptedException {
        cluster.report(label() + ": " + title);
        Verdict verdict;
        try {
            cluster.check();
            verdict = switch (this) {
                case OFF -> LoadScenario.run(cluster, false, times);
                case ON -> LoadScenario.run(cluster, true, times);
                case QUEUE -> QueueScenario.run(cluster);
                case PAUSED -> PausedHolderScenario.run(cluster);
                case KILLED -> KilledHolderScenario.run(cluster);
            };
        } catch (ScenarioException | LockException failed) {
            verdict = verdict(false, "not finished: " + failed.getMessage());
        }
        if (!verdict.passed()) {
            cluster.reportLastOutput();
        }
        return verdict;
    }

    /** Returns a verdict on this scenario. */
    Verdict verdict(boolean passed, String text) {
        return new Verdict(label(), passed, text);
    }
}
