package io.github.zklock.benchmarks.workload;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.benchmarks.load.Figure;
import io.github.zklock.benchmarks.load.Figures;
import java.util.List;
import org.junit.jupiter.api.Test;

class GoalTest {

    private final Outcome outcome =
            new Outcome(Workload.of("free", "A free lock", "How long?", List.of(Figure.RATE), List.of()));

    @Test
    void goalComparesTheSameRounds() {
        // the machine was slow in the second round, for both
        rounds("ours", 200, 20, 300);
        rounds("theirs", 100, 10, 100);
        Goal goal = Goal.atLeastTimes(2.5, Figure.RATE, "ours", "theirs");

        assertThat(goal.reached(outcome)).hasValue(2);
        assertThat(goal.isReachedBy(2)).isFalse();
        assertThat(goal.isReachedBy(2.5)).isTrue();
    }

    @Test
    void goalCanBeADifference() {
        rounds("ours", 1_100, 1_250);
        rounds("theirs", 1_000, 1_000);
        Goal goal = Goal.atMostMore(200, Figure.RATE, "ours", "theirs");

        assertThat(goal.reached(outcome)).hasValue(175);
        assertThat(goal.isReachedBy(175)).isTrue();
        assertThat(goal.isReachedBy(201)).isFalse();
    }

    @Test
    void goalCanBeAbsolute() {
        rounds("ours", 3, 1, 2);

        assertThat(Goal.atMost(1, Figure.RATE, "ours").reached(outcome)).hasValue(2);
        assertThat(Goal.atMost(1, Figure.RATE, "ours").isReachedBy(2)).isFalse();
        assertThat(Goal.atLeast(1, Figure.RATE, "ours").isReachedBy(2)).isTrue();
    }

    @Test
    void goalForALargestValueIsMissedByOneBadRound() {
        for (double most : new double[] {1, 16, 1}) {
            outcome.add("ours", Figures.of(Figure.MOST_EVENTS, most).and(Figure.LEAST_EVENTS, most - 1));
        }

        assertThat(Goal.atMost(1, Figure.MOST_EVENTS, "ours").reached(outcome)).hasValue(16);
        assertThat(Goal.atLeast(1, Figure.LEAST_EVENTS, "ours").reached(outcome))
                .hasValue(0);
    }

    @Test
    void goalIsNotReachedIfAnEntryIsMissing() {
        rounds("ours", 1);

        assertThat(Goal.atLeastTimes(1, Figure.RATE, "ours", "theirs").reached(outcome))
                .isEmpty();
    }

    private void rounds(String label, double... rates) {
        for (double rate : rates) {
            outcome.add(label, Figures.of(Figure.RATE, rate));
        }
    }
}
