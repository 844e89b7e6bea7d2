package io.github.zklock.test;

import io.github.zklock.ClusterSemaphore;
import io.github.zklock.LockHandle;
import io.github.zklock.LockName;
import io.github.zklock.test.Acquirer.Wish;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A number of permits. */
final class MemorySemaphore implements ClusterSemaphore {

    static final int MOST_PERMITS = 10_000;

    private final LockName name;
    private final int permits;
    private final Acquirer acquirer;
    private final Inspection inspection;

    MemorySemaphore(LockName name, int permits, Acquirer acquirer, Inspection inspection) {
        checkTotal(name, permits);
        this.name = name;
        this.permits = permits;
        this.acquirer = acquirer;
        this.inspection = inspection;
    }

    /** Refuses numbers of permits that no semaphore has. */
    static void checkTotal(LockName name, int permits) {
        if (permits < 1 || permits > MOST_PERMITS) {
            throw new IllegalArgumentException(
                    "Semaphore '" + name + "': " + permits + " permits are not between 1 and " + MOST_PERMITS);
        }
    }

    @Override
    public LockName name() {
        return name;
    }

    @Override
    public int permits() {
        return permits;
    }

    @Override
    public int availablePermits() throws InterruptedException {
        return inspection.availablePermits(name.value(), permits);
    }

    @Override
    public LockHandle acquire(int wanted) throws InterruptedException {
        return acquire(wanted, Patience.forever());
    }

    @Override
    public LockHandle acquire(int wanted, Duration maxWait) throws InterruptedException {
        return acquire(wanted, atMost(maxWait));
    }

    @Override
    public Optional<LockHandle> tryAcquire(int wanted) throws InterruptedException {
        return tryAcquire(wanted, Patience.onlyAsking(connectionTimeout()));
    }

    @Override
    public Optional<LockHandle> tryAcquire(int wanted, Duration maxWait) throws InterruptedException {
        return tryAcquire(wanted, atMost(maxWait));
    }

    @Override
    public CompletableFuture<LockHandle> acquireAsync(int wanted) {
        return acquirer.acquireAsync(wish(wanted, Patience.forever()), null);
    }

    @Override
    public CompletableFuture<LockHandle> acquireAsync(int wanted, Duration maxWait) {
        return acquirer.acquireAsync(wish(wanted, atMost(maxWait)), null);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof MemorySemaphore semaphore
                && semaphore.acquirer == acquirer
                && semaphore.permits == permits
                && semaphore.name.equals(name);
    }

    @Override
    public int hashCode() {
        return Objects.hash(name, permits);
    }

    @Override
    public String toString() {
        return "ClusterSemaphore[" + name + ", " + permits + " permits]";
    }

    private LockHandle acquire(int wanted, Patience patience) throws InterruptedException {
        Wish wish = wish(wanted, patience);
        Acquirer.checkInterrupt(name);
        return acquirer.acquire(wish, null);
    }

    private Optional<LockHandle> tryAcquire(int wanted, Patience patience) throws InterruptedException {
        Wish wish = wish(wanted, patience);
        Acquirer.checkInterrupt(name);
        return acquirer.tryAcquire(wish, null);
    }

    private Wish wish(int wanted, Patience patience) {
        if (wanted < 1 || wanted > permits) {
            throw new IllegalArgumentException(
                    "Semaphore '" + name + "': " + wanted + " permits can never be had; ask for 1 to " + permits);
        }
        return new Wish(name, Demand.permits(wanted, permits), patience);
    }

    private Patience atMost(Duration maxWait) {
        return Patience.atMost(name, maxWait, connectionTimeout());
    }

    private Duration connectionTimeout() {
        return acquirer.member().settings().connectionTimeout();
    }
}
