package io.github.zklock.benchmarks.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

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
    private final List<String> closed = new ArrayList<>();
    private String failing = "";
    private String failingToClose = "";

    @Test
    void everybodyIsWarmedBeforeAnybodyIsMeasured() throws Exception {
        rounds(2).play(workload("a", "b"));

        assertThat(played.subList(0, 2)).containsExactly("a 7", "b 7");
        assertThat(played.subList(2, 4)).containsExactlyInAnyOrder("a 3", "b 3");
        assertThat(played.subList(4, 6)).containsExactlyInAnyOrder("a 3", "b 3");
        assertThat(played).hasSize(6);
    }

    @Test
    void whatIsMeasuredInFewRoundsIsWarmedForHalfAsLong() throws Exception {
        rounds(5).play(workload("a").inFewRounds());

        assertThat(played).containsExactly("a 3", "a 3", "a 3", "a 3");
    }

    @Test
    void allAreClosedWhateverHappens() {
        Workload workload = workload("a", "b");
        failing = "a 3";
        failingToClose = "b";

        assertThatIllegalStateException()
                .isThrownBy(() -> rounds(1).play(workload))
                .withMessage("a 3")
                .satisfies(failure -> assertThat(failure.getSuppressed())
                        .singleElement()
                        .hasToString(new IllegalStateException("close b").toString()));
        assertThat(closed).containsExactlyInAnyOrder("a", "b");
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
            String turn = label + " " + time.toMillis();
            if (turn.equals(failing)) {
                throw new IllegalStateException(turn);
            }
            played.add(turn);
            return new Figures(Map.of(Figures.RATE, 1.0));
        }

        @Override
        public void close() {
            closed.add(label);
            if (label.equals(failingToClose)) {
                throw new IllegalStateException("close " + label);
            }
        }
    }
}
