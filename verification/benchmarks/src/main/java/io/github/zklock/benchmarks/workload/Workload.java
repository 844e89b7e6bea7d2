package io.github.zklock.benchmarks.workload;

import io.github.zklock.benchmarks.load.Figure;
import java.util.List;

/**
 * A workload: what is measured, with which entries, and the goals.
 *
 * @param question the question that it answers
 * @param figures the reported figures, the first of which is charted
 * @param rounds the largest number of rounds, for workloads that take long
 * @param cold whether the figures hardly depend on compiled code
 */
public record Workload(
        String id,
        String title,
        String question,
        List<Figure> figures,
        List<Entry> entries,
        List<Goal> goals,
        int rounds,
        boolean cold) {

    private static final int FEW = 3;

    public Workload {
        figures = List.copyOf(figures);
        entries = List.copyOf(entries);
        goals = List.copyOf(goals);
    }

    public static Workload of(
            String id, String title, String question, List<Figure> figures, List<Entry> entries, Goal... goals) {
        return new Workload(id, title, question, figures, entries, List.of(goals), Integer.MAX_VALUE, false);
    }

    /** For workloads that take long. */
    Workload inFewRounds() {
        return inRounds(FEW);
    }

    /** For workloads that cannot be repeated. */
    Workload once() {
        return inRounds(1);
    }

    /** For figures that are counted, or that depend on other code than the measured. */
    Workload withColdCode() {
        return new Workload(id, title, question, figures, entries, goals, rounds, true);
    }

    /** Returns whether there are several rounds, and therefore a warm-up. */
    boolean isRepeated() {
        return rounds > 1;
    }

    private Workload inRounds(int most) {
        return new Workload(id, title, question, figures, entries, goals, most, cold);
    }
}
