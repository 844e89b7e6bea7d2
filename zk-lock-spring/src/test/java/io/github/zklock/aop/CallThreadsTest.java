package io.github.zklock.aop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.zklock.JobNotDueException;
import io.github.zklock.LockException;
import io.github.zklock.LockHandle;
import io.github.zklock.LockLostException;
import io.github.zklock.LockTimeoutException;
import io.github.zklock.annotation.DistributedLock;
import io.github.zklock.annotation.OnBusy;
import io.github.zklock.annotation.OnLost;
import io.github.zklock.annotation.RunOncePer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.task.TaskRejectedException;
import org.springframework.scheduling.concurrent.ThreadPoolTaskExecutor;
import reactor.core.publisher.Mono;

/** Asynchronous methods on an executor with a single thread. */
class CallThreadsTest extends LaterCallTest {

    static class Orders {

        @DistributedLock("/orders/#{#id}")
        public CompletableFuture<Object> work(String id, Supplier<CompletableFuture<Object>> body) {
            return body.get();
        }

        @DistributedLock("/orders/#{#id}")
        public Mono<Object> reactive(String id, Supplier<Mono<Object>> body) {
            return body.get();
        }

        @DistributedLock(name = "/orders/#{#id}", onLost = OnLost.INTERRUPT)
        public CompletableFuture<Object> interrupted(String id, CompletableFuture<Object> stage) {
            return stage;
        }

        @DistributedLock(name = "/orders/#{#id}", waitTime = "0")
        public CompletableFuture<Object> impatient(String id) {
            throw new AssertionError("Must not run");
        }

        @DistributedLock(name = "/orders/#{#id}", waitTime = "0", onBusy = OnBusy.FALLBACK, fallback = "instead")
        public CompletableFuture<Object> withFallback(String id) {
            throw new AssertionError("Must not run");
        }

        @RunOncePer(window = "1h", name = "/orders/#{#id}", onBusy = OnBusy.THROW)
        public CompletableFuture<Object> once(String id) {
            return CompletableFuture.completedFuture("ran");
        }

