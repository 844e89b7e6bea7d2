package io.github.zklock;

import java.util.concurrent.locks.ReadWriteLock;

/**
 * A pair of locks that any number of readers or one writer may hold, over all processes of a cluster. A value, as
 * {@link ClusterLock} is. Both locks have the name of the pair.
 *
 * <p>Readers and writers acquire the pair in the order of their requests: a reader that arrives after a waiting writer
 * waits behind it, so neither group can exclude the other for long. The readers of one process share one seat, within
 * the bounds of the hand-off policy.
 *
 * <p><em>Downgrade</em>: a thread that owns the write lock may acquire the read lock, by any method of either
 * interface, and then release the write lock. No other writer can acquire the pair in between, and the read hold keeps
 * the token of the write hold.
 *
 * <p><em>Upgrade</em> is not possible: a thread that owns the read lock but not the write lock would wait for itself.
 * Each method that requests the write lock then throws {@link IllegalStateException} at once.
 *
 * <p>Tokens of write grants rise strictly. Not guaranteed: any order or uniqueness of the tokens of read grants. Use
 * them for tracing only.
 */
public interface ClusterReadWriteLock extends ReadWriteLock {

    /** Returns the canonical name. */
    LockName name();

    /** Returns the lock that any number of readers may hold at the same time. */
    @Override
    ClusterLock readLock();

    /** Returns the lock that one writer holds alone. */
    @Override
    ClusterLock writeLock();
}
