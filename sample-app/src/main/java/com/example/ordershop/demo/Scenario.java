package com.example.ordershop.demo;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** What can be shown. */
enum Scenario {
    OFF(
            10,
            "Lock off",
            "Customers have orders completed in several shops at once, without a lock: orders are lost from the statistics."),
    ON(20, "Lock on", "The same under @DistributedLock: every order is counted, and the lock goes from shop to shop."),
    QUEUE(
            1,
            "Ten clients queue",
            "Ten clients with a session each want one lock: each is served once, in the order of the queue, never two."),
    PAUSED(
            1,
            "A holder is paused",
            "A shop is stopped between computing and writing until its session is over: its late write is refused by the"
                    + " fence, and it is told of the loss."),
    KILLED(
            1,
            "A holder is killed",
            "A shop is killed while it holds the lock: another one gets it when the session ends, and no order is lost.");

    private final int runs;
    private final String title;
    private final String about;

    Scenario(int runs, String title, String about) {
        this.runs = runs;
        this.title = title;
        this.about = about;
    }

    static Optional<Scenario> named(String name) {
        return Arrays.stream(values())
                .filter(scenario -> scenario.label().equals(name))
                .findAny();
    }

    static String labels() {
        return Arrays.stream(values()).map(Scenario::label).collect(Collectors.joining(", "));
    }

    static List<Scenario> all() {
        return List.of(values());
    }

    /** Its name in commands and addresses. */
    String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    String title() {
        return title;
    }

    String about() {
        return about;
    }

    /** How often it is repeated unless said otherwise. */
    int runs() {
        return runs;
    }

    /** How many orders it makes progress by. */
    int orders(Load load, int times) {
        return this == OFF || this == ON ? times * load.wanted() : 0;
    }

    /** Plays it; what goes wrong on the way is a verdict, too. */
    Verdict play(Stage stage, Load load, int times) throws InterruptedException {
        stage.audience().line(label() + ": " + title);
        Verdict verdict = judged(stage, load, times);
        if (!verdict.passed()) {
            stage.tellLastWords();
        }
        return verdict;
    }

    private Verdict judged(Stage stage, Load load, int times) throws InterruptedException {
        try {
            stage.check();
            return act().play(stage, load, times);
        } catch (StageException failed) {
            return new Verdict(label(), false, "not played to its end: " + failed.getMessage());
        }
    }

    private Act act() {
        return switch (this) {
            case OFF -> new LockOff();
            case ON -> new LockOn();
            case QUEUE -> new TenInLine();
            case PAUSED -> new PausedHolder();
            case KILLED -> new KilledHolder();
        };
    }
}
