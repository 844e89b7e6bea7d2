package io.github.zklock;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A lock that one request to the servers can acquire together with other locks of its registry. For implementations of {@link
 * LockRegistry}; applications call {@link LockRegistry#allOf}.
 */
public interface JointLock extends ClusterLock {

    /** Returns whether one request can acquire both locks. */
    boolean joins(ClusterLock other);

    /**
     * Acquires this lock as {@link #acquire} does. Then acquires the other locks in order, without waiting, up to the first lock that
     * is not free.
     *
     * @param others locks that this one {@link #joins}
     * @param maxWait how long to wait for this lock; null to wait without a limit
     * @return the handle of this lock, followed by the handles of the other locks that were acquired
     */
    List<LockHandle> acquireWith(List<ClusterLock> others, @Nullable Duration maxWait) throws InterruptedException;

    /** Acquires the locks as {@link #acquireWith} does, without blocking a thread. */
    CompletableFuture<List<LockHandle>> acquireAsyncWith(List<ClusterLock> others, @Nullable Duration maxWait);
}
