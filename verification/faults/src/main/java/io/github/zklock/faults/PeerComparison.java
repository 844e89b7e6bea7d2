package io.github.zklock.faults;

import io.github.zklock.faults.ScenarioResult.Outcome;
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

/**
 * Runs the scenarios on the locks of other libraries. Known failures of these locks must be found, or the harness
 * itself is broken.
 */
final class PeerComparison {

    /**
     * A known failure.
     *
     * @param scenarios the ids of the scenarios that must show it
     * @param expected a pattern that a finding must match
     */
    record KnownFailure(Set<String> scenarios, Pattern expected) {

        static KnownFailure of(String expected, String... scenarios) {
            return new KnownFailure(Set.of(scenarios), Pattern.compile(expected));
        }

        boolean isSeenIn(ScenarioResult result) {
            return scenarios.contains(result.run().id())
                    && result(result).startsWith("flagged")
                    && findings(result).anyMatch(expected.asPredicate());
        }

        /** Returns all findings, including the violations that the printed text leaves out. */
        private static Stream<String> findings(ScenarioResult result) {
            return Stream.concat(
                    result.findings().lines(),
                    result.verdict().stream()
                            .flatMap(verdict -> verdict.violations().stream())
                            .map(Violation::text));
        }
    }

    /** The known failures of Curator's mutex, of its latch for leaders, and of ShedLock on its client. */
    private static final List<KnownFailure> KNOWN = List.of(
            KnownFailure.of("K1:", "S3"),
            KnownFailure.of("K6: .* was held for", "S3"),
            KnownFailure.of("K5:", "S5"),
            KnownFailure.of("seats made by one acquire|seats of one holder|Unexpected: .* FAILED|K8:", "S6", "S8"),
            KnownFailure.of("INTERRUPTED .*flag=true|left the thread interrupted", "S9"),
            KnownFailure.of("K1:", "S11"),
            KnownFailure.of("K9: .* was answered with", "S19"),
            KnownFailure.of("K1:", "S31"),
            KnownFailure.of("ran again after", "S32"));

    private static final String KNOWN_ENGINE = "curator";
    private static final int SHOWN = 160;

    private final PrintStream out;
    private final List<ScenarioResult> results = new ArrayList<>();

    PeerComparison(PrintStream out) {
        this.out = out;
    }

    /** Runs all scenarios and prints a table. Returns 1 if a known failure of a requested scenario was not found. */
    int run(Plan plan) {
        List<ScenarioRun> runs = plan.runs();
        try (ScenarioRunner runner = FaultsMain.runner()) {
            for (ScenarioRun run : runs) {
                ScenarioResult result = runner.execute(run);
                results.add(result);
                out.printf(
                        "[%d/%d] %s %s: %s%n",
                        results.size(), runs.size(), run.variant().engine(), run.id(), result(result));
                result.figures().forEach(figures -> out.println("        " + figures));
            }
        }
        table();
        List<ScenarioResult> theirs = results.stream()
                .filter(result -> result.run().variant().engine().equals(KNOWN_ENGINE))
                .toList();
        if (theirs.isEmpty()) {
            out.println("no failures of these libraries are known");
            return results.isEmpty() ? 1 : 0;
        }
        List<KnownFailure> missed = missed(plan.options(), theirs);
        out.println(missed.isEmpty() ? "all known failures were found" : "not found: " + missed);
        return missed.isEmpty() ? 0 : 1;
    }

    /** Describes a result. A run with too few events is no result. */
    static String result(ScenarioResult result) {
        if (result.outcome() == Outcome.PASSED) {
            return "passed";
        }
        if (result.outcome() == Outcome.SKIPPED) {
            return "skipped: " + result.findings();
        }
        return result.firstFinding()
                .map(line -> "flagged: " + shortened(line))
                .orElseGet(() ->
                        "no result: " + result.findings().lines().findFirst().orElse(""));
    }

    private void table() {
        Map<String, Map<String, String>> rows = new LinkedHashMap<>();
        for (ScenarioResult result : results) {
            ScenarioRun run = result.run();
            rows.computeIfAbsent(run.id() + " " + run.name(), it -> new LinkedHashMap<>())
                    .put(run.variant().engine(), result(result));
        }
        List<String> engines = results.stream()
                .map(result -> result.run().variant().engine())
                .distinct()
                .toList();
        out.println("| scenario | " + String.join(" | ", engines) + " |");
        out.println("|---|" + "---|".repeat(engines.size()));
        rows.forEach((scenario, results) -> out.println(engines.stream()
                .map(engine -> results.getOrDefault(engine, "-"))
                .collect(Collectors.joining(" | ", "| " + scenario + " | ", " |"))));
    }

    /** Returns the known failures of requested scenarios that no run has shown. */
    static List<KnownFailure> missed(RunOptions options, List<ScenarioResult> executed) {
        return KNOWN.stream()
                .filter(known -> options.scenarios().isEmpty()
                        || executed.stream()
                                .anyMatch(result ->
                                        known.scenarios().contains(result.run().id())))
                .filter(known -> executed.stream().noneMatch(known::isSeenIn))
                .toList();
    }

    private static String shortened(String line) {
        String text = line.strip().replace("|", "/");
        return text.length() <= SHOWN ? text : text.substring(0, SHOWN) + "...";
    }
}
