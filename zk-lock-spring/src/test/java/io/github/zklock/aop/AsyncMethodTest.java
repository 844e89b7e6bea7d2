package io.github.zklock.aop;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.LockHandle;
import io.github.zklock.LockLostException;
import io.github.zklock.LockTimeoutException;
import io.github.zklock.annotation.DistributedLock;
import io.github.zklock.annotation.OnBusy;
import io.github.zklock.annotation.OnLost;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.task.SimpleAsyncTaskExecutor;
import org.springframework.core.task.TaskExecutor;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableAsync;

class AsyncMethodTest extends LaterCallTest {

    static class Orders {

        @Async
        @DistributedLock("/orders/#{#id}")
        public CompletableFuture<Object> work(String id, CompletableFuture<Object> stage) {
            return stage;
        }

        @Async
        @DistributedLock("/orders/#{#id}")
        public Future<Object> plain(String id, Future<Object> future) {
            return future;
        }

        @Async
        @DistributedLock("/orders/#{#id}")
        public CompletableFuture<Object> onThread(
                String id, CompletableFuture<Thread> thread, CompletableFuture<Object> stage) {
            thread.complete(Thread.currentThread());
            return stage;
        }

        @Async
        @DistributedLock(name = "/orders/#{#id}", onLost = OnLost.INTERRUPT)
        public CompletableFuture<Object> interrupted(String id, CompletableFuture<Object> stage) {
            return stage;
        }

        @Async
        @DistributedLock("/orders/#{#id}")
        public CompletableFuture<String> thread(String id) {
            return CompletableFuture.completedFuture(Thread.currentThread().getName());
        }

        @Async
        @DistributedLock(name = "/orders/#{#id}", waitTime = "0")
        public CompletableFuture<Object> impatient(String id) {
            throw new AssertionError("Must not run");
        }

        @Async
        @DistributedLock(name = "/orders/#{#id}", waitTime = "0", onBusy = OnBusy.SKIP)
        public CompletableFuture<Object> skipping(String id) {
            throw new AssertionError("Must not run");
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAsync
    static class Threads {

        @Bean
        TaskExecutor taskExecutor() {
            return new SimpleAsyncTaskExecutor("application-");
        }
    }

    @BeforeAll
    static void start() {
        start(Orders.class, Threads.class);
    }

    private final Orders orders = bean(Orders.class);
    private final CompletableFuture<Object> stage = new CompletableFuture<>();

    @Test
    void theCallerDoesNotWaitForTheLock() throws InterruptedException {
        Future<Object> result;
        try (LockHandle other = heldByOthers("/orders/1")) {
            result = orders.work("1", CompletableFuture.completedFuture("ran"));
            awaitWaitingFor("/orders/1");

            assertThat(result).isNotDone();
        }

        assertThat(result).succeedsWithin(60, TimeUnit.SECONDS).isEqualTo("ran");
    }

    @Test
    void theMethodRunsOnTheThreadOfItsExecutor() {
        assertThat(orders.thread("1"))
                .succeedsWithin(60, TimeUnit.SECONDS)
                .asString()
                .startsWith("application-");
    }

    @Test
    void theLockIsHeldUntilTheReturnedFutureIsDone() {
        Future<Object> result = orders.plain("1", stage);
        awaitHeld("/orders/1");

        stage.complete("done");

        assertThat(result).succeedsWithin(60, TimeUnit.SECONDS).isEqualTo("done");
        assertThat(held()).isEmpty();
    }

    @Test
    void anInterruptDoesNotReleaseTheLockOfWorkThatGoesOn() {
        CompletableFuture<Thread> thread = new CompletableFuture<>();
        CompletableFuture<Object> stage = new CompletableFuture<>();
        CompletableFuture<Object> result = orders.onThread("1", thread, stage);
        eventually(() -> stage.getNumberOfDependents() > 0);

        thread.join().interrupt();
        eventually(() -> !thread.join().isInterrupted() || !held().contains("/orders/1"));

        assertThat(stage).as("a plain future that is cancelled stops nothing").isNotDone();
        assertThat(held()).contains("/orders/1");
        stage.complete("done at last");
        assertThat(result).succeedsWithin(60, TimeUnit.SECONDS).isEqualTo("done at last");
        awaitFree("/orders/1");
    }

    @Test
    void aFailureGetsOutUnchanged() {
        IllegalStateException failure = new IllegalStateException("business");

        assertThat(orders.work("1", CompletableFuture.failedFuture(failure)))
                .failsWithin(60, TimeUnit.SECONDS)
                .withThrowableOfType(ExecutionException.class)
                .havingCause()
                .isSameAs(failure);
    }

    @Test
    void aLossFailsTheFuture() throws InterruptedException {
        Future<Object> result = orders.work("1", stage);
        awaitHeld("/orders/1");

        lose("/orders/1");
        awaitFree("/orders/1");
        stage.complete("too late");

        assertThat(result)
                .failsWithin(60, TimeUnit.SECONDS)
                .withThrowableOfType(ExecutionException.class)
                .withCauseInstanceOf(LockLostException.class);
    }

    @Test
    void aLossThatInterruptsFailsTheFutureAndCancelsTheWork() throws InterruptedException {
        Future<Object> result = orders.interrupted("1", stage);
        awaitHeld("/orders/1");

        lose("/orders/1");

        assertThat(result)
                .failsWithin(60, TimeUnit.SECONDS)
                .withThrowableOfType(ExecutionException.class)
                .withCauseInstanceOf(LockLostException.class);
        assertThat(stage).isCancelled();
    }

    @Test
    void aBusyLockFailsTheFuture() throws InterruptedException {
        try (LockHandle other = heldByOthers("/orders/1")) {
            assertThat(orders.impatient("1"))
                    .failsWithin(60, TimeUnit.SECONDS)
                    .withThrowableOfType(ExecutionException.class)
                    .withCauseInstanceOf(LockTimeoutException.class);
        }
    }

    @Test
    void aSkippedCallCompletesWithNull() throws InterruptedException {
        try (LockHandle other = heldByOthers("/orders/1")) {
            assertThat(orders.skipping("1"))
                    .succeedsWithin(60, TimeUnit.SECONDS)
                    .isNull();
        }
    }
}
