package io.github.zklock;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * A number of permits that all processes of a cluster share. A value: it costs nothing until it is used, and you
 * may keep it or obtain it anew for each use. Thread-safe.
 *
 * <p>Permits belong to the returned handle, not to a thread. There is no re-entry. {@link LockHandle#close()} releases
 * the permits of a handle; any thread may call it, and handles may be closed in any order. A request for several
 * permits acquires all of them at once or none. Requests are served in order: a small request does not overtake an
 * earlier large one. Within a process this always holds; between processes it holds within the bounds of the hand-off
 * policy.
 *
 * <p>Deadlines, outages and losses are those of {@link ClusterLock}.
 *
 * <p>To change the number of permits, start the processes with the new number one after the other. While the numbers
 * differ, a request is granted if its permits and those in front of it fit into the smallest number among these
 * requests. So there are never more holders than the larger number. A request with the smaller number limits itself and
 * the requests behind it. The log has a warning.
 *
 * <p>Not guaranteed: any order or uniqueness of the tokens of permits. Use them for tracing only.
 */
public interface ClusterSemaphore {

    /** Returns the canonical name. */
    LockName name();

    /** Returns the number of permits in the whole cluster, as this process requests it. */
    int permits();

    /**
     * Returns the number of permits that are not held and not reserved for waiters, by the queue in ZooKeeper;
     * not negative. If the queue has a request with a smaller number of permits, that number counts. Permits that linger
     * ({@link HandOff#linger()}) are available.
     *
     * <p>Not guaranteed: that the number includes every grant of the last moment. If another process has acquired
     * lingering permits again, they count as available until that process has held them for a quarter of its session
     * timeout, or until another process queues.
     *
     * @throws LockUnavailableException if ZooKeeper could not be reached within the connection timeout
     * @throws LockMismatchException if the name is in use as another kind of lock
     * @throws InterruptedException if the thread is interrupted during the request
     */
    int availablePermits() throws InterruptedException;

    /** Acquires one permit, as {@link #acquire(int)} does. */
    default LockHandle acquire() throws InterruptedException {
        return acquire(1);
    }

    /** Acquires one permit, as {@link #acquire(int, Duration)} does. */
    default LockHandle acquire(Duration maxWait) throws InterruptedException {
        return acquire(1, maxWait);
    }

    /** Acquires one permit, as {@link #tryAcquire(int)} does. */
    default Optional<LockHandle> tryAcquire() throws InterruptedException {
        return tryAcquire(1);
    }

    /** Acquires one permit, as {@link #tryAcquire(int, Duration)} does. */
    default Optional<LockHandle> tryAcquire(Duration maxWait) throws InterruptedException {
        return tryAcquire(1, maxWait);
    }

    /** Acquires one permit, as {@link #acquireAsync(int)} does. */
    default CompletableFuture<LockHandle> acquireAsync() {
        return acquireAsync(1);
    }

    /** Acquires one permit, as {@link #acquireAsync(int, Duration)} does. */
    default CompletableFuture<LockHandle> acquireAsync(Duration maxWait) {
        return acquireAsync(1, maxWait);
    }

    /**
     * Acquires this number of permits, and waits for them without a limit, through any outage.
     *
     * @throws IllegalArgumentException if {@code permits} is not between 1 and {@link #permits()}
     * @throws InterruptedException if the thread is interrupted before or during the wait; its request leaves the queue
     */
    LockHandle acquire(int permits) throws InterruptedException;

    /**
     * Acquires this number of permits, and waits for them at most {@code maxWait}. With zero it does not wait for
     * holders.
     *
     * @throws IllegalArgumentException if {@code permits} is not between 1 and {@link #permits()}, or {@code maxWait}
     *     is negative
     * @throws LockTimeoutException if others held too many permits until the deadline
     * @throws LockUnavailableException if ZooKeeper could not be reached at the deadline
     * @throws InterruptedException if the thread is interrupted before or during the wait; its request leaves the queue
     */
    LockHandle acquire(int permits, Duration maxWait) throws InterruptedException;

    /**
     * Acquires this number of permits if they are available, and does not wait for holders. The request to ZooKeeper
     * takes at most the registry's connection timeout. Permits that only linger in another process are available; see
     * {@link ClusterLock#tryAcquire()}.
     *
     * @return the handle, or empty if others hold too many permits or wait for some
     * @throws IllegalArgumentException if {@code permits} is not between 1 and {@link #permits()}
     * @throws LockUnavailableException if ZooKeeper could not be reached within the connection timeout
     * @throws InterruptedException if the thread is interrupted before or during the request; the request leaves the
     *     queue
     */
    Optional<LockHandle> tryAcquire(int permits) throws InterruptedException;

    /**
     * Acquires this number of permits, and waits for them at most {@code maxWait}. With zero it does not wait for
     * holders.
     *
     * @return the handle, or empty if others held too many permits until the deadline
     * @throws IllegalArgumentException if {@code permits} is not between 1 and {@link #permits()}, or {@code maxWait}
     *     is negative
     * @throws LockUnavailableException if ZooKeeper could not be reached at the deadline
     * @throws InterruptedException if the thread is interrupted before or during the wait; its request leaves the queue
     */
    Optional<LockHandle> tryAcquire(int permits, Duration maxWait) throws InterruptedException;

    /**
     * Acquires this number of permits without blocking a thread, and waits for them without a limit. If you cancel the
     * future, the request leaves the queue.
     *
     * @throws IllegalArgumentException if {@code permits} is not between 1 and {@link #permits()}
     * @see ClusterLock#acquireAsync()
     */
    CompletableFuture<LockHandle> acquireAsync(int permits);

    /**
     * Acquires this number of permits without blocking a thread, and waits for them at most {@code maxWait}. If they
     * cannot be acquired, the future completes with the exception that {@link #acquire(int, Duration)} throws.
     *
     * @throws IllegalArgumentException if {@code permits} is not between 1 and {@link #permits()}, or {@code maxWait}
     *     is negative
     */
    CompletableFuture<LockHandle> acquireAsync(int permits, Duration maxWait);
}
