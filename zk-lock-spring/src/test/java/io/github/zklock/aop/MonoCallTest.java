package io.github.zklock.aop;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.FencingToken;
import io.github.zklock.LockException;
import io.github.zklock.LockHandle;
import io.github.zklock.LockLostException;
import io.github.zklock.LockName;
import io.github.zklock.LockTimeoutException;
import io.github.zklock.annotation.DistributedLock;
import io.github.zklock.annotation.OnBusy;
import io.github.zklock.annotation.OnLost;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Flow;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.Supplier;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import reactor.adapter.JdkFlowAdapter;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.test.StepVerifier;
import reactor.test.publisher.TestPublisher;

class MonoCallTest extends LaterCallTest {

    static class Orders {

        @DistributedLock("/orders/#{#id}")
        public Mono<Object> work(@Nullable String id, Supplier<Mono<Object>> body) {
            return body.get();
        }

        @DistributedLock("/orders/#{#ids[0]}")
        public Mono<Object> firstOf(List<String> ids) {
            return Mono.fromSupplier(() -> held());
        }

        @DistributedLock("/orders/#{#id}")
        public Mono<Object> filled(String id, @Nullable LockHandle handle, Function<LockHandle, Mono<Object>> body) {
            return body.apply(handle);
        }

        @DistributedLock("/orders/#{#id}")
        public Mono<FencingToken> token(String id, @Nullable FencingToken token) {
            return Mono.justOrEmpty(token);
        }

        @DistributedLock(name = "/orders/#{#id}", waitTime = "0")
        public Mono<Object> impatient(String id) {
            throw new AssertionError("Must not run");
        }

        @DistributedLock(name = "/orders/#{#id}", waitTime = "0", onBusy = OnBusy.SKIP)
        public Mono<Object> skipping(String id) {
            throw new AssertionError("Must not run");
        }

        @DistributedLock(name = "/orders/#{#id}", waitTime = "0", onBusy = OnBusy.FALLBACK, fallback = "instead")
        public Mono<Object> withFallback(String id) {
            throw new AssertionError("Must not run");
        }

        Mono<Object> instead(String id, LockException busy) {
            return Mono.just(id + " " + busy.getClass().getSimpleName());
        }

        @DistributedLock(name = "/orders/#{#id}", onLost = OnLost.INTERRUPT)
        public Mono<Object> interrupted(String id, Mono<Object> body) {
            return body;
        }

        @DistributedLock(name = "/orders/#{#id}", onLost = OnLost.NOTIFY)
        public Mono<Object> notified(String id, Mono<Object> body) {
            return body;
        }

        @DistributedLock("/orders/#{#id}")
        public Flow.Publisher<Object> ofTheJdk(String id) {
            return JdkFlowAdapter.publisherToFlowPublisher(Flux.defer(() -> Flux.just(held())));
        }
    }

    @BeforeAll
    static void start() {
        start(Orders.class);
    }

    private final Orders orders = bean(Orders.class);
    private final Sinks.One<Object> sink = Sinks.one();

    @Test
    void nothingIsAcquiredBeforeTheSubscription() {
        AtomicInteger calls = new AtomicInteger();

        orders.work("1", () -> {
            calls.incrementAndGet();
            return Mono.empty();
        });

        assertThat(calls).hasValue(0);
        assertThat(awaited()).isEmpty();
    }

    @Test
    void theLockIsHeldUntilTheMonoCompletes() {
        CompletableFuture<Object> result = orders.work("1", () -> sink.asMono()).toFuture();
        awaitHeld("/orders/1");

        sink.tryEmitValue("done");

        assertThat(result).succeedsWithin(60, TimeUnit.SECONDS).isEqualTo("done");
        assertThat(held()).isEmpty();
    }

    @Test
    void theLockIsGivenBackBeforeTheValueArrives() {
        Mono<List<String>> heldOnArrival = orders.work("1", () -> Mono.fromSupplier(() -> held()))
                .map(within -> {
                    assertThat(within).isEqualTo(List.of("/orders/1"));
                    return held();
                });

        StepVerifier.create(heldOnArrival).expectNext(List.of()).verifyComplete();
    }

    @Test
    void aValueThatACancelledSubscriberDoesNotReceiveIsDiscarded() throws Exception {
        List<Object> discarded = new CopyOnWriteArrayList<>();
        CountDownLatch emitted = new CountDownLatch(1);
        Flux<Object> neverComplete = Flux.<Object>just("value")
                .doOnNext(value -> emitted.countDown())
                .concatWith(Flux.never());

        Disposable running = orders.work("1", () -> Mono.fromDirect(neverComplete))
                .doOnDiscard(String.class, discarded::add)
                .subscribe();
        emitted.await();
        running.dispose();

        Awaitility.await().atMost(PATIENCE).until(() -> discarded.contains("value"));
    }

