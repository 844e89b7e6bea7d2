package io.github.zklock.aop;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.LockHandle;
import io.github.zklock.LockLostException;
import io.github.zklock.LockState;
import io.github.zklock.annotation.DistributedLock;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Asynchronous methods on an executor with a queue. */
class QueuedCallTest extends LaterCallTest {

    static class Orders {

        @DistributedLock("/orders/#{#id}")
        public CompletableFuture<String> work(String id) {
            return CompletableFuture.completedFuture("ran");
        }
    }

    /** Runs no task until the test does. */
    static class Queueing implements Executor {

        private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();

        @Override
        public void execute(Runnable task) {
            tasks.add(task);
        }

        Runnable next() {
            return Awaitility.await().atMost(PATIENCE).until(tasks::poll, Objects::nonNull);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Threads {

        @Bean
        Queueing zkLockTaskExecutor() {
            return new Queueing();
        }
    }

    @BeforeAll
    static void start() {
        start(Orders.class, Threads.class);
    }

    private final Orders orders = bean(Orders.class);
    private final Queueing executor = bean(Queueing.class);

    @Test
    void aCallThatIsCancelledInTheQueueReleasesItsLock() throws InterruptedException {
        CompletableFuture<String> result = orders.work("1");
        Runnable task = executor.next();

        result.cancel(true);
        task.run();

        try (LockHandle free = heldByOthers("/orders/1")) {
            assertThat(free.isHeld()).isTrue();
        }
    }

    @Test
    void aMethodDoesNotBeginUnderALockThatWasLostInTheQueue() throws InterruptedException {
        CompletableFuture<String> result = orders.work("1");
        Runnable task = executor.next();
        lose("/orders/1");
        eventually(() -> inspector().held().stream().noneMatch(held -> held.state() == LockState.HELD));

        task.run();

        assertThat(result)
                .failsWithin(60, TimeUnit.SECONDS)
                .withThrowableOfType(ExecutionException.class)
                .withCauseInstanceOf(LockLostException.class)
                .withMessageContaining("did not run");
    }
}
