package io.github.zklock.aop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.zklock.FencingToken;
import io.github.zklock.LockException;
import io.github.zklock.LockHandle;
import io.github.zklock.LockLostException;
import io.github.zklock.LockTimeoutException;
import io.github.zklock.annotation.DistributedLock;
import io.github.zklock.annotation.OnBusy;
import io.github.zklock.annotation.OnLost;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.aspectj.lang.annotation.Aspect;
import org.aspectj.lang.annotation.Before;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.slf4j.MDC;
import org.springframework.context.annotation.EnableAspectJAutoProxy;

class FutureCallTest extends LaterCallTest {

    static class Orders {

        @DistributedLock("/orders/#{#id}")
        public CompletableFuture<Object> work(@Nullable String id, Supplier<CompletableFuture<Object>> body) {
            return body.get();
        }

        @DistributedLock("/orders/#{#id}")
        public CompletionStage<Object> stage(String id, CompletionStage<Object> stage) {
            return stage;
        }

        @DistributedLock("/orders/#{#id}")
        public CompletableFuture<Object> filled(
                String id, @Nullable LockHandle handle, Function<LockHandle, CompletableFuture<Object>> body) {
            return body.apply(handle);
        }

        @DistributedLock("/orders/#{#id}")
        public CompletableFuture<FencingToken> token(String id, @Nullable FencingToken token) {
            return CompletableFuture.completedFuture(token);
        }

        @DistributedLock(name = "/orders/#{#id}", waitTime = "0")
        public CompletableFuture<Object> impatient(String id) {
            throw new AssertionError("Must not run");
        }

        @DistributedLock(name = "/orders/#{#id}", waitTime = "0", onBusy = OnBusy.SKIP)
        public CompletableFuture<Object> skipping(String id) {
            throw new AssertionError("Must not run");
        }

        @DistributedLock(name = "/orders/#{#id}", waitTime = "0", onBusy = OnBusy.FALLBACK, fallback = "instead")
        public CompletableFuture<Object> withFallback(String id) {
            throw new AssertionError("Must not run");
        }

        CompletableFuture<Object> instead(String id, LockException busy) {
            return CompletableFuture.completedFuture(id + " " + busy.getClass().getSimpleName());
        }

        @DistributedLock(name = "/orders/#{#id}", onLost = OnLost.INTERRUPT)
        public CompletableFuture<Object> interrupted(String id, Supplier<CompletableFuture<Object>> body) {
            return body.get();
        }

        @DistributedLock(name = "/orders/#{#id}", onLost = OnLost.NOTIFY)
        public CompletableFuture<Object> notified(String id, CompletableFuture<Object> stage) {
            return stage;
        }

        @DistributedLock(name = "/orders/#{#id}", maxHold = "1ms")
        public CompletableFuture<Object> limited(String id, CompletableFuture<Object> stage) {
            return stage;
        }
    }

    @Aspect
    @EnableAspectJAutoProxy(proxyTargetClass = true)
    static class Inside {

        static volatile @Nullable String seen;

        @Before("execution(* io.github.zklock.aop.FutureCallTest.Orders.filled(..))")
        public void look() {
            seen = heldNow().toString();
        }
    }

    @BeforeAll
    static void start() {
        start(Orders.class, Inside.class);
    }

    private final Orders orders = bean(Orders.class);
    private final CompletableFuture<Object> stage = new CompletableFuture<>();

    @Test
    void theLockIsHeldUntilTheStageCompletes() {
        CompletableFuture<Object> result = orders.work("1", () -> stage);
        awaitHeld("/orders/1");

        assertThat(result).isNotDone();
        stage.complete("done");

        assertThat(result).succeedsWithin(60, TimeUnit.SECONDS).isEqualTo("done");
        assertThat(held()).isEmpty();
    }

    @Test
    void aStageThatIsNoFutureIsHeldUntilItCompletes() {
        CompletableFuture<Object> result =
                orders.stage("1", stage.minimalCompletionStage()).toCompletableFuture();
        awaitHeld("/orders/1");

        stage.complete("done");

        assertThat(result).succeedsWithin(60, TimeUnit.SECONDS).isEqualTo("done");
        assertThat(held()).isEmpty();
    }