    @Test
    void anEmptyMonoStaysEmpty() {
        StepVerifier.create(orders.work("1", Mono::empty)).verifyComplete();

        assertThat(held()).isEmpty();
    }

    @Test
    void eachSubscriptionHasAHoldOfItsOwn() {
        Mono<FencingToken> token = orders.token("1", null);

        FencingToken first = token.block();
        FencingToken second = token.block();

        assertThat(second).isGreaterThan(first);
    }

    @Test
    void theNameIsEvaluatedOnceFromTheArgumentsAsTheyCame() {
        List<String> ids = new ArrayList<>(List.of("first"));
        Mono<Object> call = orders.firstOf(ids);

        ids.set(0, "second");

        StepVerifier.create(call).expectNext(List.of("/orders/first")).verifyComplete();
        StepVerifier.create(call).expectNext(List.of("/orders/first")).verifyComplete();
    }

    @Test
    void theSubscriberIsNotBlockedWhileOthersHoldTheLock() throws InterruptedException {
        CompletableFuture<Object> result;
        try (LockHandle other = heldByOthers("/orders/1")) {
            result = orders.work("1", () -> Mono.just("ran")).toFuture();
            awaitWaitingFor("/orders/1");

            assertThat(result).isNotDone();
        }

        assertThat(result).succeedsWithin(60, TimeUnit.SECONDS).isEqualTo("ran");
    }

    @Test
    void aFailureGetsOutUnchanged() {
        IllegalStateException failure = new IllegalStateException("business");

        StepVerifier.create(orders.work("1", () -> Mono.error(failure)))
                .verifyErrorSatisfies(
                        thrown -> assertThat(thrown).isSameAs(failure).hasNoSuppressedExceptions());
        assertThat(held()).isEmpty();
    }

    @Test
    void anExceptionOfTheMethodItselfIsAFailure() {
        IllegalStateException failure = new IllegalStateException("business");

        StepVerifier.create(orders.work("1", () -> {
                    throw failure;
                }))
                .verifyErrorSatisfies(thrown -> assertThat(thrown).isSameAs(failure));
        assertThat(held()).isEmpty();
    }

    @Test
    void theMethodsOwnTimeoutOfALockIsNotTakenForThatOfItsCall() {
        LockTimeoutException failure = new LockTimeoutException(LockName.of("/other"), "of another lock");

        StepVerifier.create(orders.work("1", () -> Mono.error(failure)))
                .verifyErrorSatisfies(thrown -> assertThat(thrown).isSameAs(failure));
    }

    @Test
    void anErrorThatReactorRethrowsIsAFailureToo() {
        StepVerifier.create(orders.work(
                        "1",
                        () -> Mono.fromSupplier(() -> {
                            throw new NoClassDefFoundError("missing");
                        })))
                .expectErrorMessage("missing")
                .verify(Duration.ofSeconds(60));
        assertThat(held()).isEmpty();
    }

    @Test
    void aMethodThatReturnsNullIsAFailure() {
        StepVerifier.create(orders.work("1", () -> null))
                .verifyErrorSatisfies(thrown -> assertThat(thrown)
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("returned null"));
        assertThat(held()).isEmpty();
    }

    @Test
    void aLockWithoutNameIsAFailure() {
        StepVerifier.create(orders.work(null, Mono::empty))
                .verifyErrorSatisfies(thrown -> assertThat(thrown)
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("did not run"));
    }

    @Test
    void aBusyLockIsAFailure() throws InterruptedException {
        try (LockHandle other = heldByOthers("/orders/1")) {
            StepVerifier.create(orders.impatient("1")).verifyError(LockTimeoutException.class);
        }
    }

    @Test
    void aSkippedCallIsEmpty() throws InterruptedException {
        try (LockHandle other = heldByOthers("/orders/1")) {
            StepVerifier.create(orders.skipping("1")).verifyComplete();
        }
    }

    @Test
    void theFallbacksMonoTakesThePlace() throws InterruptedException {
        try (LockHandle other = heldByOthers("/orders/1")) {
            StepVerifier.create(orders.withFallback("1"))
                    .expectNext("1 LockTimeoutException")
                    .verifyComplete();
        }
    }

