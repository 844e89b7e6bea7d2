package io.github.zklock;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The place to get distributed locks from; the one type to inject.
 *
 * <p>A lock obtained here is a value: it costs nothing until it is used, two of the same name are the same lock, and
 * nothing needs to be disposed of. Registries are thread-safe. Locks of one name exclude each other across all
 * registries of all processes that use the same ensemble and base path.
 *
 * <p>Not guaranteed: that a holder stops working the moment its lock is lost. A process that was paused for longer than
 * its session may go on for a while without knowing; only a resource that checks the {@link FencingToken} is safe
 * against that.
 */
public interface LockRegistry {

    /**
     * The exclusive, reentrant lock of this name.
     *
     * @param name a path such as {@code /order-stats} or {@code orders/42}; see {@link LockName}
     * @throws IllegalArgumentException if the name is not a lock name; the message says why
     */
    ClusterLock lock(String name);

    /**
     * Runs the action while holding the exclusive lock of this name, waiting for it for as long as it takes, through
     * any outage. The exception of the action always gets out unchanged.
     *
     * <p>Opens a scope: within the action, the same thread re-enters the lock, and {@link LockContext} knows it.
     *
     * @return the result of the action
     * @throws E if the action does
     * @throws InterruptedException if interrupted before the lock was held; the action has not run
     * @throws LockLostException if the lock was lost before the action, which succeeded, had ended
     * @throws LockException if the lock cannot be had: the registry is closed, or access is denied
     */
    <T extends @Nullable Object, E extends Throwable> T executeLocked(String name, LockedCallable<T, E> action)
            throws E, InterruptedException;

    /**
     * Runs the action while holding the exclusive lock of this name, waiting for at most {@code maxWait}.
     *
     * @return the result of the action
     * @throws LockTimeoutException if others held the lock for that long; the action has not run
     * @throws LockUnavailableException if ZooKeeper could not be reached at the deadline; the action has not run
     * @throws E if the action does
     * @throws InterruptedException if interrupted before the lock was held; the action has not run
     * @throws LockLostException if the lock was lost before the action, which succeeded, had ended
     * @see #executeLocked(String, LockedCallable)
     */
    <T extends @Nullable Object, E extends Throwable> T executeLocked(
            String name, Duration maxWait, LockedCallable<T, E> action) throws E, InterruptedException;

    /** What is held, awaited and queued, here and in the cluster. */
    LockInspector inspector();

    /**
     * Tells the listener of every event of this registry's locks from now on, until the registration is closed.
     *
     * @see LockListener
     */
    Registration addListener(LockListener listener);
}
