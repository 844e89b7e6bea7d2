package io.github.zklock.benchmarks.report;

import static java.util.stream.Collectors.joining;

import com.sun.management.OperatingSystemMXBean;
import io.github.zklock.benchmarks.contender.Contenders;
import io.github.zklock.benchmarks.load.Figure;
import io.github.zklock.benchmarks.workload.Entry;
import io.github.zklock.benchmarks.workload.Goal;
import io.github.zklock.benchmarks.workload.Outcome;
import java.io.File;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The outcomes of a run as Markdown, which can also be read on a terminal. */
public final class Report {

    private static final String BEGIN = "<!-- figures: written by verification/benchmarks/run full -->";
    private static final String END = "<!-- end of figures -->";

    /** The jar file of a measured library. */
    private static final Pattern LIBRARY = Pattern.compile("(curator-recipes|redisson|shedlock-core|spring-boot"
            + "|spring-integration-zookeeper|zookeeper)-(\\d[^/\\\\]*)\\.jar$");

    private static final double GIBIBYTE = 1 << 30;

    /** A column of a table: its heading, and the text of an entry. */
    private record Column(String heading, UnaryOperator<String> text) {}

    /** Two figures that share a column of the page, the second one in parentheses. */
    private record Pair(Figure figure, Figure added, String heading) {}

    private static final List<Pair> PAIRS = List.of(
            new Pair(Figure.MEDIAN, Figure.P99, "median (99 %), µs"),
            new Pair(Figure.CPU_EACH, Figure.CPU_SERVERS, "CPU (servers), µs"),
            new Pair(Figure.CPU_CLIENTS, Figure.CPU_SERVERS, "CPU of clients (servers), µs"));

    /** The figures that a run prints and no page needs. */
    private static final Set<Figure> ONLY_PRINTED =
            Set.of(Figure.TAIL, Figure.LEAST_SHARE, Figure.MOST_SHARE, Figure.MOST_EVENTS, Figure.HEAP_GROWTH);

    private final List<Outcome> outcomes;

    public Report(List<Outcome> outcomes) {
        this.outcomes = List.copyOf(outcomes);
    }

    /** Formats the table and the goals of one outcome. */
    public static String section(Outcome outcome) {
        String goals = outcome.workload().goals().stream()
                .map(goal -> "- goal: " + result(outcome, goal) + "\n")
                .collect(joining());
        return "### %s\n\n%s\n\n%s\n%s"
                .formatted(
                        outcome.workload().title(),
                        outcome.workload().question(),
                        padded(rows(outcome, allColumns(outcome))),
                        goals.isEmpty() ? "" : "\n" + goals);
    }

    /** Formats the table of one outcome for a page: with related figures in one column, and without goals. */
    private static String pageSection(Outcome outcome) {
        List<String> lines = new ArrayList<>();
        for (List<String> row : rows(outcome, pageColumns(outcome))) {
            lines.add(row.stream()
                    .map(cell -> cell.isEmpty() ? " |" : " " + cell + " |")
                    .collect(joining("", "|", "")));
        }
        lines.add(1, "|---|" + "---:|".repeat(pageColumns(outcome).size() - 1));
        return "### %s\n\n%s\n".formatted(outcome.workload().title(), String.join("\n", lines));
    }

    /** Returns how many goals there are and how many were reached, and names all others. */
    public String summary() {
        List<String> lines = new ArrayList<>();
        int goals = 0;
        for (Outcome outcome : outcomes) {
            for (Goal goal : outcome.workload().goals()) {
                goals++;
                if (!goal.isReached(outcome)) {
                    lines.add("- %s: %s".formatted(outcome.workload().title(), result(outcome, goal)));
                }
            }
        }
        return "### %d goals, %d reached\n\n%s"
                .formatted(goals, goals - lines.size(), String.join("\n", lines))
                .stripTrailing();
    }

    /**
     * Replaces the figures between the marks of a page, and the charts in a folder.
     *
     * @param charts has the charts that pages show, each named after its workload
     */
    public void publish(Path page, Path charts, String command) throws IOException {
        String text = Files.readString(page);
        int begin = text.indexOf(BEGIN);
        int end = text.indexOf(END);
        if (begin < 0 || end < begin) {
            throw new IOException(page + " has no lines '" + BEGIN + "' and '" + END + "' to write between");
        }
        String sections = outcomes.stream()
                .filter(outcome -> !outcome.workload().unpublished())
                .map(Report::pageSection)
                .collect(joining("\n"));
        String figures = "\n\nBy `%s` on %s, with %s.\n\n%s\n".formatted(command, machine(), libraries(), sections);
        Files.writeString(page, text.substring(0, begin + BEGIN.length()) + figures + text.substring(end));
        for (Outcome outcome : outcomes) {
            Path chart = charts.resolve(outcome.workload().id() + ".svg");
            if (Files.exists(chart)) {
                Files.writeString(chart, BarChart.svg(outcome));
            }
        }
    }

    private static String machine() {
        OperatingSystemMXBean system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        return "%d cores (%s), %d GiB of memory, %s %s, %s %s"
                .formatted(
                        system.getAvailableProcessors(),
                        system.getArch(),
                        Math.round(system.getTotalMemorySize() / GIBIBYTE),
                        system.getName(),
                        system.getVersion(),
                        System.getProperty("java.vm.name"),
                        System.getProperty("java.version"));
    }