    @Test
    void aLossDuringASuccessIsAFailureWithoutTheValue() throws InterruptedException {
        CompletableFuture<LockHandle> shown = new CompletableFuture<>();
        CompletableFuture<Object> result = orders.filled("1", null, handle -> {
                    shown.complete(handle);
                    return sink.asMono();
                })
                .toFuture();

        loseKnowingly(shown.join());
        sink.tryEmitValue("too late");

        assertThat(result.handle((value, thrown) -> thrown).join()).isInstanceOf(LockLostException.class);
    }

    @Test
    void aLossIsSuppressedIntoTheFailure() throws InterruptedException {
        IllegalStateException failure = new IllegalStateException("business");
        CompletableFuture<LockHandle> shown = new CompletableFuture<>();
        CompletableFuture<Object> result = orders.filled("1", null, handle -> {
                    shown.complete(handle);
                    return sink.asMono();
                })
                .toFuture();

        loseKnowingly(shown.join());
        sink.tryEmitError(failure);

        assertThat(result.handle((value, thrown) -> thrown).join()).isSameAs(failure);
        assertThat(failure.getSuppressed()).singleElement().isInstanceOf(LockLostException.class);
    }

    @Test
    void aLossThatInterruptsCancelsTheMethodsMono() throws InterruptedException {
        TestPublisher<Object> source = TestPublisher.create();
        CompletableFuture<Object> result =
                orders.interrupted("1", source.mono()).toFuture();
        eventually(source::wasSubscribed);

        lose("/orders/1");

        assertThat(result.handle((value, thrown) -> thrown).join()).isInstanceOf(LockLostException.class);
        source.assertCancelled();
    }

    @Test
    void aLossOfWhichOnlyListenersAreToldLeavesTheResult() throws InterruptedException {
        CompletableFuture<Object> result = orders.notified("1", sink.asMono()).toFuture();
        eventually(() -> sink.currentSubscriberCount() > 0);

        lose("/orders/1");
        awaitFree("/orders/1");
        sink.tryEmitValue("done");

        assertThat(result).succeedsWithin(60, TimeUnit.SECONDS).isEqualTo("done");
    }

    @Test
    void aCancelledWaitLeavesTheQueue() throws InterruptedException {
        try (LockHandle other = heldByOthers("/orders/1")) {
            Disposable subscription = orders.work("1", () -> Mono.error(new AssertionError("Must not run")))
                    .subscribe();
            awaitWaitingFor("/orders/1");

            subscription.dispose();

            eventually(() -> awaited().isEmpty());
        }
    }

    @Test
    void aTimeoutOfTheSubscriberEndsTheWait() throws InterruptedException {
        try (LockHandle other = heldByOthers("/orders/1")) {
            StepVerifier.create(orders.work("1", Mono::empty).timeout(Duration.ofMillis(10)))
                    .verifyError(TimeoutException.class);

            eventually(() -> awaited().isEmpty());
        }
    }

    @Test
    void aCancellationGivesTheLockBack() {
        Disposable subscription = orders.work("1", Mono::never).subscribe();
        awaitHeld("/orders/1");

        subscription.dispose();

        awaitFree("/orders/1");
    }

    @Test
    void aRetryLocksAnew() {
        List<FencingToken> tokens = new ArrayList<>();
        Mono<Object> call = orders.filled("1", null, handle -> {
            tokens.add(handle.fencingToken());
            return tokens.size() < 3 ? Mono.error(new IllegalStateException("once more")) : Mono.just("done");
        });

        StepVerifier.create(call.retry(2)).expectNext("done").verifyComplete();

        assertThat(tokens).hasSize(3).doesNotHaveDuplicates();
    }

    @Test
    void aPublisherOfAnotherKindIsLockedToo() {
        StepVerifier.create(JdkFlowAdapter.flowPublisherToFlux(orders.ofTheJdk("1")))
                .expectNext(List.of("/orders/1"))
                .verifyComplete();
    }

    @Test
    void aThousandWaitWithoutAThreadEach() throws InterruptedException {
        AtomicInteger inside = new AtomicInteger();
        CompletableFuture<List<Object>> all;
        int threads;
        try (LockHandle other = heldByOthers("/orders/1")) {
            all = Flux.range(0, 1_000)
                    .flatMap(
                            i -> orders.work(
                                    "1",
                                    () -> Mono.<Object>fromSupplier(() -> inside.incrementAndGet())
                                            .delayUntil(now -> Mono.just(inside.decrementAndGet()))),
                            1_000)
                    .collectList()
                    .toFuture();
            eventually(() -> awaited().size() == 1_000);
            threads = Thread.activeCount();
        }

        assertThat(all)
                .succeedsWithin(60, TimeUnit.SECONDS)
                .satisfies(values -> assertThat(values).hasSize(1_000).containsOnly(1));
        assertThat(threads).isLessThan(200);
    }
}
