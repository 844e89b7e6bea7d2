package io.github.zklock.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.github.zklock.faults.RunOptions.Mode;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RunOptionsTest {

    @Test
    void defaultIsEveryScenarioOnce() {
        RunOptions options = RunOptions.parse(List.of());

        assertThat(options.mode()).isEqualTo(Mode.QUICK);
        assertThat(options.engine()).isEqualTo("zklock");
        assertThat(options.seed()).isEqualTo(1);
        assertThat(options.wants("S3")).isTrue();
    }

    @Test
    void helpIsParsed() {
        assertThat(parse("--help").mode()).isEqualTo(Mode.HELP);
    }

    @Test
    void allOptionsAreParsed() {
        RunOptions options = parse("soak 60 --scenario S3,S5 --seed 7 --planted no-owner-check");

        assertThat(options.mode()).isEqualTo(Mode.SOAK);
        assertThat(options.time()).isEqualTo(Duration.ofMinutes(60));
        assertThat(options.seed()).isEqualTo(7);
        assertThat(options.planted()).isEqualTo("no-owner-check");
        assertThat(options.wants("S3")).isTrue();
        assertThat(options.wants("S1")).isFalse();
    }

    @Test
    void otherEnginesImplyTheModePeers() {
        assertThat(parse("--engine curator").mode()).isEqualTo(Mode.PEERS);
        assertThat(parse("soak 1 --engine curator").mode()).isEqualTo(Mode.SOAK);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "soak",
                "soak long",
                "fast",
                "--seed",
                "--seed x",
                "--scenario S99",
                "--engine redis",
                "--engine curator --planted no-owner-check",
                "planted --engine curator",
                "planted --planted no-such-bug",
                "planted --scenario S3",
                "soak 0",
                "soak -5",
                "--variant zklock",
                "all --scenario S3 --variant zklock"
            })
    void invalidOptionsAreRejected(String words) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> parse(words))
                .withMessageMatching("(?s).*'.+'.*|bugs can.*");
    }

    private static RunOptions parse(String words) {
        return RunOptions.parse(Arrays.asList(words.split(" ", -1)));
    }
}
