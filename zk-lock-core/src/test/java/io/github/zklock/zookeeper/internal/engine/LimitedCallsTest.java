package io.github.zklock.zookeeper.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.zklock.zookeeper.internal.runtime.Steps;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class LimitedCallsTest {

    private static final Duration LIMIT = Duration.ofSeconds(1);

    private final Queue<Runnable> looks = new ArrayDeque<>();
    private final AtomicBoolean noLook = new AtomicBoolean();
    private final AtomicBoolean noInterrupt = new AtomicBoolean();
    private long now;
    private final LimitedCalls calls = new LimitedCalls(
            new Steps() {
                @Override
                public void execute(Runnable step) {
                    step.run();
                }

                @Override
                public Runnable after(long nanos, Runnable step) {
                    failOnce(noLook);
                    looks.add(step);
                    return () -> looks.remove(step);
                }
            },
            task -> {
                failOnce(noInterrupt);
                task.run();
            },
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

    @Test
    void callIsLimitedAfterAnErrorThatPreventedTheLooksOfAnother() {
        noLook.set(true);
        assertThatThrownBy(() -> calls.get(LIMIT, () -> "any")).isInstanceOf(OutOfMemoryError.class);

        assertThatThrownBy(() -> calls.get(LIMIT, this::endLate)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void callIsLimitedAlthoughAnErrorPreventedItsFirstInterrupt() {
        noInterrupt.set(true);

        assertThatThrownBy(() -> calls.get(LIMIT, () -> {
                    now += LIMIT.toNanos();
                    assertThatThrownBy(() -> looks.remove().run()).isInstanceOf(OutOfMemoryError.class);
                    return endLate();
                }))
                .isInstanceOf(IllegalStateException.class);
    }

    private static void failOnce(AtomicBoolean fails) {
        if (fails.getAndSet(false)) {
            throw new OutOfMemoryError("planted by the test");
        }
    }

    /** A function that notices the interrupt, and returns nevertheless. */
    private String endLate() {
        now += LIMIT.toNanos();
        looks.remove().run();
        assertThat(Thread.currentThread().isInterrupted()).isTrue();
        return "late";
    }
}
