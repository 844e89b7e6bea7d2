package io.github.zklock.zookeeper.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.zklock.zookeeper.internal.runtime.Steps;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;
import org.junit.jupiter.api.Test;

class LimitedCallsTest {

    private static final Duration LIMIT = Duration.ofSeconds(1);

    private final Queue<Runnable> looks = new ArrayDeque<>();
    private long now;
    private final LimitedCalls calls = new LimitedCalls(
            new Steps() {
                @Override
                public void execute(Runnable step) {
                    step.run();
                }

                @Override
                public Runnable after(long nanos, Runnable step) {
                    looks.add(step);
                    return () -> looks.remove(step);
                }
            },
            Runnable::run,
            () -> now);

    @Test
    void callIsInterruptedAtItsLimitAndItsResultRefused() {
        assertThatThrownBy(() -> calls.get(LIMIT, this::endLate))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("the function did not return within 1 s and was interrupted");

        assertThat(Thread.interrupted()).isFalse();
    }

    @Test
    void callIsLimitedAfterAPauseWithoutCalls() {
        assertThat(calls.get(LIMIT, () -> "in time")).isEqualTo("in time");
        for (Runnable look = looks.poll(); look != null; look = looks.poll()) {
            look.run();
        }

        assertThatThrownBy(() -> calls.get(LIMIT, this::endLate)).isInstanceOf(IllegalStateException.class);
    }

    /** A function that notices the interrupt, and returns nevertheless. */
    private String endLate() {
        now += LIMIT.toNanos();
        looks.remove().run();
        assertThat(Thread.currentThread().isInterrupted()).isTrue();
        return "late";
    }
}
