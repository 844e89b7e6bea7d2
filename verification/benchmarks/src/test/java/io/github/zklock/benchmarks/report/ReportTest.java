package io.github.zklock.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import io.github.zklock.benchmarks.contender.Contenders;
import io.github.zklock.benchmarks.load.Figure;
import io.github.zklock.benchmarks.load.Figures;
import io.github.zklock.benchmarks.workload.Entry;
import io.github.zklock.benchmarks.workload.Goal;
import io.github.zklock.benchmarks.workload.Outcome;
import io.github.zklock.benchmarks.workload.Workload;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReportTest {

    private static final String PAGE = """
            What was there before.
            <!-- figures: written by verification/benchmarks/run full -->
            old figures
            <!-- end of figures -->
            What comes after.
            """;

    @TempDir
    Path folder;

    @Test
    void theFiguresOfAPageAreReplacedAndNothingElse() throws IOException {
        Path page = Files.writeString(folder.resolve("page.md"), PAGE);

        new Report(List.of(outcome())).publish(page, folder, "the command");

        assertThat(Files.readString(page))
                .startsWith("What was there before.\n")
                .endsWith("<!-- end of figures -->\nWhat comes after.\n")
                .contains("By `the command` on", "\n\n### A title\n\n| | per second (rounds) |\n")
                .doesNotContain("old figures", "goal");
    }

    @Test
    void aPageHasRelatedFiguresInOneColumnAndAPrintedTableHasAll() throws IOException {
        List<Figure> figures =
                List.of(Figure.RATE, Figure.MEDIAN, Figure.P99, Figure.TAIL, Figure.CPU_EACH, Figure.CPU_SERVERS);
        Outcome outcome = new Outcome(Workload.of(
                "id", "A title", "Why?", figures, List.of(entry("ours"), entry(Contenders.CURATOR.label()))));
        outcome.add("ours", figures(200, 10, 20, 3, 8, 5));
        outcome.add("ours", figures(300, 10, 20, 3, 8, 5));
        outcome.add(Contenders.CURATOR.label(), figures(100, 40, 80, 4, 16, 12));
        Path page = Files.writeString(folder.resolve("page.md"), PAGE);

        new Report(List.of(outcome)).publish(page, folder, "the command");

        assertThat(Files.readString(page)).contains("""
                ### A title

                | | per second (rounds) | times Curator | median (99 %), µs | CPU (servers), µs |
                |---|---:|---:|---:|---:|
                | ours | 250 (200-300) | 2x | 10 (20) | 8 (5) |
                | Curator | 100 (100-100) | 1x | 40 (80) | 16 (12) |

                <!-- end""");
        assertThat(Report.section(outcome))
                .contains("rounds from - to", "200 - 300", "99 %, µs", "99.9 % / median", "of it the servers', µs");
    }

    @Test
    void aPageLeavesOutWorkloadsThatAreOnlyPrinted() throws IOException {
        Path page = Files.writeString(folder.resolve("page.md"), PAGE);
        Outcome printed = new Outcome(Workload.of("other", "Another title", "Why?", List.of(Figure.RATE), List.of())
                .withoutPage());

        new Report(List.of(outcome(), printed)).publish(page, folder, "the command");

        assertThat(Files.readString(page)).contains("A title").doesNotContain("Another title");
        assertThat(Report.section(printed)).contains("Another title");
    }

    @Test
    void goalsAreBesideTheirFiguresAndTheMissedOnesInTheSummary() {
        String missed = "per second of ours, at most 100: 200, missed";
        String absent = "per second of absent, at most 100: not measured";

        assertThat(Report.section(outcome()))
                .contains(
                        "| ours   |        200 |        200 - 200 |",
                        "- goal: per second of ours, at least 2 times that of theirs: 2, reached\n",
                        "- goal: " + missed + "\n",
                        "- goal: " + absent + "\n");
        assertThat(new Report(List.of(outcome())).summary())
                .isEqualTo("### 3 goals, 1 reached\n\n- A title: " + missed + "\n- A title: " + absent);
    }

    @Test
    void chartsThatPagesShowAreReplaced() throws IOException {
        Path page = Files.writeString(folder.resolve("page.md"), PAGE);
        Path chart = Files.writeString(folder.resolve("id.svg"), "an old chart");

        new Report(List.of(outcome(), outcome("other"))).publish(page, folder, "the command");

        assertThat(chart).content().startsWith("<svg").contains("A title");
        assertThat(folder.resolve("other.svg")).doesNotExist();
    }

    @Test
    void measuredReleasesAreNamed() {
        assertThat(Report.libraries())
                .matches("curator-recipes \\d\\S*, redisson \\d\\S*, shedlock-core \\d\\S*, spring-boot \\d\\S*,"
                        + " spring-integration-zookeeper \\d\\S*, zookeeper \\d\\S*");
    }

    @Test
    void pageWithoutMarksIsNotChanged() throws IOException {
        Path page = Files.writeString(folder.resolve("page.md"), "No marks.");

        assertThatIOException()
                .isThrownBy(() -> new Report(List.of(outcome())).publish(page, folder, "the command"))
                .withMessageContaining("has no lines");
        assertThat(page).hasContent("No marks.");
    }

    private static Outcome outcome() {
        return outcome("id");
    }

    private static Outcome outcome(String id) {
        Outcome outcome = new Outcome(Workload.of(
                id,
                "A title",
                "Why?",
                List.of(Figure.RATE),
                List.of(entry("ours"), entry("theirs")),
                new Goal(Goal.Sort.AT_LEAST, 2, Figure.RATE, "ours", "theirs"),
                new Goal(Goal.Sort.AT_MOST, 100, Figure.RATE, "ours", null),
                new Goal(Goal.Sort.AT_MOST, 100, Figure.RATE, "absent", null)));
        outcome.add("ours", Figures.of(Figure.RATE, 200));
        outcome.add("theirs", Figures.of(Figure.RATE, 100));
        return outcome;
    }

    private static Figures figures(double rate, double median, double p99, double tail, double cpu, double servers) {
        return Figures.of(Figure.RATE, rate)
                .and(Figure.MEDIAN, median)
                .and(Figure.P99, p99)
                .and(Figure.TAIL, tail)
                .and(Figure.CPU_EACH, cpu)
                .and(Figure.CPU_SERVERS, servers);
    }

    private static Entry entry(String label) {
        return new Entry(label, context -> {
            throw new UnsupportedOperationException();
        });
    }
}
