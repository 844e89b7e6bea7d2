package io.github.zklock.zookeeper.internal.joint;

import io.github.zklock.ClusterLock;
import io.github.zklock.LockHandle;
import io.github.zklock.LockRegistry;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A lock that one request to the servers can acquire and release together with other locks of its registry. For
 * implementations of {@link LockRegistry}; applications call {@link LockRegistry#allOf}.
 */
public interface JointLock extends ClusterLock {

    /** Returns whether one request can acquire both locks. */
    boolean joins(ClusterLock other);

    /**
     * Acquires this lock as {@link #acquire} does. Then acquires the other locks in order, without waiting, up to the
     * first lock that is not free.
     *
     * @param others locks that this one {@link #joins}
     * @param maxWait how long to wait for this lock; null to wait without a limit
     * @return the handle of this lock, followed by the handles of the other locks that were acquired
     */
    List<LockHandle> acquireWith(List<ClusterLock> others, @Nullable Duration maxWait) throws InterruptedException;

    /** Acquires the locks as {@link #acquireWith} does, without blocking a thread. */
    CompletableFuture<List<LockHandle>> acquireAsyncWith(List<ClusterLock> others, @Nullable Duration maxWait);

    /**
     * Closes each handle as {@link LockHandle#close} does, the last one first. Releases their locks in one request
     * where possible.
     *
     * @param handles handles of this lock, and of locks that this one {@link #joins}
     * @param failed receives each exception that the close of a handle throws
     */
    void closeTogether(List<LockHandle> handles, Consumer<Throwable> failed);
}
