package io.github.zklock.benchmarks.workload;

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
        List<Entry> entries,
        List<String> figures,
        List<Goal> goals,
        int rounds,
        boolean cold) {

    private static final int FEW = 3;

    public Workload {
        entries = List.copyOf(entries);
        figures = List.copyOf(figures);
        goals = List.copyOf(goals);
    }

    static Workload of(String id, String title, String question, List<Entry> entries, List<String> figures) {
        return new Workload(id, title, question, entries, figures, List.of(), Integer.MAX_VALUE, false);
    }

    Workload withGoals(Goal... goals) {
        return new Workload(id, title, question, entries, figures, List.of(goals), rounds, cold);
    }

    /** Returns the same workload with the entries of this library only, and without goals. */
    public Workload ofOurs() {
        List<Entry> ours = entries.stream().filter(Entry::isOurs).toList();
        return new Workload(id, title, question, ours, figures, List.of(), rounds, cold);
    }

    /** For workloads that take long. */
    Workload inFewRounds() {
        return inRounds(FEW);
    }

    /** Returns whether there are several rounds, and therefore a warm-up. */
    boolean isRepeated() {
        return rounds > 1;
    }

    /** For figures that are counted, or that depend on other code than the measured. */
    Workload withColdCode() {
        return new Workload(id, title, question, entries, figures, goals, rounds, true);
    }

    /** For workloads that cannot be repeated. */
    Workload once() {
        return inRounds(1);
    }

    private Workload inRounds(int most) {
        return new Workload(id, title, question, entries, figures, goals, most, cold);
    }
}
