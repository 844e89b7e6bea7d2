package io.github.zklock.docs.guide;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.github.zklock.LockHandle;
import io.github.zklock.LockRegistry;
import io.github.zklock.LockTimeoutException;
import io.github.zklock.test.InMemoryLockCluster;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What {@code docs/guide/asynchronous.md} shows. */
class AsyncGuideTest {

    private final InMemoryLockCluster cluster = new InMemoryLockCluster();
    private final LockRegistry locks = cluster.join();

    @AfterEach
    void close() {
        cluster.close();
    }

    @Test
    void noThreadWaitsForTheLock() throws Exception {
        // snippet:future
        CompletableFuture<Long> total = locks.lock("/order-stats")
                .acquireAsync(Duration.ofSeconds(10))
                .thenCompose(handle -> CompletableFuture.completedFuture(handle)
                        .thenCompose(held -> computeLater()) // also closed if this throws
                        .whenComplete((result, failure) -> handle.close()));
        // end:future

        assertThat(total.get(60, TimeUnit.SECONDS)).isEqualTo(42);
        assertThat(locks.lock("/order-stats").tryAcquire()).hasValueSatisfying(LockHandle::close);
    }

    @Test
    void whoCancelsLeavesTheQueue() throws Exception {
        try (LockHandle elsewhere = cluster.join().lock("/order-stats").acquire()) {
            // snippet:cancel
            CompletableFuture<LockHandle> wait = locks.lock("/order-stats").acquireAsync();
            wait.cancel(true); // leaves the queue, as does orTimeout; a lock granted meanwhile is released
            // end:cancel

            assertThat(locks.inspector().awaited()).isEmpty();
            assertThat(elsewhere.isHeld()).isTrue();
        }
    }

    @Test
    void theDeadlineIsAFailureOfTheFuture() throws Exception {
        try (LockHandle elsewhere = cluster.join().lock("/order-stats").acquire()) {
            CompletableFuture<LockHandle> wait = locks.lock("/order-stats").acquireAsync(Duration.ofMillis(10));

            assertThatExceptionOfType(ExecutionException.class)
                    .isThrownBy(() -> wait.get(60, TimeUnit.SECONDS))
                    .withCauseInstanceOf(LockTimeoutException.class);
            assertThat(elsewhere.isHeld()).isTrue();
        }
    }

    private static CompletableFuture<Long> computeLater() {
        return CompletableFuture.supplyAsync(() -> 42L);
    }
}
