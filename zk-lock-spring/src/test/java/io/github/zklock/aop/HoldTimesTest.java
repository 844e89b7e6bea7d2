package io.github.zklock.aop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.zklock.LockContext;
import io.github.zklock.LockHandle;
import io.github.zklock.LockLostException;
import io.github.zklock.LockRegistry;
import io.github.zklock.LockState;
import io.github.zklock.annotation.DistributedLock;
import io.github.zklock.config.TestApplication;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

class HoldTimesTest extends AopTest {

    static class Jobs {

        @DistributedLock(name = "/jobs/long", holdAtLeast = "1h")
        public LockHandle kept() {
            return LockContext.current().get(0);
        }

        @DistributedLock(name = "/jobs/short", holdAtLeast = "${jobs.hold:50ms}")
        public void keptShortly() {}

        @DistributedLock(name = "/jobs/limited", maxHold = "20ms")
        public void limited() {
            LockHandle handle = LockContext.current().get(0);
            Awaitility.await().atMost(PATIENCE).until(() -> handle.state() == LockState.LOST);
        }
    }

    @Test
    void othersWaitUntilTheMinimumTimeIsOver() throws Exception {
        try (var others = TestApplication.registry()) {
            TestApplication.of(Jobs.class).run(context -> {
                // connects both registries first: the measured time must not include their connections
                context.getBean(LockRegistry.class)
                        .lock("/jobs/first")
                        .acquire(PATIENCE)
                        .close();
                others.lock("/jobs/first").acquire(PATIENCE).close();

                long began = System.nanoTime();
                context.getBean(Jobs.class).keptShortly();
                others.lock("/jobs/short").acquire(PATIENCE).close();

                assertThat(Duration.ofNanos(System.nanoTime() - began)).isGreaterThan(Duration.ofMillis(40));
            });
        }
    }

    @Test
    void theEndOfTheApplicationReleasesKeptLocks() throws Exception {
        try (var others = TestApplication.registry()) {
            TestApplication.of(Jobs.class).run(context -> {
                LockHandle kept = context.getBean(Jobs.class).kept();
                assertThat(kept.isHeld()).isTrue();
                assertThat(others.lock("/jobs/long").tryAcquire()).isEmpty();

                context.close();

                assertThat(kept.state()).isEqualTo(LockState.RELEASED);
                others.lock("/jobs/long").acquire(PATIENCE).close();
            });
        }
    }

    @Test
    void aMethodThatExceedsItsMaximumHoldLosesItsLock() {
        TestApplication.of(Jobs.class).run(context -> {
            assertThatThrownBy(context.getBean(Jobs.class)::limited).isInstanceOf(LockLostException.class);
            assertThat(context.getBean(LockRegistry.class).inspector().held()).isEmpty();
        });
    }
}
