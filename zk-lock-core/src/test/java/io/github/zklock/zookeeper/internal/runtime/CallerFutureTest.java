package io.github.zklock.zookeeper.internal.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class CallerFutureTest {

    private final List<String> log = new ArrayList<>();
    private final CallerFuture<String> future = new CallerFuture<>(() -> log.add("leave"));

    static Stream<Consumer<CompletableFuture<String>>> waysToComplete() {
        return Stream.of(
                each -> each.complete("own"),
                each -> each.cancel(true),
                each -> each.completeExceptionally(new IllegalStateException("own")),
                each -> each.obtrudeValue("own"),
                each -> each.obtrudeException(new IllegalStateException("own")),
                each -> each.completeAsync(() -> "own", Runnable::run),
                each -> each.completeAsync(
                        () -> {
                            throw new IllegalStateException("own");
                        },
                        Runnable::run));
    }

    @ParameterizedTest
    @MethodSource("waysToComplete")
    void theLibraryLeavesBeforeTheStagesOfTheCallerRun(Consumer<CompletableFuture<String>> complete) {
        CompletableFuture<Boolean> stage = future.handle((value, failure) -> log.add("stage"));

        complete.accept(future);

        assertThat(log).containsExactly("leave", "stage");
        assertThat(stage).isCompleted();
        assertThat(future.decide("late")).isFalse();
        assertThat(future.decideFailure(new IllegalStateException("late"))).isFalse();
    }

    @Test
    void aTimeoutOfTheCallerLeavesBeforeItsStagesRun() {
        CompletableFuture<Boolean> stage =
                future.orTimeout(1, TimeUnit.NANOSECONDS).handle((value, failure) -> log.add("stage"));

        stage.join();

        assertThat(log).containsExactly("leave", "stage");
        assertThat(future)
                .failsWithin(1, TimeUnit.MINUTES)
                .withThrowableThat()
                .withCauseInstanceOf(TimeoutException.class);
    }

    @Test
    void aDecisionRunsNoStages() {
        CompletableFuture<Boolean> stage = future.handle((value, failure) -> log.add(value));

        assertThat(future.decide("answer")).isTrue();
        assertThat(log).isEmpty();
        assertThat(future.isDecided()).isTrue();

        future.tell();
        assertThat(log).containsExactly("answer");
        assertThat(stage).isCompleted();
        assertThat(future.decide("answer")).as("the same again").isTrue();
    }

    @Test
    void afterADecisionTheCallerCompletesNothingElse() {
        future.decide("answer");

        assertThat(future.cancel(true)).isFalse();

        assertThat(future).isCompletedWithValue("answer");
        assertThat(log).isEmpty();
    }

    @Test
    void failureIsTold() {
        IllegalStateException refusal = new IllegalStateException("refused");
        future.decideFailure(refusal);
        future.tell();

        assertThat(future.complete("own")).isFalse();
        assertThat(future).failsWithin(1, TimeUnit.MINUTES).withThrowableThat().withCause(refusal);
    }

    /** The state that an Error leaves behind if it prevents the completion by the caller. */
    @Test
    void futureWhoseCallerHasLeftIsCompletedByTheLibraryIfNotByTheCaller() {
        List<CallerFuture<String>> left = new ArrayList<>();
        CallerFuture<String> leaving = new CallerFuture<>(() -> left.get(0).tell());
        left.add(leaving);

        leaving.complete("too late");

        assertThat(leaving).isCancelled();
    }

    @Test
    void anErrorWhileItLeavesDoesNotKeepTheFutureOpen() {
        AtomicInteger leaves = new AtomicInteger();
        CallerFuture<String> failing = new CallerFuture<>(() -> {
            leaves.incrementAndGet();
            throw new StackOverflowError("planted by the test");
        });

        assertThatExceptionOfType(StackOverflowError.class).isThrownBy(() -> failing.cancel(false));

        assertThat(failing).isCancelled();
        assertThat(failing.cancel(false)).isTrue();
        assertThat(leaves).hasValue(1);
    }
}
