package io.github.zklock.benchmarks.report;

import static java.util.stream.Collectors.joining;

import io.github.zklock.benchmarks.contender.Contenders;
import io.github.zklock.benchmarks.load.Figures;
import io.github.zklock.benchmarks.workload.Entry;
import io.github.zklock.benchmarks.workload.Goal;
import io.github.zklock.benchmarks.workload.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.stream.IntStream;

/** The table of one outcome. */
final class ResultTable {

    private final Outcome outcome;
    private final List<List<String>> rows = new ArrayList<>();

    ResultTable(Outcome outcome) {
        this.outcome = outcome;
        List<String> versus = versus();
        List<String> head = new ArrayList<>(List.of(""));
        String first = outcome.workload().figures().get(0);
        outcome.workload().figures().forEach(figure -> {
            head.add(FigureLabels.heading(figure));
            if (figure.equals(first)) {
                head.add("rounds from - to");
                versus.forEach(other -> head.add("times " + other));
            }
        });
        rows.add(head);
        outcome.workload().entries().forEach(entry -> rows.add(row(entry, versus)));
    }

    /** Formats the table for a terminal. */
    String text() {
        int[] widths = IntStream.range(0, rows.get(0).size())
                .map(column -> rows.stream()
                        .mapToInt(row -> row.get(column).length())
                        .max()
                        .orElseThrow())
                .toArray();
        return rows.stream().map(row -> line(row, widths)).collect(joining("\n"));
    }

    /** Formats the table as Markdown. */
    String markdown() {
        List<String> lines = new ArrayList<>();
        for (List<String> row : rows) {
            lines.add("| " + String.join(" | ", row) + " |");
            if (lines.size() == 1) {
                lines.add("|---|" + "---:|".repeat(row.size() - 1));
            }
        }
        return String.join("\n", lines);
    }

    /**
     * A goal and its result.
     *
     * @param goal the figure, the entry and the bound
     * @param measured the measured value
     * @param verdict whether the goal was reached
     */
    record Result(String goal, String measured, String verdict) {
        @Override
        public String toString() {
            return "%s: %s, %s".formatted(goal, measured, verdict);
        }
    }

    /** Returns all goals with their results. */
    List<Result> goals() {
        return outcome.workload().goals().stream().map(this::result).toList();
    }

    private Result result(Goal goal) {
        OptionalDouble reached = goal.reached(outcome);
        String missed = reached.isEmpty() ? "not measured" : "missed";
        String verdict = goal.isReached(outcome) ? "reached" : missed;
        String bound = Numbers.of(goal.bound());
        String target = switch (goal.sort()) {
            case AT_LEAST -> "at least " + bound;
            case AT_MOST -> "at most " + bound;
            case AT_LEAST_TIMES -> "at least " + bound + " times that of " + goal.versus();
            case AT_MOST_TIMES -> "at most " + bound + " times that of " + goal.versus();
            case AT_MOST_MORE -> "at most " + bound + " more than that of " + goal.versus();
        };
        return new Result(
                "%s of %s, %s".formatted(FigureLabels.heading(goal.figure()), goal.label(), target),
                reached.isPresent() ? Numbers.beside(goal.bound(), reached.getAsDouble()) : Numbers.of(reached),
                verdict);
    }

    /** Returns the entries with which all others are compared, for figures where a ratio makes sense. */
    private List<String> versus() {
        String first = outcome.workload().figures().get(0);
        if (!first.equals(Figures.RATE) && !first.equals(Figures.BYTES)) {
            return List.of();
        }
        List<String> present =
                outcome.workload().entries().stream().map(Entry::label).toList();
        return List.of(Contenders.CURATOR.label(), Contenders.CREATE_AND_DELETE.label()).stream()
                .filter(present::contains)
                .toList();
    }

    private List<String> row(Entry entry, List<String> versus) {
        String label = entry.label();
        String first = outcome.workload().figures().get(0);
        List<String> row = new ArrayList<>(List.of(label));
        for (String figure : outcome.workload().figures()) {
            row.add(Numbers.of(outcome.overall(label, figure)));
            if (figure.equals(first)) {
                row.add(Numbers.of(outcome.least(label, figure)) + " - " + Numbers.of(outcome.most(label, figure)));
                versus.forEach(other -> row.add(
                        Numbers.of(outcome.compare(label, other, figure, (one, theirs) -> one / theirs)) + "x"));
            }
        }
        return row;
    }

    private static String line(List<String> row, int[] widths) {
        StringBuilder line = new StringBuilder("  ");
        for (int column = 0; column < widths.length; column++) {
            String format = column == 0 ? "%-" + (widths[column] + 2) + "s" : "%" + (widths[column] + 2) + "s";
            line.append(String.format(Locale.ROOT, format, row.get(column)));
        }
        return line.toString();
    }
}
