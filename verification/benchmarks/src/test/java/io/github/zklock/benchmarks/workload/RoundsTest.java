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

    private static final WarmUp WARM_UP = new WarmUp(Duration.ofMillis(7), 2, 6);
    private static final Duration TIME = Duration.ofMillis(3);
    private static final int MANY = 60;

    private final List<String> played = new ArrayList<>();
    private final List<String> closed = new ArrayList<>();
    private List<Double> rates = List.of();
    private String failing = "";
    private String failingToClose = "";

    @Test
    void allEntriesAreWarmedUpBeforeTheFirstIsMeasured() throws Exception {
        rounds(2).play(workload("a", "b"));

        assertThat(played.subList(0, 6)).containsExactly("a 7", "a 7", "a 7", "b 7", "b 7", "b 7");
        assertThat(played.subList(6, 8)).containsExactlyInAnyOrder("a 3", "b 3");
        assertThat(played.subList(8, 10)).containsExactlyInAnyOrder("a 3", "b 3");
        assertThat(played).hasSize(10);
    }

    @Test
    void warmUpLastsUntilThereIsNoGain() throws Exception {
        rates = List.of(10.0, 10.4, 11.0, 11.1, 11.5, 30.0);

        rounds(1).play(workload("a"));

        assertThat(played).containsExactly("a 7", "a 7", "a 7", "a 7", "a 7", "a 3");
    }

    @Test
    void warmUpIsLimited() throws Exception {
        rates = List.of(1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0);

        rounds(1).play(workload("a"));

        assertThat(played).containsExactly("a 7", "a 7", "a 7", "a 7", "a 7", "a 7", "a 3");
    }

    @Test
    void coldCodeIsMeasuredAfterTheFirstRunWithoutGain() throws Exception {
        rates = List.of(10.0, 10.4, 11.0);

        rounds(1).play(workload("a").withColdCode());

        assertThat(played).containsExactly("a 7", "a 7", "a 3");
    }

    @Test
    void fewRoundsAreThree() throws Exception {
        rounds(5).play(workload("a").inFewRounds());

        assertThat(played).filteredOn("a 3"::equals).hasSize(3);
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
    void singleRoundHasNoWarmUp() throws Exception {
        rounds(5).play(workload("a", "b").once());

        assertThat(played).containsExactlyInAnyOrder("a 3", "b 3");
    }

    @Test
    void orderOfEntriesIsRandom() throws Exception {
        rounds(MANY).play(workload("a", "b", "c"));

        List<String> before = new ArrayList<>();
        for (int turn = 1; turn < played.size(); turn++) {
            if (played.get(turn).equals("c 3")) {
                before.add(played.get(turn - 1));
            }
        }
        assertThat(before).filteredOn("a 3"::equals).hasSizeGreaterThan(MANY / 6);
        assertThat(before).filteredOn("b 3"::equals).hasSizeGreaterThan(MANY / 6);
    }

    private static Rounds rounds(int count) {
        MeasurementContext nothing = null;
        return new Rounds(nothing, WARM_UP, count, TIME, new PrintStream(OutputStream.nullOutputStream()));
    }

    private Workload workload(String... labels) {
        List<Entry> entries = new ArrayList<>();
        for (String label : labels) {
            entries.add(new Entry(label, false, context -> new Recorded(label)));
        }
        return Workload.of("id", "A title", "Why?", entries, List.of(Figures.RATE));
    }

    private final class Recorded implements Measurement {

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
            double rate = played.size() < rates.size() ? rates.get(played.size()) : 1.0;
            played.add(turn);
            return new Figures(Map.of(Figures.RATE, rate));
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
