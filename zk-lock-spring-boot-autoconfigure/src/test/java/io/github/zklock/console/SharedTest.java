package io.github.zklock.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.LockName;
import io.github.zklock.LockUnavailableException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SharedTest {

    private final AtomicLong nanos = new AtomicLong(-5);
    private final AtomicInteger reads = new AtomicInteger();
    private final Readers readers =
            new Readers(Duration.ofSeconds(5), () -> Instant.ofEpochMilli(1_000_000), nanos::get);

    @AfterEach
    void close() {
        readers.close();
    }

    @Test
    void isReadOnceForAllWhoAskMeanwhile() throws Exception {
        CountDownLatch answer = new CountDownLatch(1);
        Shared<Integer> shared = new Shared<>(
                () -> {
                    answer.await(60, TimeUnit.SECONDS);
                    return reads.incrementAndGet();
                },
                readers);

        List<CompletableFuture<?>> asked = Stream.<CompletableFuture<?>>generate(shared::refresh)
                .limit(100)
                .toList();
        answer.countDown();
        readers.await(asked, Duration.ofSeconds(60));

        assertThat(shared.view().last()).contains(new Shared.Reading<>(1, 1_000_000));
        assertThat(reads).hasValue(1);
    }

    @Test
    void isNotReadWhileNobodyAsks() {
        Shared<Integer> shared = new Shared<>(reads::incrementAndGet, readers);
        pass(Duration.ofHours(1));

        assertThat(shared.view()).isEqualTo(new Shared.View<>(Optional.empty(), Optional.empty()));
        assertThat(reads).hasValue(0);
    }

    @Test
    void isFreshForTwoSeconds() throws Exception {
        Shared<Integer> shared = new Shared<>(reads::incrementAndGet, readers);

        refresh(shared);
        pass(Duration.ofMillis(1999));
        refresh(shared);
        assertThat(reads).hasValue(1);

        pass(Duration.ofMillis(1));
        refresh(shared);
        assertThat(reads).hasValue(2);
    }

    @Test
    void isLeftAloneForTenTimesAsLongAsItTook() throws Exception {
        Shared<Integer> shared = new Shared<>(
                () -> {
                    pass(Duration.ofSeconds(3));
                    return reads.incrementAndGet();
                },
                readers);

        refresh(shared);
        pass(Duration.ofMillis(29_999));
        refresh(shared);
        assertThat(reads).hasValue(1);

        pass(Duration.ofMillis(1));
        refresh(shared);
        assertThat(reads).hasValue(2);
    }

    @Test
    void keepsTheLastAnswerThroughAFailureAndTellsWhy() throws Exception {
        Shared<Integer> shared = new Shared<>(
                () -> {
                    if (reads.incrementAndGet() == 2) {
                        throw new LockUnavailableException(LockName.of("/l"), "ZooKeeper did not answer", null);
                    }
                    return reads.get();
                },
                readers);

        refresh(shared);
        pass(Duration.ofSeconds(2));
        refresh(shared);
        Shared.View<Integer> failed = shared.view();
        pass(Duration.ofSeconds(2));
        refresh(shared);

        assertThat(failed.last()).contains(new Shared.Reading<>(1, 1_000_000));
        assertThat(failed.problem()).contains("ZooKeeper did not answer");
        assertThat(shared.view().last()).contains(new Shared.Reading<>(3, 1_000_000));
        assertThat(shared.view().problem()).isEmpty();
    }

    @Test
    void isReadAgainAfterAnError() throws Exception {
        Shared<Integer> shared = new Shared<>(
                () -> {
                    if (reads.incrementAndGet() == 1) {
                        throw new StackOverflowError("folders without end");
                    }
                    return reads.get();
                },
                readers);

        refresh(shared);
        Shared.View<Integer> failed = shared.view();
        pass(Duration.ofSeconds(2));
        refresh(shared);

        assertThat(failed.problem().orElse("")).contains("folders without end");
        assertThat(shared.view().last()).contains(new Shared.Reading<>(2, 1_000_000));
    }

    @Test
    void isNotReadForThoseWhoHaveGone() throws Exception {
        CountDownLatch occupied = new CountDownLatch(4);
        CountDownLatch answer = new CountDownLatch(1);
        for (int i = 0; i < 4; i++) {
            readers.execute(() -> {
                occupied.countDown();
                await(answer);
            });
        }
        await(occupied);
        Shared<Integer> shared = new Shared<>(reads::incrementAndGet, readers);

        CompletableFuture<?> asked = shared.refresh();
        pass(Duration.ofSeconds(6));
        answer.countDown();
        readers.await(List.of(asked), Duration.ofSeconds(60));

        assertThat(reads).hasValue(0);
        assertThat(shared.view().problem()).contains("ZooKeeper has not been asked within PT5S");
    }

    @Test
    void isNotReadOnceTheConsoleIsClosed() {
        Shared<Integer> shared = new Shared<>(reads::incrementAndGet, readers);
        readers.close();

        assertThat(shared.refresh()).isCompleted();
        assertThat(shared.view().problem()).contains("The console is closed");
    }

    private void refresh(Shared<?> shared) throws InterruptedException {
        readers.await(List.of(shared.refresh()), Duration.ofSeconds(60));
    }

    private void pass(Duration time) {
        nanos.addAndGet(time.toNanos());
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(60, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
