package io.github.zklock;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * A number of permits that all processes of a cluster share. A value: you may keep it or obtain it anew for
 * each use. It acquires one permit; {@link #permits} acquires several.
 *
 * <p>Permits belong to the returned handle, not to a thread. There is no re-entry. {@link LockHandle#close()} releases
 * the permits of a handle; any thread may call it, and handles may be closed in any order. A request for several
 * permits acquires all of them at once or none. Requests are served in order: a small request does not overtake an
 * earlier large one. Within a process this always holds; between processes it holds within the bounds of the hand-off
 * policy.
 *
 * <p>To change the number of permits, start the processes with the new number one after the other. While the numbers
 * differ, a request is granted if its permits and those in front of it fit into the smallest number among these
 * requests. So there are never more holders than the larger number. A request with the smaller number limits itself and
 * the requests behind it. The process whose request comes later logs a warning.
 *
 * <p>Not guaranteed: any order or uniqueness of the tokens of permits. Use them for tracing only.
 */
public interface ClusterSemaphore extends Acquirable<LockHandle> {

    /** Returns the canonical name. */
    LockName name();

    /** Returns the number of permits in the whole cluster, as this process requests it. */
    int totalPermits();

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

    /**
     * Returns this number of permits, to be acquired together: all of them, or none.
     *
     * @throws IllegalArgumentException if the number is not between 1 and {@link #totalPermits()}
     */
    Acquirable<LockHandle> permits(int number);

    /** Acquires one permit. */
    @Override
    default LockHandle acquire() throws InterruptedException {
        return permits(1).acquire();
    }

    /** Acquires one permit. */
    @Override
    default LockHandle acquire(Duration maxWait) throws InterruptedException {
        return permits(1).acquire(maxWait);
    }

    /** Acquires one permit if it is available. */
    @Override
    default Optional<LockHandle> tryAcquire() throws InterruptedException {
        return permits(1).tryAcquire();
    }

    /** Acquires one permit. */
    @Override
    default Optional<LockHandle> tryAcquire(Duration maxWait) throws InterruptedException {
        return permits(1).tryAcquire(maxWait);
    }

    /** Acquires one permit without blocking a thread. */
    @Override
    default CompletableFuture<LockHandle> acquireAsync() {
        return permits(1).acquireAsync();
    }

    /** Acquires one permit without blocking a thread. */
    @Override
    default CompletableFuture<LockHandle> acquireAsync(Duration maxWait) {
        return permits(1).acquireAsync(maxWait);
    }
}
