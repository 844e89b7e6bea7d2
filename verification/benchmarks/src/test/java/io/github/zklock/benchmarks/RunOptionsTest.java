package io.github.zklock.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.github.zklock.benchmarks.RunOptions.Mode;
import io.github.zklock.benchmarks.load.Figure;
import io.github.zklock.benchmarks.workload.Workload;
import io.github.zklock.benchmarks.workload.Workloads;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class RunOptionsTest {

    private static final List<Workload> ALL = Stream.of("free", "own-64", "all-of-4", "three-processes", "permits")
            .map(id -> Workload.of(id, "A title", "Why?", List.of(Figure.RATE), List.of()))
            .toList();

    @Test
    void defaultIsQuick() {
        RunOptions options = RunOptions.parse(List.of());

        assertThat(options).isEqualTo(new RunOptions(Mode.QUICK, Set.of(), false, false, 0));
        assertThat(ids(options)).containsExactly("free", "own-64", "all-of-4", "three-processes");
        assertThat(options.isToBePublished()).isFalse();
    }

    @Test
    void quickMeasuresWorkloadsThatExist() {
        assertThatCode(() -> RunOptions.parse(List.of("quick")).select(Workloads.all()))
                .doesNotThrowAnyException();
    }

    @Test
    void workloadsCanBeChosen() {
        RunOptions options = RunOptions.parse(List.of("full", "--workload", "free,permits"));

        assertThat(ids(options)).containsExactly("free", "permits");
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

        assertThat(options.select(ALL)).isEqualTo(ALL);
        assertThat(options.isToBePublished()).isTrue();
    }

    @Test
    void resumedRunIsPublishedWithAllThatWasMeasured() {
        RunOptions options = RunOptions.parse(List.of("full", "--resume", "--workload", "free"));

        assertThat(options.resumed()).isTrue();
        assertThat(ids(options)).containsExactly("free");
        assertThat(options.isToBePublished()).isTrue();
    }

    @Test
    void quickRunsOtherWorkloadsIfTheyAreNamed() {
        assertThat(ids(RunOptions.parse(List.of("--workload", "permits")))).containsExactly("permits");
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
                .isThrownBy(() -> RunOptions.parse(List.of("--workload", "fre")).select(ALL))
                .withMessage("No workload 'fre'; `run list` prints all");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RunOptions.parse(List.of("full", "--disks")))
                .withMessage("--disks would replace the figures of an idle machine without disks; use it with quick");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RunOptions.parse(List.of("--busy", "2", "full")))
                .withMessageStartingWith("--busy would replace");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RunOptions.parse(List.of("--busy", "--disks")))
                .withMessage("--busy is followed by a number of threads from 1 to 99, not '--disks'");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RunOptions.parse(List.of("--busy")))
                .withMessageEndingWith("not ''");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RunOptions.parse(List.of("quick", "--resume")))
                .withMessage("--resume continues a full run; use it with full");
    }

    @Test
    void serversWaitForTheirDisksAndTheMachineIsBusyOnRequest() {
        RunOptions options = RunOptions.parse(List.of("--workload", "free", "--disks", "--busy", "2"));

        assertThat(options).isEqualTo(new RunOptions(Mode.QUICK, Set.of("free"), false, true, 2));
    }

    private static List<String> ids(RunOptions options) {
        return options.select(ALL).stream().map(Workload::id).toList();
    }
}