    @Test
    void theCallerIsNotBlockedWhileOthersHoldTheLock() throws InterruptedException {
        CompletableFuture<Object> result;
        try (LockHandle other = heldByOthers("/orders/1")) {
            result = orders.work("1", () -> CompletableFuture.completedFuture("ran"));
            awaitWaitingFor("/orders/1");

            assertThat(result).isNotDone();
        }

        assertThat(result).succeedsWithin(60, TimeUnit.SECONDS).isEqualTo("ran");
    }

    @Test
    void aFailureOfTheStageGetsOutUnchanged() {
        IllegalStateException failure = new IllegalStateException("business");

        CompletableFuture<Object> result = orders.work("1", () -> CompletableFuture.failedFuture(failure));

        assertThat(result.handle((value, thrown) -> thrown).join()).isSameAs(failure);
        assertThat(failure.getSuppressed()).isEmpty();
    }

    @Test
    void anExceptionOfTheMethodItselfFailsTheStage() {
        IllegalStateException failure = new IllegalStateException("business");

        CompletableFuture<Object> result = orders.work("1", () -> {
            throw failure;
        });

        assertThat(result.handle((value, thrown) -> thrown).join()).isSameAs(failure);
        assertThat(held()).isEmpty();
    }

    @Test
    void aMethodThatReturnsNullFailsTheStage() {
        CompletableFuture<Object> result = orders.work("1", () -> null);

        assertThatThrownBy(result::join)
                .cause()
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("Orders.work(String, Supplier) returned null")
                .hasMessageContaining("'/orders/1'");
        assertThat(held()).isEmpty();
    }

    @Test
    void aLockWithoutNameFailsTheStage() {
        CompletableFuture<Object> result = orders.work(null, () -> stage);

        assertThatThrownBy(result::join)
                .cause()
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("did not run");
    }

