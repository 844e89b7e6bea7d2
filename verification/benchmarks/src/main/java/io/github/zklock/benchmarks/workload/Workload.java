package io.github.zklock.benchmarks.workload;

import java.util.List;

/**
 * What is done, by whom, and what is hoped of it.
 *
 * @param question that it answers
 * @param figures that are told of it, the first of which is drawn
 * @param rounds at most, of those that take long by themselves
 * @param cold whether what is measured is the same for cold code, or nearly so
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

    /** Of those who take part, the variants of this library alone, of whom nothing is hoped. */
    public Workload ofOurs() {
        List<Entry> ours = entries.stream().filter(Entry::isOurs).toList();
        return new Workload(id, title, question, ours, figures, List.of(), rounds, cold);
    }

    /** For what takes long. */
    Workload inFewRounds() {
        return inRounds(FEW);
    }

    /** Whether it says something when it is measured again and again, and is warmed up before. */
    boolean isRepeated() {
        return rounds > 1;
    }

    /** For what is counted, or goes on elsewhere than in the code that is measured. */
    Workload withColdCode() {
        return new Workload(id, title, question, entries, figures, goals, rounds, true);
    }

    /** For what is not the same when it is done again. */
    Workload once() {
        return inRounds(1);
    }

    private Workload inRounds(int most) {
        return new Workload(id, title, question, entries, figures, goals, most, cold);
    }
}
