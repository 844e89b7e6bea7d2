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
 * @param unpublished whether the table is printed only, because no page and no decision uses it
 */
public record Workload(
        String id,
        String title,
        String question,
        List<Figure> figures,
        List<Entry> entries,
        List<Goal> goals,
        int rounds,
        boolean cold,
        boolean unpublished) {

    private static final int FEW = 3;

    public Workload {
        figures = List.copyOf(figures);
        entries = List.copyOf(entries);
        goals = List.copyOf(goals);
    }

    public static Workload of(
            String id, String title, String question, List<Figure> figures, List<Entry> entries, Goal... goals) {
        return new Workload(id, title, question, figures, entries, List.of(goals), Integer.MAX_VALUE, false, false);
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
        return new Workload(id, title, question, figures, entries, goals, rounds, true, unpublished);
    }

    /** For tables that no page and no decision uses. */
    public Workload withoutPage() {
        return new Workload(id, title, question, figures, entries, goals, rounds, cold, true);
    }

    /** Returns whether there are several rounds, and therefore a warm-up. */
    public boolean isRepeated() {
        return rounds > 1;
    }

    private Workload inRounds(int most) {
        return new Workload(id, title, question, figures, entries, goals, most, cold, unpublished);
    }
}
