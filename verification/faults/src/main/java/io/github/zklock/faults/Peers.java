package io.github.zklock.faults;

import io.github.zklock.faults.Review.Outcome;
import io.github.zklock.faults.check.Violation;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The locks of others on the same stage. A harness that finds nothing in them finds nothing anywhere. */
final class Peers {

    /**
     * A failure that is known.
     *
     * @param scenarios in one of these it must be flagged
     * @param says with these words
     */
    record Known(Set<String> scenarios, Pattern says) {

        static Known of(String says, String... scenarios) {
            return new Known(Set.of(scenarios), Pattern.compile(says));
        }

        boolean isSeenIn(Review review) {
            return scenarios.contains(review.performance().id())
                    && result(review).startsWith("flagged")
                    && complaints(review).anyMatch(says.asPredicate());
        }

        /** Also those that are too many to be shown. */
        private static Stream<String> complaints(Review review) {
            return Stream.concat(
                    review.complaint().lines(),
                    review.verdict().stream()
                            .flatMap(verdict -> verdict.violations().stream())
                            .map(Violation::text));
        }
    }

    /** What is known of Curator's mutex. */
    private static final List<Known> KNOWN = List.of(
            Known.of("K1:", "S3"),
            Known.of("K6: .* believed in its lock for", "S3"),
            Known.of("K5:", "S5"),
            Known.of("seats made by one acquire|seats of one holder|Unexpected: .* FAILED|K8:", "S6", "S8"),
            Known.of("INTERRUPTED .*flag=true|left the thread interrupted", "S9"),
            Known.of("K1:", "S11"),
            Known.of("K9: .* was answered with", "S19"));

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
        List<Review> theirs = reviews.stream()
                .filter(review -> review.performance().variant().engine().equals(KNOWN_ENGINE))
                .toList();
        if (theirs.isEmpty()) {
            out.println("nothing is known of these beforehand");
            return reviews.isEmpty() ? 1 : 0;
        }
        List<Known> missed = missed(plan.order(), theirs);
        out.println(missed.isEmpty() ? "all that is known of them was found" : "not found: " + missed);
        return missed.isEmpty() ? 0 : 1;
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

    /** What is known of scenarios that were asked for, and was not seen in any of them. */
    static List<Known> missed(Order order, List<Review> played) {
        return KNOWN.stream()
                .filter(known -> order.scenarios().isEmpty()
                        || played.stream()
                                .anyMatch(review -> known.scenarios()
                                        .contains(review.performance().id())))
                .filter(known -> played.stream().noneMatch(known::isSeenIn))
                .toList();
    }

    private static String shortened(String line) {
        String text = line.strip().replace("|", "/");
        return text.length() <= SHOWN ? text : text.substring(0, SHOWN) + "...";
    }
}
