package io.github.zklock;

import java.util.concurrent.locks.ReadWriteLock;

/**
 * A pair of locks over all processes of a cluster: any number of readers, or one writer. A value, as {@link ClusterLock}
 * is; both locks of the pair bear the pair's name.
 *
 * <p>First come first served between readers and writers: a reader that comes after a waiting writer waits behind it, so
 * neither can keep the other out. The readers of one process share one place in the queue, within the bounds of the
 * hand-off policy.
 *
 * <p><em>Downgrade</em>: a thread that owns the write lock may take the read lock, by any method of either interface, and
 * then give the write lock back. Nobody else can write in between, and the read hold keeps the writer's token.
 *
 * <p><em>Upgrade</em>: a thread that owns the read lock and not the write lock would wait for itself. Whatever way it asks
 * for the write lock, it gets an {@link IllegalStateException} at once.
 *
 * <p>Tokens of write grants rise strictly. Not guaranteed: anything about the tokens of read grants, which are for
 * tracing only; readers of one moment may have any.
 */
public interface ClusterReadWriteLock extends ReadWriteLock {

    /** The canonical name. */
    LockName name();

    @Override
    ClusterLock readLock();

    @Override
    ClusterLock writeLock();
}
