package io.github.zklock;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;

/**
 * A lock that excludes the threads of all processes of a cluster: an exclusive lock, or the read or the write lock of
 * a {@linkplain ClusterReadWriteLock pair}.
 *
 * <p>A lock object is a value. It costs nothing until it is used, and you may keep it or obtain it anew for each use.
 * Two lock objects of the same registry, name and kind are equal. Thread-safe.
 *
 * <p>A lock has one of two owners. The methods of {@link Lock} make the calling <em>thread</em> the owner and open a
 * scope. Until the thread has unlocked as often as it has locked, each further request of this thread for the same lock
 * succeeds at once (re-entry), with the same token. The methods of {@link Acquirable} make the returned <em>handle</em>
 * the owner. A handle belongs to no thread: a thread that holds only a handle cannot re-enter the lock, and waits for it
 * like any other thread.
 *
 * <p>If the lock cannot be acquired at all, each method throws another {@link LockException}: {@link
 * LockRegistryClosedException}, {@link LockAccessDeniedException} or {@link LockMismatchException}. If a thread
 * re-enters a lock that it has lost, the method throws {@link LockLostException}. If a thread that owns the read lock
 * of a pair requests its write lock, the method throws {@link IllegalStateException}, because the thread would wait for
 * itself.
 *
 * <p>Not guaranteed: an order of acquisition between processes, except under {@link HandOff.Policy#STRICT}.
 */
public interface ClusterLock extends Acquirable<LockHandle>, Lock {

    /** Returns the canonical name. */
    LockName name();

    /** Returns the kind of access that this lock grants. */
    LockKind kind();

    /**
     * Acquires the lock for the calling thread, and waits for it without a limit, through any outage. An interrupt does
     * not end the wait; the method sets the interrupt flag again before it returns.
     */
    @Override
    void lock();

    /**
     * Acquires the lock for the calling thread, and waits for it without a limit.
     *
     * @throws InterruptedException if the thread is interrupted before or during the wait; its request leaves the queue
     */
    @Override
    void lockInterruptibly() throws InterruptedException;

    /**
     * Acquires the lock for the calling thread if it is free, as {@link #tryAcquire()} does. An interrupt does not end
     * the request; the method sets the interrupt flag again before it returns.
     *
     * @return false if others hold the lock or wait for it
     * @throws LockUnavailableException if ZooKeeper could not be reached within the connection timeout
     */
    @Override
    boolean tryLock();

    /**
     * Acquires the lock for the calling thread, and waits for it at most this time. With zero or a negative time it
     * does not wait for a holder.
     *
     * @return false if others held the lock until the deadline
     * @throws LockUnavailableException if ZooKeeper could not be reached at the deadline
     * @throws InterruptedException if the thread is interrupted before or during the wait; its request leaves the queue
     */
    @Override
    boolean tryLock(long time, TimeUnit unit) throws InterruptedException;

    /**
     * Releases the latest hold that the calling thread acquired by a method of {@link Lock}. Does not wait for the
     * network. A handle is not affected: only {@link LockHandle#close()} closes it.
     *
     * @throws IllegalMonitorStateException if the thread has no such hold
     * @throws LockLostException if the lock was lost before; the hold ends nevertheless
     */
    @Override
    void unlock();

    /**
     * Throws: conditions are not supported.
     *
     * @throws UnsupportedOperationException always
     */
    @Override
    Condition newCondition();
}
