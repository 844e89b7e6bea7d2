package io.github.zklock.observation;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.annotation.DistributedLock;
import io.github.zklock.config.TestApplication;
import io.github.zklock.observation.LockObservationContext.Outcome;
import io.micrometer.observation.Observation;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

class AsyncObservationsTest extends ObservedLocks {

    private final TestApplication application = application().withBeans(Desk.class);

    @Test
    void theObservationOfAMonoIsAChildOfItsSubscribersObservation() {
        application.run(context -> {
            Observation request = Observation.start("request", observations);
            Object seen = context.getBean(Desk.class)
                    .bookLater("45")
                    .contextWrite(around -> around.put(LockObservations.CONTEXT_KEY, request))
                    .block(Duration.ofSeconds(60));
            request.stop();

            Awaitility.await().until(() -> stopped.size() == 2);
            assertThat(stopped)
                    .extracting(each -> Objects.requireNonNull(each.getParentObservation()))
                    .allMatch(request::equals);
            assertThat(((Observation) Objects.requireNonNull(seen)).getContext())
                    .isSameAs(stopped.get(1));
            assertThat(stopped.get(1).outcome()).isEqualTo(Outcome.RELEASED);
        });
    }

    @Test
    void theObservationOfAStageIsAChildOfItsCallersObservation() {
        application.run(context -> {
            Observation request = Observation.start("request", observations);
            CompletableFuture<String> work = new CompletableFuture<>();
            CompletionStage<String> stage;
            try (Observation.Scope current = request.openScope()) {
                stage = context.getBean(Desk.class).bookSoon(work);
            }
            Awaitility.await().until(() -> stopped.size() == 1);
            work.complete("done");
            stage.toCompletableFuture().get(60, TimeUnit.SECONDS);
            request.stop();

            Awaitility.await().until(() -> stopped.size() == 2);
            assertThat(stopped)
                    .extracting(each -> Objects.requireNonNull(each.getParentObservation()))
                    .allMatch(request::equals);
        });
    }

    @Test
    void theMethodOfAStageRunsWithinTheTraceOfItsCaller() {
        application.run(context -> {
            Observation request = Observation.start("request", observations);
            CompletionStage<Observation> seen;
            try (Observation.Scope current = request.openScope()) {
                seen = context.getBean(Desk.class)
                        .bookNow(() -> Objects.requireNonNull(observations.getCurrentObservation()));
            }

            assertThat(seen.toCompletableFuture().get(60, TimeUnit.SECONDS).getContext())
                    .satisfies(hold -> assertThat(hold.getParentObservation()).isSameAs(request));
            request.stop();
        });
    }

    static class Desk {

        @DistributedLock("/desk/now")
        CompletionStage<Observation> bookNow(Supplier<Observation> work) {
            return CompletableFuture.completedFuture(work.get());
        }

        @DistributedLock(name = "/desk/#{#order}")
        Mono<Object> bookLater(String order) {
            return Mono.deferContextual(around -> Mono.just(around.get(LockObservations.CONTEXT_KEY)));
        }

        @DistributedLock("/desk/soon")
        CompletionStage<String> bookSoon(CompletableFuture<String> work) {
            return work;
        }
    }
}
