package io.github.zklock.faults;

import io.github.zklock.faults.Review.Outcome;
import io.github.zklock.faults.record.Timeline;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** The locks of others on the same stage. A harness that finds nothing in them finds nothing anywhere. */
final class Peers {

    /** What is known of Curator's mutex: it must be flagged in one scenario of each set. */
    private static final List<Set<String>> KNOWN =
            List.of(Set.of("S3"), Set.of("S5"), Set.of("S6", "S8"), Set.of("S9"), Set.of("S11"), Set.of("S19"));

    private static final String KNOWN_ENGINE = "curator";
    private static final int SHOWN = 160;

    private final PrintStream out;
    private final List<Review> reviews = new ArrayList<>();

    Peers(PrintStream out) {
        this.out = out;
    }

    /** Plays all and shows a table; returns 0 if all that is known, and was asked for, was found. */
    int findOut(Plan plan) {
        List<Performance> performances = plan.performances();
        try (Theatre theatre = Faults.theatre()) {
            for (Performance performance : performances) {
                Review review = theatre.play(performance);
                reviews.add(review);
                out.printf(
                        "[%d/%d] %s %s: %s%n",
                        reviews.size(),
                        performances.size(),
                        performance.variant().engine(),
                        performance.id(),
                        result(review));
            }
        }
        table();
        List<Set<String>> missed = missed(plan.order());
        out.println(missed.isEmpty() ? "all known failures found" : "not found: " + missed);
        return missed.isEmpty() && !reviews.isEmpty() ? 0 : 1;
    }

    /** A run in which too little happened says nothing of anybody. */
    static String result(Review review) {
        if (review.outcome() == Outcome.PASSED) {
            return "passed";
        }
        if (review.outcome() == Outcome.SKIPPED) {
            return "not played: " + review.complaint();
        }
        return review.seriousComplaint()
                .map(line -> "flagged: " + shortened(line))
                .orElseGet(() ->
                        "no result: " + review.complaint().lines().findFirst().orElse(""));
    }

    private void table() {
        Map<String, Map<String, String>> rows = new LinkedHashMap<>();
        for (Review review : reviews) {
            Performance performance = review.performance();
            rows.computeIfAbsent(performance.id() + " " + performance.name(), it -> new LinkedHashMap<>())
                    .put(performance.variant().engine(), result(review));
        }
        List<String> engines = reviews.stream()
                .map(review -> review.performance().variant().engine())
                .distinct()
                .toList();
        out.println("| scenario | " + String.join(" | ", engines) + " |");
        out.println("|---|" + "---|".repeat(engines.size()));
        rows.forEach((scenario, results) -> out.println(engines.stream()
                .map(engine -> results.getOrDefault(engine, "-"))
                .collect(Collectors.joining(" | ", "| " + scenario + " | ", " |"))));
    }

    private List<Set<String>> missed(Order order) {
        Set<String> flagged = reviews.stream()
                .filter(review -> review.performance().variant().engine().equals(KNOWN_ENGINE))
                .filter(review -> result(review).startsWith("flagged"))
                .map(review -> review.performance().id())
                .collect(Collectors.toSet());
        boolean played = order.engine().equals(KNOWN_ENGINE) || order.engine().equals(Timeline.OURS);
        return KNOWN.stream()
                .filter(ids -> played && ids.stream().anyMatch(order::wants))
                .filter(ids -> ids.stream().noneMatch(flagged::contains))
                .toList();
    }

    private static String shortened(String line) {
        String text = line.strip().replace("|", "/");
        return text.length() <= SHOWN ? text : text.substring(0, SHOWN) + "...";
    }
}
