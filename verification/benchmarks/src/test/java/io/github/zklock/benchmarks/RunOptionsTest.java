package io.github.zklock.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.github.zklock.benchmarks.RunOptions.Mode;
import io.github.zklock.benchmarks.workload.Goal;
import io.github.zklock.benchmarks.workload.Workload;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RunOptionsTest {

    private static final Goal GOAL = new Goal(Goal.Sort.AT_LEAST, 1, "rate", "a system", null);
    private static final Workload FREE = workload("free");
    private static final Workload TRIES = workload("tries", GOAL);
    private static final Workload PERMITS = workload("permits");

    @Test
    void defaultIsQuick() {
        RunOptions options = RunOptions.parse(List.of());

        assertThat(options).isEqualTo(new RunOptions(Mode.QUICK, Set.of(), false));
        assertThat(options.wants(FREE)).isTrue();
        assertThat(options.wants(TRIES)).isFalse();
        assertThat(options.wants(PERMITS)).isFalse();
        assertThat(options.isToBePublished()).isFalse();
    }

    @Test
    void workloadsCanBeChosen() {
        RunOptions options = RunOptions.parse(List.of("full", "--workload", "free,permits"));

        assertThat(options.wants(FREE)).isTrue();
        assertThat(options.wants(TRIES)).isFalse();
        assertThat(options.wants(PERMITS)).isTrue();
        assertThat(options.isToBePublished())
                .as("whether a part replaces the whole")
                .isFalse();
    }

    @Test
    void helpIsParsed() {
        assertThat(RunOptions.parse(List.of("--help")).mode()).isEqualTo(Mode.HELP);
    }

    @Test
    void fullRunOfAllWorkloadsIsPublished() {
        RunOptions options = RunOptions.parse(List.of("full"));

        assertThat(options.wants(PERMITS)).isTrue();
        assertThat(options.isToBePublished()).isTrue();
    }

    @Test
    void resumedRunIsPublishedWithAllThatWasMeasured() {
        RunOptions options = RunOptions.parse(List.of("full", "--resume", "--workload", "free"));

        assertThat(options.resumed()).isTrue();
        assertThat(options.wants(FREE)).isTrue();
        assertThat(options.wants(PERMITS)).isFalse();
        assertThat(options.isToBePublished()).isTrue();
    }

    @Test
    void quickRunsOtherWorkloadsIfTheyAreNamed() {
        assertThat(RunOptions.parse(List.of("--workload", "permits")).wants(PERMITS))
                .isTrue();
    }

    @Test
    void invalidOptionsAreRejected() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RunOptions.parse(List.of("fast")))
                .withMessage("'fast' is no mode or option");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RunOptions.parse(List.of("--workload")))
                .withMessage("--workload names none");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RunOptions.parse(List.of("profile")))
                .withMessage("profile asks for --workload");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RunOptions.parse(List.of("quick", "--resume")))
                .withMessage("--resume continues a full run; use it with full");
    }

    private static Workload workload(String id, Goal... goals) {
        return new Workload(id, "A title", "Why?", List.of(), List.of("rate"), List.of(goals), 1, false);
    }
}
