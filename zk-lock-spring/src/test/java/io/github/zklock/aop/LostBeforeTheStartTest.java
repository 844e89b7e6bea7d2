package io.github.zklock.aop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.zklock.ClusterLock;
import io.github.zklock.LockHandle;
import io.github.zklock.LockLostException;
import io.github.zklock.LockRegistry;
import io.github.zklock.annotation.DistributedLock;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.stereotype.Component;

/** Calls whose lock is lost between its grant and the start of the method. */
class LostBeforeTheStartTest extends SynchronousCallTests {

    @Component
    static class Orders {

        private final List<String> ran = new CopyOnWriteArrayList<>();

        public List<String> ran() {
            return ran;
        }

        @DistributedLock("/lost-before")
        public void now() {
            ran.add("now");
        }

        @DistributedLock("/lost-before")
        public CompletableFuture<String> later() {
            ran.add("later");
            return CompletableFuture.completedFuture("done");
        }
    }

    /** Takes each lock from its holder before the caller receives the handle. */
    @Component
    static class Losing implements BeanPostProcessor {

        @Override
        public Object postProcessAfterInitialization(Object bean, String name) {
            return bean instanceof LockRegistry ? around(LockRegistry.class, bean) : bean;
        }

        private static Object around(Class<?> type, Object target) {
            InvocationHandler losing = (proxy, method, arguments) -> {
                try {
                    return lost(method.invoke(target, arguments));
                } catch (InvocationTargetException failed) {
                    throw failed.getCause();
                }
            };
            return Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, losing);
        }

        private static Object lost(Object result) {
            if (result instanceof ClusterLock lock) {
                return around(ClusterLock.class, lock);
            }
            if (result instanceof LockHandle handle) {
                lose(handle);
            }
            return result instanceof CompletableFuture<?> future ? future.thenApply(Losing::lost) : result;
        }
    }

    @BeforeAll
    static void startApplication() {
        start(Map.of(), Losing.class, Orders.class);
    }

    private final Orders orders = bean(Orders.class);

    @Test
    void aMethodDoesNotRun() {
        assertThatThrownBy(orders::now)
                .isInstanceOf(LockLostException.class)
                .hasMessageContaining("'/lost-before' was lost before")
                .hasMessageContaining("did not run");
        assertThat(orders.ran()).isEmpty();
    }

    @Test
    void aMethodThatWorksLaterDoesNotRun() {
        assertThat(orders.later())
                .failsWithin(PATIENCE)
                .withThrowableThat()
                .withCauseInstanceOf(LockLostException.class)
                .withMessageContaining("did not run");
        assertThat(orders.ran()).isEmpty();
    }
}
