package io.github.zklock;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A lock that can be asked for together with others of its registry, in one request to the servers. For implementations of
 * {@link LockRegistry}: their users call {@link LockRegistry#allOf}.
 */
public interface JointLock extends ClusterLock {

    /** Whether both can be asked for in one request. */
    boolean joins(ClusterLock other);

    /**
     * Acquires this lock as {@link #acquire} does, and those of the others that are free when this one is had: the first ones, up to
     * one that is not free. Nobody waits for any of these.
     *
     * @param others that this one {@link #joins}
     * @param maxWait for this lock; null for ever
     * @return the handle of this lock and those of the first of the others, in order
     */
    List<LockHandle> acquireWith(List<ClusterLock> others, @Nullable Duration maxWait) throws InterruptedException;

    /** As {@link #acquireWith}, without a thread. */
    CompletableFuture<List<LockHandle>> acquireAsyncWith(List<ClusterLock> others, @Nullable Duration maxWait);
}
