package io.github.zklock.aop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.zklock.LockHandle;
import io.github.zklock.annotation.DistributedLock;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.core.task.TaskDecorator;
import reactor.core.publisher.Mono;

class TaskDecoratorTest extends LaterCallTest {

    private static final ThreadLocal<String> TENANT = new ThreadLocal<>();

    static class Orders {

        @DistributedLock("/orders/#{#id}")
        public CompletableFuture<String> future(String id) {
            return CompletableFuture.completedFuture("tenant " + TENANT.get());
        }

        @DistributedLock("/orders/#{#id}")
        public Mono<String> mono(String id) {
            return Mono.just("tenant " + TENANT.get());
        }
    }

    static class OfApplication implements TaskDecorator {

        volatile UnaryOperator<Runnable> rule = UnaryOperator.identity();

        @Override
        public Runnable decorate(Runnable task) {
            return rule.apply(task);
        }
    }

    @BeforeAll
    static void start() {
        start(Orders.class, OfApplication.class);
    }

    private final Orders orders = bean(Orders.class);
    private final OfApplication decorator = bean(OfApplication.class);

    @BeforeEach
    void decorateNothing() {
        decorator.rule = UnaryOperator.identity();
    }

    @Test
    void aDecoratorOfTheApplicationReadsTheCallersThreadAndWrapsTheMethod() throws InterruptedException {
        decorator.rule = TaskDecoratorTest::withTenant;
        TENANT.set("t1");
        CompletableFuture<String> future;
        CompletableFuture<String> mono;
        try (LockHandle one = heldByOthers("/orders/1");
                LockHandle two = heldByOthers("/orders/2")) {
            future = orders.future("1");
            mono = orders.mono("2").toFuture();
            awaitWaitingFor("/orders/1");
            awaitWaitingFor("/orders/2");
        } finally {
            TENANT.remove();
        }

        assertThat(future).succeedsWithin(60, TimeUnit.SECONDS).isEqualTo("tenant t1");
        assertThat(mono).succeedsWithin(60, TimeUnit.SECONDS).isEqualTo("tenant t1");
    }

    private static Runnable withTenant(Runnable task) {
        String tenant = TENANT.get();
        return () -> {
            TENANT.set(tenant);
            try {
                task.run();
            } finally {
                TENANT.remove();
            }
        };
    }

    @Test
    void aDecoratorThatThrowsFailsTheCallWhichLeavesTheQueue() throws InterruptedException {
        decorator.rule = task -> {
            throw new IllegalStateException("no context");
        };

        try (LockHandle other = heldByOthers("/orders/1")) {
            failsWith("no context");
            eventually(() -> awaited().isEmpty());
        }
    }

    @Test
    void aDecoratorThatThrowsBeforeTheMethodRunsFailsTheCallAndReleasesTheLock() {
        decorator.rule = task -> () -> {
            throw new IllegalStateException("no context");
        };

        failsWith("no context");
        awaitFree("/orders/1");
    }

    @Test
    void aDecoratorThatDropsTheTaskFailsTheCallAndReleasesTheLock() {
        decorator.rule = task -> () -> {};

        failsWith("A TaskDecorator did not run the task that it had decorated");
        awaitFree("/orders/1");
    }

    @Test
    void aDecoratorThatRunsTheTaskTwiceRunsTheMethodOnce() {
        decorator.rule = task -> () -> {
            task.run();
            task.run();
        };

        assertThat(orders.future("1")).succeedsWithin(60, TimeUnit.SECONDS);
        awaitFree("/orders/1");
    }

    @Test
    void aDecoratorThatThrowsAfterTheMethodLeavesTheResult() {
        decorator.rule = task -> () -> {
            task.run();
            throw new IllegalStateException("not restored");
        };

        assertThat(orders.future("1")).succeedsWithin(60, TimeUnit.SECONDS).isEqualTo("tenant null");
        awaitFree("/orders/1");
    }

    private void failsWith(String message) {
        CompletableFuture<String> future = orders.future("1");
        CompletableFuture<String> mono = orders.mono("1").toFuture();

        assertThatThrownBy(future::join).cause().hasMessage(message);
        assertThatThrownBy(mono::join).cause().hasMessage(message);
    }
}