        CompletableFuture<Object> instead(String id, LockException busy) {
            return CompletableFuture.completedFuture("fallback");
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OneThread {

        @Bean
        ThreadPoolTaskExecutor zkLockTaskExecutor() {
            ThreadPoolTaskExecutor thread = new ThreadPoolTaskExecutor();
            thread.setCorePoolSize(0);
            thread.setMaxPoolSize(1);
            thread.setQueueCapacity(0);
            return thread;
        }
    }

    @BeforeAll
    static void start() {
        start(Orders.class, OneThread.class);
    }

    private final Orders orders = bean(Orders.class);

    @Test
    void aMethodThatFindsNoThreadFailsAndItsLockIsReleased() {
        whileTheThreadIsInUse(() -> {
            CompletableFuture<Object> call = orders.work("1", CallThreadsTest::mustNotRun);

            assertThatThrownBy(call::join)
                    .cause()
                    .isInstanceOf(TaskRejectedException.class)
                    .hasMessageContaining("Orders.work(String, Supplier) did not run for lock '/orders/1'")
                    .hasMessageContaining("zk.lock.async.concurrency-limit");
            awaitFree("/orders/1");
        });
    }

    @Test
    void aJobThatFindsNoThreadIsStillDue() {
        whileTheThreadIsInUse(() -> {
            assertThatThrownBy(() -> orders.once("due").join()).cause().isInstanceOf(TaskRejectedException.class);
            awaitFree("/orders/due");
        });

        assertThat(retried(() -> orders.once("due")))
                .succeedsWithin(60, TimeUnit.SECONDS)
                .isEqualTo("ran");
        assertThatThrownBy(() -> retried(() -> orders.once("due")).join())
                .cause()
                .isInstanceOf(JobNotDueException.class);
    }

    @Test
    void aSubscriptionThatFindsNoThreadFailsAndItsLockIsReleased() {
        whileTheThreadIsInUse(() -> {
            CompletableFuture<Object> call = orders.reactive("1", () -> {
                        throw new AssertionError("Must not run");
                    })
                    .toFuture();

            assertThatThrownBy(call::join)
                    .cause()
                    .isInstanceOf(TaskRejectedException.class)
                    .hasMessageContaining("zk.lock.async.concurrency-limit");
            awaitFree("/orders/1");
        });
    }

    @Test
    void aMethodThatBlocksOnACallWithoutAThreadFailsInsteadOfWaitingForever() {
        CompletableFuture<Object> outer = retried(() -> orders.work(
                "outer",
                () -> CompletableFuture.completedFuture(
                        orders.work("inner", CallThreadsTest::mustNotRun).join())));

        assertThatThrownBy(outer::join)
                .cause()
                .isInstanceOf(TaskRejectedException.class)
                .hasMessageContaining("'/orders/inner'");
    }

    @Test
    void aMethodThatBlocksOnACallThatReEntersNeedsNoSecondThread() {
        CompletableFuture<Object> outer = retried(() -> orders.work(
                "1",
                () -> CompletableFuture.completedFuture(orders.work("1", () -> CompletableFuture.completedFuture("ran"))
                        .join())));

        assertThat(outer).succeedsWithin(60, TimeUnit.SECONDS).isEqualTo("ran");
    }

    @Test
    void workThatContinuesAfterTheMethodHasReturnedNeedsNoThread() {
        CompletableFuture<Object> stage = new CompletableFuture<>();
        CompletableFuture<Object> first = retried(() -> orders.work("1", () -> stage));
        eventually(() -> stage.getNumberOfDependents() > 0);

        CompletableFuture<Object> second =
                retried(() -> orders.work("2", () -> CompletableFuture.completedFuture("ran")));
        stage.complete("done");

        assertThat(second).succeedsWithin(60, TimeUnit.SECONDS).isEqualTo("ran");
        assertThat(first).succeedsWithin(60, TimeUnit.SECONDS).isEqualTo("done");
    }

    @Test
    void aBusyLockIsReportedAlthoughNoThreadIsFree() throws InterruptedException {
        try (LockHandle other = heldByOthers("/orders/1")) {
            whileTheThreadIsInUse(() -> {
                CompletableFuture<Object> call = orders.impatient("1");

                assertThatThrownBy(call::join).cause().isInstanceOf(LockTimeoutException.class);
            });
        }
    }

    @Test
    void aFallbackDoesNotRunOnAThreadOfTheRegistry() throws InterruptedException {
        try (LockHandle other = heldByOthers("/orders/1")) {
            whileTheThreadIsInUse(() -> {
                CompletableFuture<Object> call = orders.withFallback("1");

                assertThatThrownBy(call::join).cause().isInstanceOf(TaskRejectedException.class);
            });
        }
    }

    @Test
    void aLossCancelsTheMethodsStageAlthoughNoThreadIsFree() throws InterruptedException {
        CompletableFuture<Object> stage = new CompletableFuture<>();
        CompletableFuture<Object> result = retried(() -> orders.interrupted("1", stage));
        eventually(() -> stage.getNumberOfDependents() > 0);

        whileTheThreadIsInUse(() -> {
            lose("/orders/1");

            assertThatThrownBy(result::join).cause().isInstanceOf(LockLostException.class);
            assertThat(stage).isCancelled();
        });
    }

    private interface Attempt {
        void make() throws Exception;
    }

    private void whileTheThreadIsInUse(Attempt attempt) {
        CountDownLatch running = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        CompletableFuture<Object> blocking = retried(() -> orders.work("blocking", () -> {
            running.countDown();
            await(end);
            return CompletableFuture.completedFuture("ended");
        }));
        await(running);
        try {
            attempt.make();
        } catch (Exception unexpected) {
            throw new AssertionError(unexpected);
        } finally {
            end.countDown();
            assertThat(blocking).succeedsWithin(60, TimeUnit.SECONDS);
        }
    }

    /** Retries a rejected call: the thread of an earlier call may not be back in the pool yet. */
    private static CompletableFuture<Object> retried(Supplier<CompletableFuture<Object>> call) {
        return call.get()
                .exceptionallyCompose(failure -> failure instanceof TaskRejectedException
                        ? retried(call)
                        : CompletableFuture.failedFuture(failure));
    }

    private static CompletableFuture<Object> mustNotRun() {
        throw new AssertionError("Must not run");
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(60, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException unexpected) {
            throw new AssertionError(unexpected);
        }
    }
}
