package io.github.zklock.faults;

import io.github.zklock.faults.check.Verdict;
import io.github.zklock.faults.stage.SkippedScenario;
import java.nio.file.Path;
import java.util.Optional;
import org.awaitility.core.ConditionTimeoutException;

/**
 * What came of a performance.
 *
 * @param outcome of all of it
 * @param verdict of the checkers, in part if it broke off; none if there was nothing to judge
 * @param complaint what was wrong, or why it could not be played; empty if nothing
 * @param kept where what happened can be read, if something was wrong
 */
record Review(
        Performance performance,
        Outcome outcome,
        Optional<Verdict> verdict,
        String complaint,
        Path kept,
        double seconds) {

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

    static Review of(Performance performance, Verdict verdict, Path kept, long began) {
        Outcome outcome = verdict.passed() ? Outcome.PASSED : Outcome.FAILED;
        return new Review(performance, outcome, Optional.of(verdict), verdict.describe(), kept, secondsSince(began));
    }

    /** @param part what the checkers say of that which happened before, if they could be asked */
    static Review failed(Performance performance, Throwable failure, Optional<Verdict> part, Path kept, long began) {
        boolean said = failure instanceof AssertionError || failure instanceof ConditionTimeoutException;
        String complaint = said ? String.valueOf(failure.getMessage()) : BROKEN + failure;
        String further = part.map(Verdict::describe).orElse("");
        return new Review(
                performance, Outcome.FAILED, part, (complaint + "\n" + further).strip(), kept, secondsSince(began));
    }

    static Review skipped(Performance performance, SkippedScenario reason, Path kept, long began) {
        return new Review(
                performance,
                Outcome.SKIPPED,
                Optional.empty(),
                String.valueOf(reason.getMessage()),
                kept,
                secondsSince(began));
    }

    /** The first thing that was wrong; a run in which too little happened, or that broke off, says nothing of anybody. */
    Optional<String> seriousComplaint() {
        return outcome == Outcome.FAILED
                ? complaint
                        .lines()
                        .filter(line -> !line.isBlank() && !line.startsWith("Hollow") && !line.startsWith(BROKEN))
                        .findFirst()
                : Optional.empty();
    }

    @Override
    public String toString() {
        String counts = verdict.map(judged -> Verdict.inWords(judged.counts())).orElse("not judged");
        return "%-7s %-4s %s: %s, seed %d, %.1f s [%s]"
                .formatted(
                        outcome.word,
                        performance.id(),
                        performance.name(),
                        counts,
                        performance.seed(),
                        seconds,
                        performance.variant());
    }

    private static double secondsSince(long began) {
        return (System.nanoTime() - began) / 1e9;
    }
}
