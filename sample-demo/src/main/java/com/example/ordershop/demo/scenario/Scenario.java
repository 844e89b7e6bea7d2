package com.example.ordershop.demo.scenario;

import com.example.ordershop.demo.process.ScenarioException;
import com.example.ordershop.demo.process.ShopCluster;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** A scenario of the demonstration. */
public enum Scenario {
    OFF(10, "Lock off", "Clients complete orders in several shops at once without a lock: the statistics lose orders."),
    ON(
            20,
            "Lock on",
            "The same under @DistributedLock: the statistics count every order, and the shops acquire the lock in turn."),
    QUEUE(
            1,
            "Ten clients queue",
            "Ten clients with a session each wait for one lock: each acquires it once, in queue order, one at a time."),
    PAUSED(
            1,
            "A holder is paused",
            "A shop is stopped between computing and writing until its session expires: the database rejects its late"
                    + " write, and zk-lock reports the loss to the shop."),
    KILLED(
            1,
            "A holder is killed",
            "A shop is killed while it holds the lock: another shop acquires it when the session expires; no order is lost.");

    private final int runs;
    private final String title;
    private final String about;

    Scenario(int runs, String title, String about) {
        this.runs = runs;
        this.title = title;
        this.about = about;
    }

    public static Optional<Scenario> named(String name) {
        return Arrays.stream(values())
                .filter(scenario -> scenario.label().equals(name))
                .findAny();
    }

    public static String labels() {
        return Arrays.stream(values()).map(Scenario::label).collect(Collectors.joining(", "));
    }

    public static List<Scenario> all() {
        return List.of(values());
    }

    /** Returns the name in commands and URLs. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    public String title() {
        return title;
    }

    public String about() {
        return about;
    }

    /** Returns the default number of runs. */
    public int runs() {
        return runs;
    }

    /** Returns the number of orders that the progress counts. */
    public int orders(Load load, int times) {
        return this == OFF || this == ON ? times * load.wanted() : 0;
    }

    /** Runs the scenario. If it cannot finish, the verdict is a failure with the reason. */
    public Verdict run(ShopCluster cluster, Load load, int times) throws InterruptedException {
        cluster.listener().line(label() + ": " + title);
        Verdict verdict = judged(cluster, load, times);
        if (!verdict.passed()) {
            cluster.reportLastOutput();
        }
        return verdict;
    }

    private Verdict judged(ShopCluster cluster, Load load, int times) throws InterruptedException {
        try {
            cluster.check();
            return switch (this) {
                case OFF -> LockOffScenario.run(cluster, load, times);
                case ON -> LockOnScenario.run(cluster, load, times);
                case QUEUE -> QueueScenario.run(cluster);
                case PAUSED -> PausedHolderScenario.run(cluster);
                case KILLED -> KilledHolderScenario.run(cluster);
            };
        } catch (ScenarioException failed) {
            return new Verdict(label(), false, "not finished: " + failed.getMessage());
        }
    }
}
