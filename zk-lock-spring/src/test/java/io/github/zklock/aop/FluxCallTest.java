package io.github.zklock.aop;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.LockHandle;
import io.github.zklock.LockLostException;
import io.github.zklock.annotation.DistributedLock;
import io.github.zklock.annotation.OnBusy;
import io.github.zklock.annotation.OnLost;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Sinks;
import reactor.test.StepVerifier;
import reactor.test.publisher.TestPublisher;

class FluxCallTest extends LaterCallTest {

    static class Orders {

        @DistributedLock("/orders/#{#id}")
        public Flux<Object> work(String id, Flux<Object> body) {
            return body;
        }

        @DistributedLock("/orders/#{#id}")
        public Publisher<Object> publisher(String id, Publisher<Object> body) {
            return body;
        }

        @DistributedLock(name = "/orders/#{#id}", waitTime = "0", onBusy = OnBusy.SKIP)
        public Flux<Object> skipping(String id) {
            throw new AssertionError("Must not run");
        }

        @DistributedLock(name = "/orders/#{#id}", onLost = OnLost.INTERRUPT)
        public Flux<Object> interrupted(String id, Flux<Object> body) {
            return body;
        }
    }

    @BeforeAll
    static void start() {
        start(Orders.class);
    }

    private final Orders orders = bean(Orders.class);
    private final TestPublisher<Object> source = TestPublisher.create();

    @Test
    void valuesArriveAsTheyComeWhileTheLockIsHeld() {
        StepVerifier.create(orders.work("1", source.flux()))
                .then(() -> eventually(source::wasSubscribed))
                .then(() -> source.next("a"))
                .expectNext("a")
                .then(() -> assertThat(held()).contains("/orders/1"))
                .then(() -> source.next("b").complete())
                .expectNext("b")
                .verifyComplete();
        assertThat(held()).isEmpty();
    }

    @Test
    void onlyWhatTheSubscriberHasRequestedIsRequested() {
        StepVerifier.create(orders.work("1", source.flux()), 2)
                .then(() -> eventually(source::wasRequested))
                .then(() -> source.assertMaxRequested(2))
                .then(() -> source.next("a", "b"))
                .expectNext("a", "b")
                .thenRequest(1)
                .then(() -> source.next("c").complete())
                .expectNext("c")
                .verifyComplete();
    }

    @Test
    void aLossFailsTheSequenceAtItsEnd() {
        StepVerifier.create(orders.work("1", source.flux()))
                .then(() -> eventually(source::wasSubscribed))
                .then(() -> source.next("a"))
                .expectNext("a")
                .then(this::loseAndAwait)
                .then(() -> source.next("b").complete())
                .expectNext("b")
                .verifyError(LockLostException.class);
    }

    @Test
    void aFailureGetsOutUnchanged() {
        IllegalStateException failure = new IllegalStateException("business");

        StepVerifier.create(orders.work("1", Flux.concat(Flux.just("a"), Flux.error(failure))))
                .expectNext("a")
                .verifyErrorSatisfies(thrown -> assertThat(thrown).isSameAs(failure));
        assertThat(held()).isEmpty();
    }

    @Test
    void aLossThatInterruptsCancelsTheMethodsFlux() {
        StepVerifier.create(orders.interrupted("1", source.flux()))
                .then(() -> eventually(source::wasSubscribed))
                .then(() -> source.next("a"))
                .expectNext("a")
                .then(this::loseAndAwait)
                .verifyError(LockLostException.class);
        source.assertCancelled();
    }

    @Test
    void aSubscriberThatHasEnoughGivesTheLockBack() {
        StepVerifier.create(orders.work("1", Flux.just("a", "b", "c")).take(1))
                .expectNext("a")
                .verifyComplete();

        awaitFree("/orders/1");
    }

    @Test
    void aSkippedCallIsEmpty() throws InterruptedException {
        try (LockHandle other = heldByOthers("/orders/1")) {
            StepVerifier.create(orders.skipping("1")).verifyComplete();
        }
    }

    @Test
    void aPlainPublisherIsLockedToo() {
        StepVerifier.create(orders.publisher("1", Flux.defer(() -> Flux.fromIterable(held()))))
                .expectNext("/orders/1")
                .verifyComplete();
    }

    @Test
    void concurrentSubscriptionsTakeTurns() {
        Sinks.Empty<Object> first = Sinks.empty();
        CompletableFuture<List<Object>> one =
                orders.work("1", first.asMono().flux()).collectList().toFuture();
        awaitHeld("/orders/1");
        CompletableFuture<List<Object>> two =
                orders.work("1", Flux.just("b")).collectList().toFuture();
        awaitWaitingFor("/orders/1");

        assertThat(two).isNotDone();
        first.tryEmitEmpty();

        assertThat(one.join()).isEmpty();
        assertThat(two.join()).isEqualTo(List.of("b"));
    }

    private void loseAndAwait() {
        try {
            lose("/orders/1");
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        awaitFree("/orders/1");
    }
}
