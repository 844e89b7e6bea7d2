package io.github.zklock.faults;

import io.github.zklock.faults.check.Count;
import io.github.zklock.faults.check.Verdict;
import java.util.EnumMap;
import java.util.Map;

/** The totals of all scenario runs of one command. */
final class Totals {

    private final Map<Count, Integer> counts = new EnumMap<>(Count.class);
    private int passed;
    private int failed;
    private int skipped;

    void add(ScenarioResult result) {
        switch (result.outcome()) {
            case PASSED -> passed++;
            case FAILED -> failed++;
            case SKIPPED -> skipped++;
        }
        result.verdict()
                .ifPresent(verdict ->
                        verdict.counts().forEach((count, number) -> counts.merge(count, number, count::combine)));
    }

    /** Returns 0 if at least one scenario ran and none failed, 1 otherwise. */
    int exitCode() {
        return passed > 0 && failed == 0 ? 0 : 1;
    }

    @Override
    public String toString() {
        return "%s%n%d passed, %d failed, %d skipped".formatted(Verdict.inWords(counts), passed, failed, skipped);
    }
}
