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
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

class HoldTimesTest extends AopTest {

    static class Jobs {

        @DistributedLock(name = "/jobs/limited", maxHold = "20ms")
        public void limited() {
            LockHandle handle = LockContext.current().get(0);
            Awaitility.await().atMost(PATIENCE).until(() -> handle.state() == LockState.LOST);
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
