package io.github.zklock.aop;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.LockHandle;
import io.github.zklock.LockRegistry;
import io.github.zklock.annotation.DistributedLock;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class BrokenObserverTest extends AopTest {

    static class Orders {

        @DistributedLock("/orders")
        public Object work() {
            return heldNow();
        }
    }

    /** As one whose classes are not all there. */
    private static final CallObserver BROKEN = (call, carried) -> new CallObserver.Observed() {
        @Override
        public void acquired(LockHandle handle) {
            throw new NoClassDefFoundError("acquired");
        }

        @Override
        public void ended(@Nullable Throwable failure) {
            throw new NoClassDefFoundError("ended");
        }

        @Override
        public CallObserver.Scope open() {
            return () -> {
                throw new NoClassDefFoundError("closed");
            };
        }
    };

    @Test
    void anErrorOfAnObserverCostsNeitherTheCallNorItsLock() {
        application(Orders.class).withBean(CallObserver.class, () -> BROKEN).run(context -> {
            assertThat(context.getBean(Orders.class).work()).asString().isEqualTo("[/orders]");
            assertThat(context.getBean(LockRegistry.class).inspector().held()).isEmpty();
        });
    }
}
