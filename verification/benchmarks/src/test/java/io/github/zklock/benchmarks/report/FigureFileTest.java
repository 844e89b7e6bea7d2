package io.github.zklock.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import io.github.zklock.benchmarks.load.Figure;
import io.github.zklock.benchmarks.load.Figures;
import io.github.zklock.benchmarks.workload.Entry;
import io.github.zklock.benchmarks.workload.Outcome;
import io.github.zklock.benchmarks.workload.Workload;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FigureFileTest {

    private static final Workload FREE = workload("free");
    private static final Workload TRIES = workload("tries");

    @TempDir
    Path folder;

    @Test
    void whatWasWrittenIsReadAgain() throws IOException {
        Outcome outcome = new Outcome(FREE);
        outcome.add("zk-lock, bounded", Figures.of(Figure.RATE, 200.5).and(Figure.MEDIAN, 3));
        outcome.add("zk-lock, bounded", Figures.of(Figure.RATE, 300));
        outcome.add("Curator", Figures.of(Figure.RATE, 100));
        FigureFile file = new FigureFile(folder.resolve("results/figures.tsv"));

        file.write(List.of(outcome));
        List<Outcome> read = file.read(List.of(TRIES, FREE));

        assertThat(read).singleElement().satisfies(one -> {
            assertThat(one.workload()).isSameAs(FREE);
            assertThat(one.of("zk-lock, bounded")).isEqualTo(outcome.of("zk-lock, bounded"));
            assertThat(one.of("Curator")).isEqualTo(outcome.of("Curator"));
        });
    }

    @Test
    void nothingIsReadWithoutAFile() throws IOException {
        assertThat(new FigureFile(folder.resolve("figures.tsv")).read(List.of(FREE)))
                .isEmpty();
    }

    @Test
    void brokenLineIsNamed() throws IOException {
        Path path = Files.writeString(folder.resolve("figures.tsv"), "free\tCurator\tRATE=1.0\nfree\thalf a li");

        assertThatIOException()
                .isThrownBy(() -> new FigureFile(path).read(List.of(FREE)))
                .withMessage("'free\thalf a li' in " + path + " is no line of figures; delete the file");
    }

    private static Workload workload(String id) {
        List<Entry> entries = List.of(entry("zk-lock, bounded"), entry("Curator"));
        return Workload.of(id, "A title", "Why?", List.of(Figure.RATE), entries);
    }

    private static Entry entry(String label) {
        return new Entry(label, context -> {
            throw new UnsupportedOperationException();
        });
    }
}
