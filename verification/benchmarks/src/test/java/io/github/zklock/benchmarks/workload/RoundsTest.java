package io.github.zklock.benchmarks.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.github.zklock.benchmarks.load.Figure;
import io.github.zklock.benchmarks.load.Figures;
import java.io.OutputStream;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

class RoundsTest {

    private static final WarmUp WARM_UP = new WarmUp(Duration.ofMillis(7), 2, 6);
    private static final Duration TIME = Duration.ofMillis(3);
    private static final int MANY = 60;

    private final List<String> measured = new ArrayList<>();
    private final List<String> closed = new CopyOnWriteArrayList<>();
    private List<Double> rates = List.of();
    private List<Double> compiling = List.of();
    private String failing = "";
    private String failingToClose = "";

    @Test
    void allEntriesAreWarmedUpBeforeTheFirstIsMeasured() throws Exception {
        rounds(2).measure(workload("a", "b"));

        assertThat(measured.subList(0, 6)).containsExactly("a 7", "a 7", "a 7", "b 7", "b 7", "b 7");
        assertThat(measured.subList(6, 8)).as("not recorded").containsExactly("a 3", "b 3");
        assertThat(measured.subList(8, 10)).containsExactlyInAnyOrder("a 3", "b 3");
        assertThat(measured.subList(10, 12)).containsExactlyInAnyOrder("a 3", "b 3");
        assertThat(measured).hasSize(12);
    }

    @Test
    void warmUpLastsUntilThereIsNoGain() throws Exception {
        rates = List.of(10.0, 10.4, 11.0, 11.1, 11.5, 30.0);

        rounds(1).measure(workload("a"));

        assertThat(measured).containsExactly("a 7", "a 7", "a 7", "a 7", "a 7", "a 3", "a 3");
    }

    @Test
    void warmUpLastsWhileCodeIsCompiled() throws Exception {
        compiling = List.of(900.0, 400.0, 60.0, 50.0, 20.0);

        rounds(1).measure(workload("a"));

        assertThat(measured).containsExactly("a 7", "a 7", "a 7", "a 7", "a 7", "a 3", "a 3");
    }

    @Test
    void warmUpIsLimited() throws Exception {
        rates = List.of(1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0);

        rounds(1).measure(workload("a"));

        assertThat(measured).containsExactly("a 7", "a 7", "a 7", "a 7", "a 7", "a 7", "a 3", "a 3");
    }

    @Test
    void coldCodeIsMeasuredAfterTheFirstRunWithoutGain() throws Exception {
        rates = List.of(10.0, 10.4, 11.0);

        rounds(1).measure(workload("a").withColdCode());

        assertThat(measured).containsExactly("a 7", "a 7", "a 3");
    }

    @Test
    void fewRoundsAreThree() throws Exception {
        rounds(5).measure(workload("a").inFewRounds());

        assertThat(measured).filteredOn("a 3"::equals).as("one is not recorded").hasSize(4);
    }

    @Test
    void allAreClosedWhateverHappens() {
        Workload workload = workload("a", "b");
        failing = "a 3";
        failingToClose = "b";

        assertThatIllegalStateException()
                .isThrownBy(() -> rounds(1).measure(workload))
                .withMessage("a 3")
                .satisfies(failure -> assertThat(failure.getSuppressed()[0]).hasRootCauseMessage("close b"));
        assertThat(closed).containsExactlyInAnyOrder("a", "b");
    }

    @Test
    void singleRoundHasNoWarmUp() throws Exception {
        rounds(5).measure(workload("a", "b").once());

        assertThat(measured).containsExactlyInAnyOrder("a 3", "b 3");
    }

    @Test
    void orderOfEntriesIsRandom() throws Exception {
        rounds(MANY).measure(workload("a", "b", "c"));

        List<String> before = new ArrayList<>();
        for (int turn = 1; turn < measured.size(); turn++) {
            if (measured.get(turn).equals("c 3")) {
                before.add(measured.get(turn - 1));
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
            entries.add(new Entry(label, context -> new Recorded(label)));
        }
        return Workload.of("id", "A title", "Why?", List.of(Figure.RATE), entries);
    }

    private final class Recorded implements Measurement {

        private final String label;

        Recorded(String label) {
            this.label = label;
        }

        @Override
        public void settle(Duration time) {
            run(time);
        }

        @Override
        public Figures run(Duration time) {
            String turn = label + " " + time.toMillis();
            if (turn.equals(failing)) {
                throw new IllegalStateException(turn);
            }
            int run = measured.size();
            double rate = run < rates.size() ? rates.get(run) : 1.0;
            double milliseconds = run < compiling.size() ? compiling.get(run) : 0.0;
            measured.add(turn);
            return Figures.of(Figure.RATE, rate).and(Figure.COMPILING, milliseconds);
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
