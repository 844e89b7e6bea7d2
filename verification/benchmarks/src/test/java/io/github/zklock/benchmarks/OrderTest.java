package io.github.zklock.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.github.zklock.benchmarks.Order.Mode;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class OrderTest {

    @Test
    void isForAFirstImpressionOfAllUnlessMoreIsSaid() {
        Order order = Order.parse(List.of());

        assertThat(order).isEqualTo(new Order(Mode.QUICK, Set.of()));
        assertThat(order.wants("free")).isTrue();
        assertThat(order.isToBePublished()).isFalse();
    }

    @Test
    void mayBeForSomeWorkloads() {
        Order order = Order.parse(List.of("full", "--workload", "free,tries"));

        assertThat(order.wants("tries")).isTrue();
        assertThat(order.wants("own")).isFalse();
        assertThat(order.isToBePublished())
                .as("whether a part replaces the whole")
                .isFalse();
    }

    @Test
    void mayBeForHelp() {
        assertThat(Order.parse(List.of("--help")).mode()).isEqualTo(Mode.HELP);
    }

    @Test
    void isPublishedIfItIsFullAndWhole() {
        assertThat(Order.parse(List.of("full")).isToBePublished()).isTrue();
    }

    @Test
    void saysWhatMakesNoSense() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Order.parse(List.of("fast")))
                .withMessage("'fast' is no word of this command");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Order.parse(List.of("--workload")))
                .withMessage("--workload names none");
    }
}
