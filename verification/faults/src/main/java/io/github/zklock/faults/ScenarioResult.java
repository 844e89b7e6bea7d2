package io.github.zklock.faults;

import io.github.zklock.faults.check.Verdict;
import io.github.zklock.faults.context.ScenarioSkippedException;
import java.nio.file.Path;
import java.util.Optional;
import org.awaitility.core.ConditionTimeoutException;

/**
 * What came of a performance.
 *
 * @param outcome of all of it
 * @param verdict of the checkers, in part if it broke off; none if there was nothing to judge
 * @param findings what was wrong, or why it could not be played; empty if nothing
 * @param records where what happened can be read, if something was wrong
 */
record ScenarioResult(
        ScenarioRun run, Outcome outcome, Optional<Verdict> verdict, String findings, Path records, double seconds) {

    private static final String BROKEN = "Broken off: ";

    /** Whether all was as promised, and whether that could be seen at all. */
    enum Outcome {
        PASSED("passed"),
        FAILED("FAILED"),
        SKIPPED("SKIPPED");

        private final String word;

        Outcome(String word) {
            this.word = word;
        }
    }

    static ScenarioResult of(ScenarioRun run, Verdict verdict, Path records, long startedAt) {
        Outcome outcome = verdict.passed() ? Outcome.PASSED : Outcome.FAILED;
        return new ScenarioResult(
                run, outcome, Optional.of(verdict), verdict.describe(), records, secondsSince(startedAt));
    }

    /** @param part what the checkers say of that which happened before, if they could be asked */
    static ScenarioResult failed(
            ScenarioRun run, Throwable failure, Optional<Verdict> part, Path records, long startedAt) {
        boolean said = failure instanceof AssertionError || failure instanceof ConditionTimeoutException;
        String findings = said ? String.valueOf(failure.getMessage()) : BROKEN + failure;
        String further = part.map(Verdict::describe).orElse("");
        return new ScenarioResult(
                run, Outcome.FAILED, part, (findings + "\n" + further).strip(), records, secondsSince(startedAt));
    }

    static ScenarioResult skipped(ScenarioRun run, ScenarioSkippedException reason, Path records, long startedAt) {
        return new ScenarioResult(
                run,
                Outcome.SKIPPED,
                Optional.empty(),
                String.valueOf(reason.getMessage()),
                records,
                secondsSince(startedAt));
    }

    /** The first thing that was wrong; a run in which too little happened, or that broke off, says nothing of anybody. */
    Optional<String> firstFinding() {
        return outcome == Outcome.FAILED
                ? findings.lines()
                        .filter(line -> !line.isBlank() && !line.startsWith("Inconclusive") && !line.startsWith(BROKEN))
                        .findFirst()
                : Optional.empty();
    }

    @Override
    public String toString() {
        String counts = verdict.map(judged -> Verdict.inWords(judged.counts())).orElse("not judged");
        return "%-7s %-4s %s: %s, seed %d, %.1f s [%s]"
                .formatted(outcome.word, run.id(), run.name(), counts, run.seed(), seconds, run.variant());
    }

    private static double secondsSince(long startedAt) {
        return (System.nanoTime() - startedAt) / 1e9;
    }
}
