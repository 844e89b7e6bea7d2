package io.github.zklock.aop;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.LockHandle;
import io.github.zklock.LockLostException;
import io.github.zklock.LockName;
import io.github.zklock.annotation.DistributedLock;
import io.github.zklock.observation.LockObservationContext;
import io.github.zklock.observation.LockObservationDocumentation;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Primary;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;
import reactor.util.context.ContextView;

class ObservedLaterCallTest extends LaterCallTest {

    private static final String KEY = "micrometer.observation";

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

    static class Recorder implements ObservationHandler<LockObservationContext> {

        final List<String> seen = new CopyOnWriteArrayList<>();

        @Override
        public void onStart(LockObservationContext context) {
            seen.add("start " + context.phase() + " " + context.template() + " " + context.names());
        }

        @Override
        public void onScopeOpened(LockObservationContext context) {
            seen.add("open");
        }

        @Override
        public void onScopeClosed(LockObservationContext context) {
            seen.add("closed");
        }

        @Override
        public void onStop(LockObservationContext context) {
            Throwable error = context.getError();
            seen.add("stop " + context.phase() + " " + context.outcome()
                    + (error == null ? "" : " " + error.getClass().getSimpleName()));
        }

        @Override
        public boolean supportsContext(Observation.Context context) {
            return context instanceof LockObservationContext;
        }
    }

    static class Observations {

        @Bean
        static ObservationRegistry observationRegistry(Recorder recorder) {
            ObservationRegistry registry = ObservationRegistry.create();
            registry.observationConfig().observationHandler(recorder);
            return registry;
        }
    }

    @Primary
    static class Refusing implements TransactionTie, ReactiveTransactions {

        volatile boolean refuses;

        @Override
        public TransactionTie of(ContextView context) {
            return this;
        }

        @Override
        public TransactionTie forCall(List<LockName> locks) {
            if (refuses) {
                throw new IllegalStateException("Not within a transaction: " + locks);
            }
            return this;
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
        start(Orders.class, Recorder.class, Observations.class, Refusing.class);
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
                .containsExactly(
                        "start ACQUIRE /orders/#{#id} [/orders/1]",
                        "stop ACQUIRE ACQUIRED",
                        "start HOLD /orders/#{#id} [/orders/1]",
                        "open",
                        "closed");

        stage.complete("done");

        assertThat(result).succeedsWithin(60, TimeUnit.SECONDS);
        assertThat(seen).endsWith("stop HOLD RELEASED");
    }

    @Test
    void aMonoIsObservedBelowTheObservationOfItsSubscriber() {
        ObservationRegistry observations = bean(ObservationRegistry.class);
        Observation outer = Observation.start("outer", observations);
        Mono<Object> inner = Mono.deferContextual(context -> Mono.just(context.<Object>get(KEY)));

        Object hold = orders.mono("1", inner)
                .contextWrite(context -> context.put(KEY, outer))
                .block();

        outer.stop();
        assertThat(hold).isInstanceOfSatisfying(Observation.class, observed -> {
            assertThat(observed.getContext())
                    .isInstanceOfSatisfying(
                            LockObservationContext.class,
                            context -> assertThat(context.phase()).isEqualTo(LockObservationDocumentation.HOLD));
            assertThat(observed.getContext().getParentObservation()).isSameAs(outer);
        });
        assertThat(seen)
                .containsExactly(
                        "start ACQUIRE /orders/#{#id} [/orders/1]",
                        "stop ACQUIRE ACQUIRED",
                        "start HOLD /orders/#{#id} [/orders/1]",
                        "open",
                        "closed",
                        "stop HOLD RELEASED");
    }

    @Test
    void aRejectedCallIsObserved() throws InterruptedException {
        try (LockHandle other = heldByOthers("/orders/1")) {
            orders.future("1", new CompletableFuture<>())
                    .handle((value, thrown) -> value)
                    .join();
            orders.mono("1", Mono.empty()).onErrorComplete().block();
        }

        assertThat(seen)
                .filteredOn(notice -> !notice.startsWith("start"))
                .containsExactly("stop ACQUIRE TIMEOUT", "stop ACQUIRE TIMEOUT");
    }

    @Test
    void theFailureOfTheWorkIsObserved() {
        orders.future("1", CompletableFuture.failedFuture(new IllegalStateException("business")))
                .handle((value, thrown) -> value)
                .join();
        orders.mono("1", Mono.error(new IllegalStateException("business")))
                .onErrorComplete()
                .block();

        assertThat(seen)
                .filteredOn("stop HOLD ERROR IllegalStateException"::equals)
                .hasSize(2);
    }

    @Test
    void aCancellationIsObserved() {
        Disposable subscription = orders.mono("1", Mono.never()).subscribe();
        eventually(() -> seen.contains("closed"));

        subscription.dispose();

        eventually(() -> seen.contains("stop HOLD ERROR " + CancellationException.class.getSimpleName()));
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
