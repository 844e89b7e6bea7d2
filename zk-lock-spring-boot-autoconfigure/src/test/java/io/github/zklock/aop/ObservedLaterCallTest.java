package io.github.zklock.aop;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.LockHandle;
import io.github.zklock.LockLostException;
import io.github.zklock.LockName;
import io.github.zklock.annotation.DistributedLock;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;
import reactor.util.context.ContextView;

class ObservedLaterCallTest extends LaterCallTest {

    static class Orders {

        @DistributedLock(name = "/orders/#{#id}", waitTime = "0")
        public CompletableFuture<Object> future(String id, CompletableFuture<Object> stage) {
            return stage;
        }

        @DistributedLock(name = "/orders/#{#id}", waitTime = "0")
        public Mono<Object> mono(String id, Mono<Object> body) {
            return body;
        }
    }

    static class Recorder implements CallObserver {

        final List<String> seen = new CopyOnWriteArrayList<>();

        @Override
        public Observed begin(Call call, Function<Object, @Nullable Object> carried) {
            seen.add("begin " + call.template() + " " + call.names() + " " + carried.apply("key"));
            return new Observed() {
                @Override
                public void refused(Throwable reason) {
                    seen.add("refused " + reason.getClass().getSimpleName());
                }

                @Override
                public void acquired(LockHandle handle) {
                    seen.add("acquired " + handle.name());
                }

                @Override
                public void ended(@Nullable Throwable failure) {
                    seen.add("ended "
                            + (failure == null ? "well" : failure.getClass().getSimpleName()));
                }

                @Override
                public Scope open() {
                    seen.add("open");
                    return () -> seen.add("closed");
                }

                @Override
                public Map<Object, Object> carried() {
                    return Map.of("key", "inner");
                }
            };
        }
    }

    static class Refusing implements TransactionTie, ReactiveTransactions {

        volatile boolean refuses;

        @Override
        public TransactionTie of(ContextView context) {
            return this;
        }

        @Override
        public void beforeAcquire(List<LockName> locks) {
            if (refuses) {
                throw new IllegalStateException("Not within a transaction: " + locks);
            }
        }

        @Override
        public boolean takeOver(Hold hold) {
            return false;
        }

        @Override
        public void lost(Hold hold, LockLostException loss) {}
    }

    @BeforeAll
    static void start() {
        start(Orders.class, Recorder.class, Refusing.class);
    }

    private final Orders orders = bean(Orders.class);
    private final List<String> seen = bean(Recorder.class).seen;

    @BeforeEach
    void forget() {
        seen.clear();
        bean(Refusing.class).refuses = false;
    }

    @Test
    void aFutureIsObservedUntilItsStageIsComplete() {
        CompletableFuture<Object> stage = new CompletableFuture<>();
        CompletableFuture<Object> result = orders.future("1", stage);
        eventually(() -> seen.contains("closed"));
        assertThat(seen)
                .containsExactly("begin /orders/#{#id} [/orders/1] null", "acquired /orders/1", "open", "closed");

        stage.complete("done");

        assertThat(result).succeedsWithin(60, TimeUnit.SECONDS);
        assertThat(seen).endsWith("ended well");
    }

    @Test
    void aMonoIsObservedWithTheContextsOfItsSubscriberAndItsMethod() {
        Mono<Object> inner = Mono.deferContextual(context -> Mono.just(context.<Object>get("key")));

        StepVerifier.create(orders.mono("1", inner).contextWrite(context -> context.put("key", "outer")))
                .expectNext("inner")
                .verifyComplete();

        assertThat(seen)
                .containsExactly(
                        "begin /orders/#{#id} [/orders/1] outer", "acquired /orders/1", "open", "closed", "ended well");
    }

    @Test
    void aRefusalIsObserved() throws InterruptedException {
        try (LockHandle other = heldByOthers("/orders/1")) {
            orders.future("1", new CompletableFuture<>())
                    .handle((value, thrown) -> value)
                    .join();
            orders.mono("1", Mono.empty()).onErrorComplete().block();
        }

        assertThat(seen)
                .filteredOn(notice -> !notice.startsWith("begin"))
                .containsExactly("refused LockTimeoutException", "refused LockTimeoutException");
    }

    @Test
    void theFailureOfTheWorkIsObserved() {
        orders.future("1", CompletableFuture.failedFuture(new IllegalStateException("business")))
                .handle((value, thrown) -> value)
                .join();
        orders.mono("1", Mono.error(new IllegalStateException("business")))
                .onErrorComplete()
                .block();

        assertThat(seen).filteredOn("ended IllegalStateException"::equals).hasSize(2);
    }

    @Test
    void aCancellationIsObserved() {
        Disposable subscription = orders.mono("1", Mono.never()).subscribe();
        eventually(() -> seen.contains("closed"));

        subscription.dispose();

        eventually(() -> seen.contains("ended " + CancellationException.class.getSimpleName()));
    }

    @Test
    void aCallThatMustNotLockWithinATransactionFailsWithoutRunning() {
        bean(Refusing.class).refuses = true;

        StepVerifier.create(orders.mono("1", Mono.empty())).verifyErrorMessage("Not within a transaction: [/orders/1]");
        assertThat(orders.future("1", new CompletableFuture<>()))
                .failsWithin(60, TimeUnit.SECONDS)
                .withThrowableThat()
                .havingCause()
                .withMessage("Not within a transaction: [/orders/1]");
        assertThat(seen).isEmpty();
    }
}
