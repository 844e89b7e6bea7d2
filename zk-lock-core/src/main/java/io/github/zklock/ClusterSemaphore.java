package io.github.zklock;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * A number of permits over all processes of a cluster. A value: it costs nothing until used, it may be kept or obtained
 * anew each time, and it is thread-safe.
 *
 * <p>Permits belong to the returned handle and to no thread: there is no re-entry, and whoever has the handle gives its
 * permits back by {@link LockHandle#close()}, in any order. Who asks for several gets all of them at once or none, and
 * first come is first served: a small wish does not overtake a large one that came before it, within a process always, and
 * between processes within the bounds of the hand-off policy.
 *
 * <p>Deadlines, outages and losses are those of {@link ClusterLock}. All processes must agree on the number of permits;
 * who comes with another one than those who are there gets a {@link LockMismatchException}.
 *
 * <p>Not guaranteed: anything about the tokens of permits, which are for tracing only.
 */
public interface ClusterSemaphore {

    /** The canonical name. */
    LockName name();

    /** How many permits there are, over the whole cluster. */
    int permits();

    /**
     * How many permits are neither held nor owed to those who wait, as the cluster sees it; not negative. Permits that
     * linger ({@link HandOff#linger()}) are available.
     *
     * <p>Not guaranteed: that the number includes every grant of the last moment. If another process has acquired lingering
     * permits again, they count as available until that process has held them for a quarter of its session timeout, or
     * until another process queues.
     *
     * @throws LockUnavailableException if ZooKeeper could not be reached within the connection timeout
     * @throws LockMismatchException if the name is in use with another number of permits, or as another kind of lock
     * @throws InterruptedException if the thread is interrupted while asking
     */
    int availablePermits() throws InterruptedException;

    /** As {@link #acquire(int)} for one permit. */
    default LockHandle acquire() throws InterruptedException {
        return acquire(1);
    }

    /** As {@link #acquire(int, Duration)} for one permit. */
    default LockHandle acquire(Duration maxWait) throws InterruptedException {
        return acquire(1, maxWait);
    }

    /** As {@link #tryAcquire(int)} for one permit. */
    default Optional<LockHandle> tryAcquire() throws InterruptedException {
        return tryAcquire(1);
    }

    /** As {@link #tryAcquire(int, Duration)} for one permit. */
    default Optional<LockHandle> tryAcquire(Duration maxWait) throws InterruptedException {
        return tryAcquire(1, maxWait);
    }

    /** As {@link #acquireAsync(int)} for one permit. */
    default CompletableFuture<LockHandle> acquireAsync() {
        return acquireAsync(1);
    }

    /** As {@link #acquireAsync(int, Duration)} for one permit. */
    default CompletableFuture<LockHandle> acquireAsync(Duration maxWait) {
        return acquireAsync(1, maxWait);
    }

    /**
     * Waits for this many permits for as long as it takes, through any outage.
     *
     * @throws IllegalArgumentException if {@code permits} is not between 1 and {@link #permits()}
     * @throws InterruptedException if the thread is interrupted, before or while waiting; the queue is left
     */
    LockHandle acquire(int permits) throws InterruptedException;

    /**
     * Waits for this many permits for at most this long. Zero does not wait for holders.
     *
     * @throws IllegalArgumentException if {@code permits} is not between 1 and {@link #permits()}, or {@code maxWait} is
     *     negative
     * @throws LockTimeoutException if others held too many permits for that long
     * @throws LockUnavailableException if ZooKeeper could not be reached at the deadline
     * @throws InterruptedException if the thread is interrupted, before or while waiting; the queue is left
     */
    LockHandle acquire(int permits, Duration maxWait) throws InterruptedException;

    /**
     * Takes this many permits if they are available, and never waits for holders: it asks the cluster, for at most the
     * registry's connection timeout. Permits that only linger in another process are available, as a lock is: see {@link
     * ClusterLock#tryAcquire()}.
     *
     * @return the handle, or empty if others hold too many permits or wait for some
     * @throws IllegalArgumentException if {@code permits} is not between 1 and {@link #permits()}
     * @throws LockUnavailableException if ZooKeeper could not be reached in that time
     * @throws InterruptedException if the thread is interrupted, before or while asking; the queue is left
     */
    Optional<LockHandle> tryAcquire(int permits) throws InterruptedException;

    /**
     * Waits for this many permits for at most this long. Zero does not wait for holders.
     *
     * @return the handle, or empty if others held too many permits for that long
     * @throws IllegalArgumentException if {@code permits} is not between 1 and {@link #permits()}, or {@code maxWait} is
     *     negative
     * @throws LockUnavailableException if ZooKeeper could not be reached at the deadline
     * @throws InterruptedException if the thread is interrupted, before or while waiting; the queue is left
     */
    Optional<LockHandle> tryAcquire(int permits, Duration maxWait) throws InterruptedException;

    /**
     * Waits for this many permits without a thread, for as long as it takes. Cancelling the future leaves the queue.
     *
     * @throws IllegalArgumentException if {@code permits} is not between 1 and {@link #permits()}
     * @see ClusterLock#acquireAsync()
     */
    CompletableFuture<LockHandle> acquireAsync(int permits);

    /**
     * Waits for this many permits without a thread, for at most this long. The future fails as {@link #acquire(int,
     * Duration)} does.
     *
     * @throws IllegalArgumentException if {@code permits} is not between 1 and {@link #permits()}, or {@code maxWait} is
     *     negative
     */
    CompletableFuture<LockHandle> acquireAsync(int permits, Duration maxWait);
}