    /** Returns the measured releases. */
    static String libraries() {
        return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator, -1))
                .map(jar -> LIBRARY.matcher(jar))
                .filter(Matcher::find)
                .map(jar -> jar.group(1) + " " + jar.group(2))
                .sorted()
                .collect(joining(", "));
    }

    private static String result(Outcome outcome, Goal goal) {
        String target = (goal.sort() == Goal.Sort.AT_LEAST ? "at least " : "at most ") + Numbers.of(goal.bound());
        if (goal.versus() != null) {
            target += (goal.sort() == Goal.Sort.AT_MOST_MORE ? " more than" : " times") + " that of " + goal.versus();
        }
        String goalOf = "%s of %s, %s: ".formatted(goal.figure().heading(), goal.label(), target);
        OptionalDouble measured = goal.reached(outcome);
        if (measured.isEmpty()) {
            return goalOf + "not measured";
        }
        String verdict = goal.isReached(outcome) ? ", reached" : ", missed";
        return goalOf + Numbers.beside(goal.bound(), measured.getAsDouble()) + verdict;
    }

    private static List<List<String>> rows(Outcome outcome, List<Column> columns) {
        List<List<String>> rows = new ArrayList<>();
        rows.add(columns.stream().map(Column::heading).toList());
        for (Entry entry : outcome.workload().entries()) {
            rows.add(columns.stream()
                    .map(column -> column.text().apply(entry.label()))
                    .toList());
        }
        return rows;
    }

    private static List<Column> allColumns(Outcome outcome) {
        List<Figure> figures = outcome.workload().figures();
        Figure first = figures.get(0);
        List<Column> columns = new ArrayList<>();
        columns.add(new Column("", label -> label));
        columns.add(new Column(first.heading(), label -> overall(outcome, label, first)));
        columns.add(new Column("rounds from - to", label -> range(outcome, label, first, " - ")));
        versus(outcome, first).forEach(other -> columns.add(ratio(outcome, first, other)));
        figures.stream()
                .skip(1)
                .forEach(figure -> columns.add(new Column(figure.heading(), label -> overall(outcome, label, figure))));
        return columns;
    }

    private static List<Column> pageColumns(Outcome outcome) {
        List<Figure> figures = outcome.workload().figures();
        Figure first = figures.get(0);
        List<Column> columns = new ArrayList<>();
        columns.add(new Column("", label -> label));
        if (outcome.workload().isRepeated()) {
            columns.add(new Column(
                    first.heading() + " (rounds)",
                    label -> "%s (%s)".formatted(overall(outcome, label, first), range(outcome, label, first, "-"))));
        } else {
            columns.add(new Column(first.heading(), label -> overall(outcome, label, first)));
        }
        versus(outcome, first).stream()
                .filter(Contenders.CURATOR.label()::equals)
                .forEach(curator -> columns.add(ratio(outcome, first, curator)));
        for (Figure figure : figures.subList(1, figures.size())) {
            boolean added = PAIRS.stream().anyMatch(pair -> pair.added() == figure && figures.contains(pair.figure()));
            if (!added && !ONLY_PRINTED.contains(figure)) {
                columns.add(pageColumn(outcome, figure));
            }
        }
        return columns;
    }

    private static Column pageColumn(Outcome outcome, Figure figure) {
        Optional<Pair> found = PAIRS.stream()
                .filter(pair ->
                        pair.figure() == figure && outcome.workload().figures().contains(pair.added()))
                .findFirst();
        UnaryOperator<String> text = label -> overall(outcome, label, figure);
        return found.map(pair -> new Column(
                        pair.heading(),
                        label -> "%s (%s)".formatted(text.apply(label), overall(outcome, label, pair.added()))))
                .orElseGet(() -> new Column(figure.heading(), text));
    }

    private static String overall(Outcome outcome, String label, Figure figure) {
        return Numbers.of(outcome.overall(label, figure));
    }

    private static String range(Outcome outcome, String label, Figure figure, String to) {
        return Numbers.of(outcome.least(label, figure)) + to + Numbers.of(outcome.most(label, figure));
    }

    private static Column ratio(Outcome outcome, Figure figure, String other) {
        return new Column(
                "times " + other,
                label -> Numbers.of(outcome.compare(label, other, figure, (one, theirs) -> one / theirs)) + "x");
    }

    /** Returns the entries with which all others are compared, for figures where a ratio makes sense. */
    private static List<String> versus(Outcome outcome, Figure first) {
        List<String> present =
                outcome.workload().entries().stream().map(Entry::label).toList();
        return Stream.of(Contenders.CURATOR.label(), Contenders.CREATE_AND_DELETE.label())
                .filter(label -> (first == Figure.RATE || first == Figure.BYTES) && present.contains(label))
                .toList();
    }

    /** Formats rows of the same length. The first one is the head. */
    private static String padded(List<List<String>> rows) {
        int[] widths = IntStream.range(0, rows.get(0).size())
                .map(column -> rows.stream()
                        .mapToInt(row -> row.get(column).length())
                        .max()
                        .orElseThrow())
                .toArray();
        List<String> lines = new ArrayList<>();
        for (List<String> row : rows) {
            StringBuilder line = new StringBuilder("|");
            for (int column = 0; column < widths.length; column++) {
                String format = column == 0 ? " %-" : " %";
                line.append(String.format(Locale.ROOT, format + Math.max(widths[column], 1) + "s |", row.get(column)));
            }
            lines.add(line.toString());
        }
        String rule = IntStream.of(widths)
                .skip(1)
                .mapToObj(width -> "-".repeat(width + 1) + ":|")
                .collect(joining());
        lines.add(1, "|" + "-".repeat(widths[0] + 2) + "|" + rule);
        return String.join("\n", lines);
    }
}
