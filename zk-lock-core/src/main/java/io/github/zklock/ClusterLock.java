package io.github.zklock;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;

/**
 * A lock over all processes of a cluster: an exclusive one, the read or the write lock of a pair, or several of those as
 * one. A value: it costs nothing until used, it may be kept or obtained anew each time, two of one registry, name and
 * kind are equal, and it is thread-safe.
 *
 * <p>There are two ways to own it. The methods of {@link Lock} make the calling <em>thread</em> the owner and open a
 * scope: whatever that thread asks of the same lock before it has unlocked as often as it has locked re-enters at once,
 * with the same token. The {@code acquire} methods make the returned <em>handle</em> the owner; it belongs to no thread,
 * so a thread that has only a handle is a stranger to the lock, like every other.
 *
 * <p>Every deadline is absolute: it covers connecting, queueing, waiting and retrying. Outage is not contention:
 * {@link LockUnavailableException} says that ZooKeeper could not be asked, {@link LockTimeoutException} and an empty
 * result say that others hold the lock.
 *
 * <p>All methods throw {@link LockException} where the lock cannot be had at all: {@link LockRegistryClosedException},
 * {@link LockAccessDeniedException}, {@link LockMismatchException}; and {@link LockLostException} where a re-entry
 * finds that its thread has lost the lock. A thread that owns the read lock of a pair and asks for its write lock gets an
 * {@link IllegalStateException}: it would wait for itself.
 *
 * <p>Not guaranteed: fairness between processes under hand-off policies other than {@code strict}; see there.
 */
public interface ClusterLock extends Lock {

    /**
     * The canonical name.
     *
     * @throws UnsupportedOperationException if this is a whole of several locks
     */
    LockName name();

    /**
     * What is asked for: to be alone, to read or to write.
     *
     * @throws UnsupportedOperationException if this is a whole of several locks
     */
    LockKind kind();

    /**
     * Waits for the lock for as long as it takes, through any outage.
     *
     * <p>On success the returned handle is held. There is no timeout. On interruption the queue is left, also when the
     * lock was granted at the same moment. A loss of the session while waiting queues anew.
     *
     * @throws InterruptedException if the thread is interrupted, before or while waiting
     */
    LockHandle acquire() throws InterruptedException;

    /**
     * Waits for the lock for at most this long. Zero does not wait for a holder.
     *
     * @throws IllegalArgumentException if {@code maxWait} is negative
     * @throws LockTimeoutException if others held the lock for that long
     * @throws LockUnavailableException if ZooKeeper could not be reached at the deadline
     * @throws InterruptedException if the thread is interrupted, before or while waiting; the queue is left
     */
    LockHandle acquire(Duration maxWait) throws InterruptedException;

    /**
     * Takes the lock if nobody has it, and never waits for a holder: it asks the cluster, for at most the registry's
     * connection timeout.
     *
     * <p>A lock that only lingers in another process ({@link HandOff#linger()}) is free. A try queues for it, and that
     * process leaves within a few round trips. If that process is paused or cut off from ZooKeeper, the result is empty
     * after a second.
     *
     * @return the handle, or empty if others hold the lock or wait for it
     * @throws LockUnavailableException if ZooKeeper could not be reached in that time
     * @throws InterruptedException if the thread is interrupted, before or while asking; the queue is left
     */
    Optional<LockHandle> tryAcquire() throws InterruptedException;

    /**
     * Waits for the lock for at most this long. Zero does not wait for a holder.
     *
     * @return the handle, or empty if others held the lock for that long
     * @throws IllegalArgumentException if {@code maxWait} is negative
     * @throws LockUnavailableException if ZooKeeper could not be reached at the deadline
     * @throws InterruptedException if the thread is interrupted, before or while waiting; the queue is left
     */
    Optional<LockHandle> tryAcquire(Duration maxWait) throws InterruptedException;

    /**
     * Waits for the lock without a thread, for as long as it takes. Cancelling the future leaves the queue; where a
     * grant and a cancellation (or {@code orTimeout}) race, the handle is closed.
     *
     * <p>The future completes on an executor of the registry, never on ZooKeeper's event thread.
     */
    CompletableFuture<LockHandle> acquireAsync();

    /**
     * Waits for the lock without a thread, for at most this long. The future fails as {@link #acquire(Duration)} does.
     *
     * @throws IllegalArgumentException if {@code maxWait} is negative
     * @see #acquireAsync()
     */
    CompletableFuture<LockHandle> acquireAsync(Duration maxWait);

    /**
     * Waits for the lock for as long as it takes, through any outage, and makes the calling thread its owner. An
     * interrupt does not end the wait; the flag is set again on return.
     */
    @Override
    void lock();

    /**
     * Waits for the lock for as long as it takes and makes the calling thread its owner.
     *
     * @throws InterruptedException if the thread is interrupted, before or while waiting; the queue is left
     */
    @Override
    void lockInterruptibly() throws InterruptedException;

    /**
     * Takes the lock if nobody has it, as {@link #tryAcquire()} does, and makes the calling thread its owner. An
     * interrupt does not end it; the flag is set again on return.
     *
     * @return false if others hold the lock or wait for it
     * @throws LockUnavailableException if ZooKeeper could not be reached within the connection timeout
     */
    @Override
    boolean tryLock();

    /**
     * Waits for the lock for at most this long and makes the calling thread its owner. Zero and negative times do not
     * wait for a holder.
     *
     * @return false if others held the lock for that long
     * @throws LockUnavailableException if ZooKeeper could not be reached at the deadline
     * @throws InterruptedException if the thread is interrupted, before or while waiting; the queue is left
     */
    @Override
    boolean tryLock(long time, TimeUnit unit) throws InterruptedException;

    /**
     * Undoes the calling thread's latest hold that it took through a method of {@link Lock}. Handles are closed by
     * {@link LockHandle#close()} alone. Never waits for the network.
     *
     * @throws IllegalMonitorStateException if the thread has no such hold
     * @throws LockLostException if the lock had been lost before; the hold is undone all the same
     */
    @Override
    void unlock();

    /**
     * Unsupported.
     *
     * @throws UnsupportedOperationException always
     */
    @Override
    Condition newCondition();
}
