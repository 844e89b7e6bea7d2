package io.github.zklock.benchmarks.report;

import io.github.zklock.benchmarks.workload.Goal;
import io.github.zklock.benchmarks.workload.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Writes all outcomes of a run, for readers and for programs. */
public final class Report {

    private static final String BEGIN = "<!-- figures: written by verification/benchmarks/run full -->";
    private static final String END = "<!-- end of figures -->";

    private final List<Outcome> outcomes;

    /** @param outcomes may grow later */
    public Report(List<Outcome> outcomes) {
        this.outcomes = Collections.unmodifiableList(outcomes);
    }

    /** Formats one outcome for a terminal. */
    public static String text(Outcome outcome) {
        ResultTable table = new ResultTable(outcome);
        List<String> lines = new ArrayList<>(List.of(outcome.workload().title(), table.text()));
        table.goals().forEach(goal -> lines.add("  goal: " + goal));
        return String.join("\n", lines);
    }

    /** Returns how many goals there are, and how many were reached. */
    public String summary() {
        long goals = 0;
        long reached = 0;
        for (Outcome outcome : outcomes) {
            List<Goal> ofWorkload = outcome.workload().goals();
            goals += ofWorkload.size();
            reached +=
                    ofWorkload.stream().filter(goal -> goal.isReached(outcome)).count();
        }
        return "%d goals, %d reached".formatted(goals, reached);
    }

    public void writeCharts(Path folder) throws IOException {
        Files.createDirectories(folder);
        for (Outcome outcome : outcomes) {
            Files.writeString(folder.resolve(outcome.workload().id() + ".svg"), new BarChart(outcome).svg());
        }
    }

    /**
     * Replaces the figures between the marks of a page.
     *
     * @param charts the folder of the charts, relative to the page
     */
    public void publish(Path page, String charts, String command) throws IOException {
        String text = Files.readString(page);
        int begin = text.indexOf(BEGIN);
        int end = text.indexOf(END);
        if (begin < 0 || end < begin) {
            throw new IOException(page + " has no lines '" + BEGIN + "' and '" + END + "' to write between");
        }
        String figures = "\n\nBy `%s` on %s, with %s.\n\n%s%s\n\n"
                .formatted(command, Machine.describe(), Versions.describe(), sections(charts), goals());
        Files.writeString(page, text.substring(0, begin + BEGIN.length()) + figures + text.substring(end));
    }

    /** Returns a table of all goals. */
    private String goals() {
        List<String> lines = new ArrayList<>(
                List.of("### " + summary(), "", "| workload | goal | measured | |", "|---|---|---:|---|"));
        for (Outcome outcome : outcomes) {
            for (ResultTable.Result goal : new ResultTable(outcome).goals()) {
                lines.add("| %s | %s | %s | %s |"
                        .formatted(outcome.workload().title(), goal.goal(), goal.measured(), goal.verdict()));
            }
        }
        return String.join("\n", lines);
    }

    private String sections(String charts) {
        StringBuilder sections = new StringBuilder();
        for (Outcome outcome : outcomes) {
            ResultTable table = new ResultTable(outcome);
            sections.append("### %s\n\n%s\n\n"
                    .formatted(outcome.workload().title(), outcome.workload().question()));
            sections.append("![%s](%s/%s.svg)\n\n"
                    .formatted(
                            outcome.workload().title(),
                            charts,
                            outcome.workload().id()));
            sections.append(table.markdown()).append("\n\n");
            List<ResultTable.Result> goals = table.goals();
            goals.forEach(goal -> sections.append("- goal: ").append(goal).append('\n'));
            sections.append(goals.isEmpty() ? "" : "\n");
        }
        return sections.toString();
    }
}
