package io.github.zklock.benchmarks.workload;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.benchmarks.load.Figures;
import java.io.OutputStream;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RoundsTest {

    private static final Duration WARMING = Duration.ofMillis(7);
    private static final Duration TIME = Duration.ofMillis(3);
    private static final int MANY = 60;

    private final List<String> played = new ArrayList<>();

    @Test
    void everybodyIsWarmedBeforeAnybodyIsMeasured() throws Exception {
        rounds(2).play(workload("a", "b"));

        assertThat(played.subList(0, 2)).containsExactly("a 7", "b 7");
        assertThat(played.subList(2, 4)).containsExactlyInAnyOrder("a 3", "b 3");
        assertThat(played.subList(4, 6)).containsExactlyInAnyOrder("a 3", "b 3");
        assertThat(played).hasSize(6);
    }

    @Test
    void whatIsDoneOnceIsNotWarmed() throws Exception {
        rounds(5).play(workload("a", "b").once());

        assertThat(played).containsExactlyInAnyOrder("a 3", "b 3");
    }

    @Test
    void nobodyAlwaysComesAfterTheSameOne() throws Exception {
        rounds(MANY).play(workload("a", "b", "c"));

        List<String> before = new ArrayList<>();
        for (int turn = 3 + 1; turn < played.size(); turn++) {
            if (played.get(turn).equals("c 3")) {
                before.add(played.get(turn - 1));
            }
        }
        assertThat(before).filteredOn("a 3"::equals).hasSizeGreaterThan(MANY / 6);
        assertThat(before).filteredOn("b 3"::equals).hasSizeGreaterThan(MANY / 6);
    }

    private static Rounds rounds(int count) {
        Setting nothing = null;
        return new Rounds(nothing, WARMING, count, TIME, new PrintStream(OutputStream.nullOutputStream()));
    }

    private Workload workload(String... labels) {
        List<Entry> entries = new ArrayList<>();
        for (String label : labels) {
            entries.add(new Entry(label, false, setting -> new Recorded(label)));
        }
        return Workload.of("id", "A title", "Why?", entries, List.of(Figures.RATE));
    }

    private final class Recorded implements Player {

        private final String label;

        Recorded(String label) {
            this.label = label;
        }

        @Override
        public void prepare() {
            // there is nothing to prepare
        }

        @Override
        public Figures run(Duration time) {
            played.add(label + " " + time.toMillis());
            return new Figures(Map.of(Figures.RATE, 1.0));
        }

        @Override
        public void close() {
            // there is nothing to close
        }
    }
}
