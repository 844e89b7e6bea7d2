package io.github.zklock.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.github.zklock.faults.Order.Mode;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OrderTest {

    @Test
    void nothingAsksForEveryScenarioOnce() {
        Order order = Order.parse(List.of());

        assertThat(order.mode()).isEqualTo(Mode.QUICK);
        assertThat(order.engine()).isEqualTo("zklock");
        assertThat(order.seed()).isEqualTo(1);
        assertThat(order.wants("S3")).isTrue();
    }

    @Test
    void helpIsNoMistake() {
        assertThat(parse("--help").mode()).isEqualTo(Mode.HELP);
    }

    @Test
    void everythingCanBeAskedFor() {
        Order order = parse("soak 60 --scenario S3,S5 --seed 7 --planted no-owner-check");

        assertThat(order.mode()).isEqualTo(Mode.SOAK);
        assertThat(order.time()).isEqualTo(Duration.ofMinutes(60));
        assertThat(order.seed()).isEqualTo(7);
        assertThat(order.planted()).isEqualTo("no-owner-check");
        assertThat(order.wants("S3")).isTrue();
        assertThat(order.wants("S1")).isFalse();
    }

    @Test
    void locksOfOthersAreToBeFoundOut() {
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
    void whatMakesNoSenseIsRefused(String words) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> parse(words))
                .withMessageMatching("(?s).*'.+'.*|bugs can.*");
    }

    private static Order parse(String words) {
        return Order.parse(Arrays.asList(words.split(" ", -1)));
    }
}