    @Test
    void aBusyLockFailsTheStage() throws InterruptedException {
        try (LockHandle other = heldByOthers("/orders/1")) {
            CompletableFuture<Object> result = orders.impatient("1");

            assertThatThrownBy(result::join).cause().isInstanceOf(LockTimeoutException.class);
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

    @Test
    void theFallbacksStageTakesThePlace() throws InterruptedException {
        try (LockHandle other = heldByOthers("/orders/1")) {
            assertThat(orders.withFallback("1"))
                    .succeedsWithin(60, TimeUnit.SECONDS)
                    .isEqualTo("1 LockTimeoutException");
        }
    }

    @Test
    void aLossDuringASuccessFailsTheStage() throws InterruptedException {
        CompletableFuture<LockHandle> shown = new CompletableFuture<>();
        CompletableFuture<Object> result = orders.filled("1", null, handle -> {
            shown.complete(handle);
            return stage;
        });

        loseKnowingly(shown.join());
        stage.complete("too late");

        assertThat(result.handle((value, thrown) -> thrown).join()).isInstanceOf(LockLostException.class);
    }

    @Test
    void aLossIsSuppressedIntoTheFailureOfTheStage() throws InterruptedException {
        CompletableFuture<LockHandle> shown = new CompletableFuture<>();
        CompletableFuture<Object> result = orders.filled("1", null, handle -> {
            shown.complete(handle);
            return stage;
        });
        IllegalStateException failure = new IllegalStateException("business");

        loseKnowingly(shown.join());
        stage.completeExceptionally(failure);

        assertThat(result.handle((value, thrown) -> thrown).join()).isSameAs(failure);
        assertThat(failure.getSuppressed()).singleElement().isInstanceOf(LockLostException.class);
    }

    @Test
    void aLossThatInterruptsCancelsTheMethodsStage() throws InterruptedException {
        CompletableFuture<Object> result = orders.interrupted("1", () -> stage);
        eventually(() -> stage.getNumberOfDependents() > 0);

        lose("/orders/1");

        assertThat(result.handle((value, thrown) -> thrown).join()).isInstanceOf(LockLostException.class);
        assertThat(stage).isCancelled();
    }

    @Test
    void aLossThatInterruptsReachesTheThreadThatStillRunsTheMethod() throws InterruptedException {
        CountDownLatch entered = new CountDownLatch(1);
        CompletableFuture<Object> interrupted = new CompletableFuture<>();
        CompletableFuture<Object> result = orders.interrupted("1", () -> {
            entered.countDown();
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException expected) {
                interrupted.complete("yes");
            }
            return CompletableFuture.completedFuture("ended");
        });
        assertThat(entered.await(60, TimeUnit.SECONDS)).isTrue();

        lose("/orders/1");

        assertThat(interrupted).succeedsWithin(60, TimeUnit.SECONDS);
        assertThat(result.handle((value, thrown) -> thrown).join()).isInstanceOf(LockLostException.class);
    }

    @Test
    void aLossOfWhichOnlyListenersAreToldLeavesTheResult() throws InterruptedException {
        CompletableFuture<Object> result = orders.notified("1", stage);
        eventually(() -> stage.getNumberOfDependents() > 0);

        lose("/orders/1");
        awaitFree("/orders/1");
        stage.complete("done");

        assertThat(result).succeedsWithin(60, TimeUnit.SECONDS).isEqualTo("done");
    }

    @Test
    void aHoldThatExceedsItsLimitIsLost() {
        CompletableFuture<Object> result = orders.limited("1", stage);
        awaitHeldOnceAndFree();

        stage.complete("too late");

        assertThat(result.handle((value, thrown) -> thrown).join()).isInstanceOf(LockLostException.class);
    }

    private void awaitHeldOnceAndFree() {
        eventually(() -> stage.getNumberOfDependents() > 0 && held().isEmpty());
    }

    @Test
    void aCancelledWaitLeavesTheQueue() throws InterruptedException {
        try (LockHandle other = heldByOthers("/orders/1")) {
            CompletableFuture<Object> result = orders.work("1", () -> stage);
            awaitWaitingFor("/orders/1");

            result.cancel(false);

            eventually(() -> awaited().isEmpty());
            assertThat(stage.getNumberOfDependents()).isZero();
        }
    }

    @Test
    void aWaitThatTimesOutInTheCallersHandsLeavesTheQueue() throws InterruptedException {
        try (LockHandle other = heldByOthers("/orders/1")) {
            CompletableFuture<Object> result = orders.work("1", () -> stage).orTimeout(1, TimeUnit.MILLISECONDS);

            assertThatThrownBy(result::join).cause().isInstanceOf(TimeoutException.class);
            eventually(() -> awaited().isEmpty());
        }
    }

    @Test
    void aCancelledResultStopsWorkThatCanBeStopped() {
        CompletableFuture<Object> stoppable = new CompletableFuture<>() {
            @Override
            public boolean cancel(boolean mayInterruptIfRunning) {
                return super.cancel(mayInterruptIfRunning);
            }
        };
        CompletableFuture<Object> result = orders.work("1", () -> stoppable);
        eventually(() -> stoppable.getNumberOfDependents() > 0);

        result.cancel(true);

        awaitFree("/orders/1");
        assertThat(stoppable).isCancelled();
    }

    @Test
    void workThatIgnoresItsCancellationKeepsTheLock() {
        CompletableFuture<Object> stubborn = new CompletableFuture<>() {
            @Override
            public boolean cancel(boolean mayInterruptIfRunning) {
                return false;
            }
        };
        CompletableFuture<Object> result = orders.work("1", () -> stubborn);
        eventually(() -> stubborn.getNumberOfDependents() > 0);

        result.cancel(true);

        assertThat(held()).contains("/orders/1");
        stubborn.complete("done at last");
        awaitFree("/orders/1");
    }

    @Test
    void aStageThatInheritsItsCancelKeepsTheLockOfWorkThatGoesOn() {
        CompletableFuture<Object> traced = new CompletableFuture<>() {};
        CompletableFuture<Object> result = orders.work("1", () -> traced);
        eventually(() -> traced.getNumberOfDependents() > 0);

        result.cancel(true);

        assertThat(traced).isNotDone();
        assertThat(held()).contains("/orders/1");
        traced.complete("done at last");
        awaitFree("/orders/1");
    }

    @Test
    void aCancelledResultDoesNotReleaseTheLockOfWorkThatGoesOn() {
        CompletableFuture<Object> result = orders.work("1", () -> stage);
        eventually(() -> stage.getNumberOfDependents() > 0);

        result.cancel(true);

        assertThat(stage).as("a plain future that is cancelled stops nothing").isNotDone();
        assertThat(held()).contains("/orders/1");
        stage.complete("done at last");
        awaitFree("/orders/1");
    }

    @Test
    void aCancelledStageCancelsTheResult() {
        CompletableFuture<Object> result = orders.work("1", () -> stage);

        stage.cancel(false);

        assertThatThrownBy(result::join).isInstanceOf(CancellationException.class);
        assertThat(result).isCancelled();
    }

    @Test
    void nestedCallsWithinTheMethodReEnter() {
        CompletableFuture<Object> result =
                orders.work("1", () -> orders.work("1", () -> CompletableFuture.completedFuture(heldNow())));

        assertThat(result).succeedsWithin(60, TimeUnit.SECONDS).isEqualTo(List.of("/orders/1", "/orders/1"));
    }

    @Test
    void aCallThatReEntersRunsOnItsCallersThread() {
        CompletableFuture<Object> result = orders.work("1", () -> {
            Thread caller = Thread.currentThread();
            return orders.work("1", () -> CompletableFuture.completedFuture(Thread.currentThread() == caller));
        });

        assertThat(result).succeedsWithin(60, TimeUnit.SECONDS).isEqualTo(true);
    }

    @Test
    void aNestedCallIsShownTheHandleOfTheCallAroundIt() {
        CompletableFuture<Object> result = orders.filled(
                "1",
                null,
                outer -> orders.filled("1", null, inner -> CompletableFuture.completedFuture(inner == outer)));

        assertThat(result).succeedsWithin(60, TimeUnit.SECONDS).isEqualTo(true);
    }

    @Test
    void theMethodReceivesTheToken() {
        assertThat(orders.token("1", null))
                .succeedsWithin(60, TimeUnit.SECONDS)
                .satisfies(token -> assertThat(token.value()).isPositive());
    }

    @Test
    void theMethodMayBlockSinceItRunsOnAThreadOfTheExecutor() {
        CompletableFuture<Object> result = orders.work(
                "outer",
                () -> CompletableFuture.completedFuture(Thread.currentThread().getName() + " "
                        + orders.work("inner", () -> CompletableFuture.completedFuture("blocked"))
                                .join()));

        assertThat(result).succeedsWithin(60, TimeUnit.SECONDS).asString().matches("zk-lock-call-\\d+ blocked");
    }

    @Test
    void theLogContextIsTheCallersAndThatOfTheLock() {
        MDC.put("request", "r1");
        CompletableFuture<Object> result;
        try {
            result = orders.work(
                    "1",
                    () -> CompletableFuture.completedFuture(MDC.get("request") + " " + MDC.get("zklock.name") + " "
                            + (MDC.get("zklock.token") != null)));
        } finally {
            MDC.remove("request");
        }

        assertThat(result).succeedsWithin(60, TimeUnit.SECONDS).isEqualTo("r1 /orders/1 true");
    }

    @Test
    void aspectsInsideOfTheLockRunUnderIt() {
        Inside.seen = null;

        CompletableFuture<Object> result = orders.filled("1", null, handle -> CompletableFuture.completedFuture("ran"));

        assertThat(result).succeedsWithin(60, TimeUnit.SECONDS).isEqualTo("ran");
        assertThat(Inside.seen).isEqualTo("[/orders/1]");
    }

    @Test
    void callsUnderOneLockRunOneAfterTheOther() {
        AtomicInteger inside = new AtomicInteger();
        List<CompletableFuture<Object>> results = IntStream.range(0, 100)
                .mapToObj(i -> orders.work(
                        "1",
                        () -> CompletableFuture.supplyAsync(() -> {
                            int now = inside.incrementAndGet();
                            inside.decrementAndGet();
                            return now;
                        })))
                .toList();

        assertThat(results)
                .allSatisfy(result ->
                        assertThat(result).succeedsWithin(60, TimeUnit.SECONDS).isEqualTo(1));
    }

    @Test
    void aBusinessFailureThatIsReadByGetIsTheCause() {
        IllegalStateException failure = new IllegalStateException("business");
        Future<Object> result = orders.work(
                "1",
                () -> CompletableFuture.supplyAsync(() -> {
                    throw failure;
                }));

        assertThatThrownBy(() -> result.get(60, TimeUnit.SECONDS))
                .isInstanceOf(ExecutionException.class)
                .cause()
                .isSameAs(failure);
    }
}
