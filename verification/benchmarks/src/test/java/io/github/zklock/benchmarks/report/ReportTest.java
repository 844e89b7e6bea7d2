package io.github.zklock.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import io.github.zklock.benchmarks.load.Figures;
import io.github.zklock.benchmarks.workload.Entry;
import io.github.zklock.benchmarks.workload.Goal;
import io.github.zklock.benchmarks.workload.Outcome;
import io.github.zklock.benchmarks.workload.Workload;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
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

        new Report(List.of(outcome())).publish(page, "charts", "the command");

        assertThat(Files.readString(page))
                .startsWith("What was there before.\n")
                .endsWith("<!-- end of figures -->\nWhat comes after.\n")
                .contains("By `the command` on", "![A title](charts/id.svg)", "| ours | 200 | 200 - 200 |")
                .doesNotContain("old figures");
    }

    @Test
    void goalsAreInOneTableAndBesideTheirFigures() throws IOException {
        Path page = Files.writeString(folder.resolve("page.md"), PAGE);

        new Report(List.of(outcome())).publish(page, "charts", "the command");

        assertThat(Files.readString(page))
                .contains(
                        "### 3 goals, 1 reached",
                        "| A title | per second of ours, at least 2 times that of theirs | 2 | reached |",
                        "| A title | per second of ours, at most 100 | 200 | missed |",
                        "| A title | per second of absent, at most 100 | - | not measured |",
                        "- goal: per second of ours, at least 2 times that of theirs: 2, reached\n",
                        "- goal: per second of ours, at most 100: 200, missed\n");
    }

    @Test
    void pageWithoutMarksIsNotChanged() throws IOException {
        Path page = Files.writeString(folder.resolve("page.md"), "No marks.");

        assertThatIOException()
                .isThrownBy(() -> new Report(List.of(outcome())).publish(page, "charts", "the command"))
                .withMessageContaining("has no lines");
        assertThat(page).hasContent("No marks.");
    }

    private static Outcome outcome() {
        List<Goal> goals = List.of(
                new Goal(Goal.Sort.AT_LEAST_TIMES, 2, Figures.RATE, "ours", "theirs"),
                new Goal(Goal.Sort.AT_MOST, 100, Figures.RATE, "ours", null),
                new Goal(Goal.Sort.AT_MOST, 100, Figures.RATE, "absent", null));
        Outcome outcome = new Outcome(new Workload(
                "id",
                "A title",
                "Why?",
                List.of(entry("ours"), entry("theirs")),
                List.of(Figures.RATE),
                goals,
                5,
                false));
        outcome.add("ours", new Figures(Map.of(Figures.RATE, 200.0)));
        outcome.add("theirs", new Figures(Map.of(Figures.RATE, 100.0)));
        return outcome;
    }

    private static Entry entry(String label) {
        return new Entry(label, false, context -> {
            throw new UnsupportedOperationException();
        });
    }
}
