package io.github.zklock.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.github.zklock.benchmarks.Order.Mode;
import io.github.zklock.benchmarks.workload.Goal;
import io.github.zklock.benchmarks.workload.Workload;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class OrderTest {

    private static final Goal GOAL = new Goal(Goal.Sort.AT_LEAST, 1, "rate", "somebody", null);
    private static final Workload FREE = workload("free");
    private static final Workload TRIES = workload("tries", GOAL);
    private static final Workload PERMITS = workload("permits");

    @Test
    void isForAFirstImpressionUnlessMoreIsSaid() {
        Order order = Order.parse(List.of());

        assertThat(order).isEqualTo(new Order(Mode.QUICK, Set.of()));
        assertThat(order.wants(FREE)).isTrue();
        assertThat(order.wants(TRIES)).isFalse();
        assertThat(order.wants(PERMITS)).isFalse();
        assertThat(order.isToBePublished()).isFalse();
    }

    @Test
    void mayBeForSomeWorkloads() {
        Order order = Order.parse(List.of("full", "--workload", "free,permits"));

        assertThat(order.wants(FREE)).isTrue();
        assertThat(order.wants(TRIES)).isFalse();
        assertThat(order.wants(PERMITS)).isTrue();
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
        Order order = Order.parse(List.of("full"));

        assertThat(order.wants(PERMITS)).isTrue();
        assertThat(order.isToBePublished()).isTrue();
    }

    @Test
    void mayNameWhatAFirstImpressionLeavesOut() {
        assertThat(Order.parse(List.of("--workload", "permits")).wants(PERMITS)).isTrue();
    }

    @Test
    void saysWhatMakesNoSense() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Order.parse(List.of("fast")))
                .withMessage("'fast' is no word of this command");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Order.parse(List.of("--workload")))
                .withMessage("--workload names none");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Order.parse(List.of("profile")))
                .withMessage("profile asks for --workload");
    }

    private static Workload workload(String id, Goal... goals) {
        return new Workload(id, "A title", "Why?", List.of(), List.of("rate"), List.of(goals), 1, false);
    }
}
