package io.github.zklock.aop;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.LockContext;
import io.github.zklock.LockHandle;
import io.github.zklock.LockRegistry;
import io.github.zklock.LockTimeoutException;
import io.github.zklock.annotation.DistributedLock;
import io.github.zklock.reactive.ReactiveLockContext;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.test.StepVerifier;

class ReentrantReactiveCallTest extends LaterCallTest {

    static class Orders {

        @DistributedLock("/orders/#{#id}")
        public Mono<Object> work(String id, Supplier<Mono<Object>> body) {
            return body.get();
        }

        @DistributedLock(name = "/orders/#{#id}", waitTime = "0")
        public Mono<Object> impatient(String id) {
            return Mono.just("entered");
        }

        @DistributedLock("/orders/#{#id}")
        public Flux<Object> several(String id, Supplier<Flux<Object>> body) {
            return body.get();
        }

        @DistributedLock("/orders/#{#id}")
        public Mono<Object> filled(String id, @Nullable LockHandle handle, Function<LockHandle, Mono<Object>> body) {
            return body.apply(handle);
        }

        @DistributedLock("/orders/#{#id}")
        public Object onThread(String id, Supplier<Object> body) {
            return body.get();
        }
    }

    @BeforeAll
    static void start() {
        start(Orders.class);
    }

    private final Orders orders = bean(Orders.class);

    private static Mono<Object> heldHere() {
        return ReactiveLockContext.current()
                .map(handles ->
                        handles.stream().map(handle -> handle.name().value()).toList());
    }

    @Test
    void aNestedCallReEntersOverAChangeOfThreads() {
        Mono<Object> call = orders.work(
                "1",
                () -> Mono.just("outer")
                        .publishOn(Schedulers.parallel())
                        .flatMap(outer -> orders.work("1", () -> heldHere())));

        StepVerifier.create(call).expectNext(List.of("/orders/1", "/orders/1")).verifyComplete();
    }

    @Test
    void nestedCallsOfOneFluxShareTheHoldAroundThem() {
        Flux<Object> call = orders.several(
                "1",
                () -> Flux.range(0, 8)
                        .flatMap(i ->
                                orders.work("1", () -> Mono.just((Object) i).subscribeOn(Schedulers.parallel()))));

        StepVerifier.create(call).expectNextCount(8).verifyComplete();
    }

    @Test
    void aNestedCallIsShownTheHandleOfTheCallAroundIt() {
        Mono<Object> call = orders.filled(
                "1",
                null,
                outer -> Mono.just("outer")
                        .publishOn(Schedulers.parallel())
                        .flatMap(value -> orders.filled("1", null, inner -> Mono.just(inner == outer))));

        StepVerifier.create(call).expectNext(true).verifyComplete();
    }

    @Test
    void aDifferentNestedLockIsHeldTogetherWithTheOuterOne() {
        StepVerifier.create(orders.work("1", () -> orders.work("2", () -> heldHere())))
                .expectNext(List.of("/orders/1", "/orders/2"))
                .verifyComplete();
    }

    @Test
    void aSubscriptionWithoutTheContextDoesNotReEnter() {
        Mono<Object> call = orders.work(
                "1",
                () -> Mono.just("outer")
                        .publishOn(Schedulers.parallel())
                        .flatMap(outer ->
                                Mono.fromFuture(() -> orders.impatient("1").toFuture())));

        StepVerifier.create(call).verifyError(LockTimeoutException.class);
    }

    @Test
    void aThreadThatHoldsTheLockReEntersByItsSubscription() {
        assertThat(orders.onThread("1", () -> orders.work("1", () -> heldHere()).block()))
                .isEqualTo(List.of("/orders/1"));
    }

    @Test
    void theMethodItselfRunsInAScopeOfItsThread() {
        StepVerifier.create(orders.work("1", () -> {
                    Object heldByThread = heldNow();
                    return Mono.just(heldByThread);
                }))
                .expectNext(List.of("/orders/1"))
                .verifyComplete();
        assertThat(LockContext.current()).isEmpty();
    }

    @Test
    void aCallOnAThreadReEntersEachLockAroundTheSubscription() {
        Mono<Object> call =
                orders.work("1", () -> orders.work("2", () -> Mono.just(orders.onThread("1", () -> heldNow()))));

        StepVerifier.create(call)
                .expectNext(List.of("/orders/1", "/orders/2", "/orders/1"))
                .verifyComplete();
    }

    @Test
    void theLockCanBeAsserted() {
        Mono<Void> guarded = ReactiveLockContext.assertHeld("/orders/1");

        StepVerifier.create(orders.work("1", () -> guarded.thenReturn("held")))
                .expectNext("held")
                .verifyComplete();
        StepVerifier.create(guarded)
                .verifyErrorSatisfies(thrown -> assertThat(thrown)
                        .isInstanceOf(IllegalMonitorStateException.class)
                        .hasMessageContaining("'/orders/1' is not held by the running call"));
    }

    @Test
    void aHandleAcquiredByHandIsReEntered() throws InterruptedException {
        try (LockHandle handle = bean(LockRegistry.class).lock("/orders/1").acquire()) {
            Mono<Object> call = orders.work("1", () -> heldHere())
                    .contextWrite(context -> ReactiveLockContext.with(context, handle));

            StepVerifier.create(call)
                    .expectNext(List.of("/orders/1", "/orders/1"))
                    .verifyComplete();
        }
    }

    @Test
    void nothingIsHeldOutside() {
        StepVerifier.create(orders.work("1", () -> Mono.just("done")).then(heldHere()))
                .expectNext(List.of())
                .verifyComplete();
    }
}
