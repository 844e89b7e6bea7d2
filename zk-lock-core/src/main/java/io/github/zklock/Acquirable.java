package io.github.zklock;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * What can be acquired: a {@link ClusterLock}, permits of a {@link ClusterSemaphore}, or several locks together ({@link
 * LockRegistry#allOf(ClusterLock...)}). A value: it costs nothing until it is used. Thread-safe.
 *
 * <p>The returned <em>handle</em> owns what was acquired, and belongs to no thread.
 *
 * <p>Deadlines are absolute: a deadline covers connecting, queueing, waiting and retrying. An outage is reported
 * differently from contention: {@link LockUnavailableException} means that ZooKeeper could not be asked, or did not
 * prove in time that the session is alive; {@link LockTimeoutException} and an empty result mean that others hold the
 * lock.
 *
 * @param <H> the type of the handle
 */
public interface Acquirable<H extends Handle> {

    /**
     * Acquires the lock, and waits for it without a limit, through any outage.
     *
     * <p>The lock is granted only while it is proven to be held. It may be lost before this method returns, so call
     * {@link Handle#ensureHeld()} before work that must not run without it. There is no timeout. If the thread is
     * interrupted, its request leaves the queue, also if the lock was granted at the same moment. If the session is
     * lost during the wait, the request queues again.
     *
     * @throws InterruptedException if the thread is interrupted before or during the wait
     */
    H acquire() throws InterruptedException;

    /**
     * Acquires the lock, and waits for it at most {@code maxWait}. With zero it does not wait for a holder.
     *
     * @throws IllegalArgumentException if {@code maxWait} is negative
     * @throws LockTimeoutException if others held the lock until the deadline
     * @throws LockUnavailableException if ZooKeeper could not be reached at the deadline
     * @throws InterruptedException if the thread is interrupted before or during the wait; its request leaves the queue
     */
    H acquire(Duration maxWait) throws InterruptedException;

    /**
     * Acquires the lock if it is free, and does not wait for a holder. The request to ZooKeeper takes at most the
     * registry's connection timeout; of several locks, each request does.
     *
     * <p>A lock that only lingers in another process ({@link HandOff#linger()}) is free. This method then queues for
     * the lock, and the other process leaves within a few round trips. If that process is paused or cut off from
     * ZooKeeper, this method returns an empty result after a second.
     *
     * @return the handle, or empty if others hold the lock or wait for it
     * @throws LockUnavailableException if ZooKeeper could not be reached within the connection timeout
     * @throws InterruptedException if the thread is interrupted before or during the request; the request leaves the
     *     queue
     */
    Optional<H> tryAcquire() throws InterruptedException;

    /**
     * Acquires the lock, and waits for it at most {@code maxWait}. With zero it does not wait for a holder.
     *
     * @return the handle, or empty if others held the lock until the deadline
     * @throws IllegalArgumentException if {@code maxWait} is negative
     * @throws LockUnavailableException if ZooKeeper could not be reached at the deadline
     * @throws InterruptedException if the thread is interrupted before or during the wait; its request leaves the queue
     */
    Optional<H> tryAcquire(Duration maxWait) throws InterruptedException;

    /**
     * Acquires the lock without blocking a thread, and waits for it without a limit. If you cancel the future, the
     * request leaves the queue. If a cancellation or {@code orTimeout} coincides with the grant, the registry closes
     * the handle.
     *
     * <p>The future completes on an executor of the registry, not on ZooKeeper's event thread. If the lock cannot be
     * acquired, it completes with the exception that {@link #acquire()} throws. Stages and listeners that block do not
     * delay other calls; but if they block as many threads as the registry has for them, the future fails at once with
     * {@link LockUnavailableException}.
     */
    CompletableFuture<H> acquireAsync();

    /**
     * Acquires the lock without blocking a thread, and waits for it at most {@code maxWait}. If the lock cannot be
     * acquired, the future completes with the exception that {@link #acquire(Duration)} throws.
     *
     * @throws IllegalArgumentException if {@code maxWait} is negative
     * @see #acquireAsync()
     */
    CompletableFuture<H> acquireAsync(Duration maxWait);
}
