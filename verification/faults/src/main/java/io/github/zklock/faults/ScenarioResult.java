package io.github.zklock.faults;

import io.github.zklock.faults.check.Verdict;
import io.github.zklock.faults.context.ScenarioSkippedException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.awaitility.core.ConditionTimeoutException;

/**
 * The result of one scenario run.
 *
 * @param verdict the verdict of the checkers, partial if the run broke off; empty if nothing was judged
 * @param findings what was wrong, or why the scenario was skipped; empty if it passed
 * @param records the folder with the records of a failed run
 */
record ScenarioResult(
        ScenarioRun run, Outcome outcome, Optional<Verdict> verdict, String findings, Path records, double seconds) {

    private static final String BROKEN = "Broken off: ";

    /** The three outcomes of a run; a skipped scenario cannot run on this machine. */
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

    /**
     * Returns the result of a run that threw.
     *
     * @param part the verdict on the events before the failure, if the checkers could judge them
     */
    static ScenarioResult failed(
            ScenarioRun run, Throwable failure, Optional<Verdict> part, Path records, long startedAt) {
        boolean byAssertion = failure instanceof AssertionError || failure instanceof ConditionTimeoutException;
        String findings = byAssertion ? String.valueOf(failure.getMessage()) : BROKEN + failure;
        String further = part.map(Verdict::describe).orElse("");
        return new ScenarioResult(
                run, Outcome.FAILED, part, (findings + "\n" + further).strip(), records, secondsSince(startedAt));
    }

    static ScenarioResult skipped(ScenarioRun run, ScenarioSkippedException reason, Path records, long startedAt) {
        String why = String.valueOf(reason.getMessage());
        return new ScenarioResult(run, Outcome.SKIPPED, Optional.empty(), why, records, secondsSince(startedAt));
    }

    /** Returns the first finding about the locks. Empty for a run that passed, had too few events, or broke off. */
    Optional<String> firstFinding() {
        return outcome == Outcome.FAILED
                ? findings.lines()
                        .filter(line -> !line.isBlank() && !line.startsWith("Inconclusive") && !line.startsWith(BROKEN))
                        .findFirst()
                : Optional.empty();
    }

    /** Returns the figures that the scenario has measured, one line for each measurement. */
    List<String> figures() {
        return verdict.map(Verdict::figures).orElse(List.of());
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
