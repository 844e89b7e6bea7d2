package io.github.zklock;

import java.time.Duration;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The factory of distributed locks, and the type to inject.
 *
 * <p>A lock that a registry returns is a value: it costs nothing until it is used, two locks of the same name and kind
 * are equal, and a lock needs no disposal. Registries are thread-safe. Locks of one name exclude each other across all
 * registries of all processes that use the same ensemble and base path.
 *
 * <p>A closed registry rejects requests with {@link LockRegistryClosedException}. Locks that are held at that time stay
 * with their holders, unless the registry is configured to release them ({@link OnClose}).
 *
 * <p>Not guaranteed: that a holder stops working at the moment when it loses its lock. A process that was paused for
 * longer than its session timeout may continue for a while before it detects the loss. Only a resource that checks the
 * {@link FencingToken} is safe from its writes.
 */
public interface LockRegistry {

    /**
     * Returns the exclusive, reentrant lock of this name.
     *
     * @param name a path such as {@code /order-stats} or {@code orders/42}; see {@link LockName}
     * @throws IllegalArgumentException if the name is not a lock name; the message states the reason
     */
    ClusterLock lock(String name);

    /**
     * Returns the pair of a read lock and a write lock of this name.
     *
     * @throws IllegalArgumentException if the name is not a lock name; the message states the reason
     */
    ClusterReadWriteLock readWriteLock(String name);

    /**
     * Returns the semaphore of this name.
     *
     * @param permits the number of permits in the whole cluster, from 1 to 10,000
     * @throws IllegalArgumentException if the name is not a lock name, or if the number is out of range; the message
     *     states the reason
     */
    ClusterSemaphore semaphore(String name, int permits);

    /**
     * Returns the exclusive locks of all these names, to be acquired together. See {@link #allOf(ClusterLock...)}.
     *
     * @throws IllegalArgumentException if a name is not a lock name, or if there is no name
     */
    default Acquirable<Handle> allOf(String... names) {
        return allOf(Stream.of(names).map(this::lock).toArray(ClusterLock[]::new));
    }

    /**
     * Returns these locks, to be acquired together: all of them, or none. Exclusive, read and write locks of one or several
     * registries may be combined.
     *
     * <p>The locks are acquired in the order of their names under one deadline, and released together. One request
     * acquires all locks that are free. If one lock cannot be acquired, the others are released before the failure is
     * reported. A request that does not wait asks for one lock after the other, each for at most the connection
     * timeout.
     *
     * <p>Two callers cannot wait for each other if two conditions hold: they hold no other locks, and they name locks
     * that have the same name and different registries in the same order.
     *
     * <p>The common handle is held while each of its {@link Handle#parts()} is held, and lost when one of them is lost. Each
     * part has its own name and token. A lock that is named twice is acquired once. A thread that shall re-enter the locks
     * opens a scope of the handle: {@link LockContext#open}.
     *
     * @throws IllegalArgumentException if there is no lock, or if the read lock and the write lock of one name are
     *     among them
     */
    Acquirable<Handle> allOf(ClusterLock... locks);

    /**
     * Runs the action while the calling thread holds the exclusive lock of this name. Waits for the lock without a limit,
     * through any outage. An exception of the action is always thrown unchanged.
     *
     * <p>The method opens a scope: within the action, the same thread may re-enter the lock, and {@link LockContext}
     * contains it.
     *
     * @return the result of the action
     * @throws E if the action fails
     * @throws InterruptedException if the thread is interrupted before the lock was held; the action has not run
     * @throws LockLostException if the action succeeded, but the lock was lost before the action ended
     * @throws LockException if the lock cannot be acquired: the registry is closed, access is denied, or the name is in
     *     use as another kind of lock; the action has not run
     */
    default <T extends @Nullable Object, E extends Throwable> T executeLocked(String name, Action<T, E> action)
            throws E, InterruptedException {
        Objects.requireNonNull(action, "action");
        return LockContext.call(lock(name).acquire(), action);
    }

    /**
     * Runs the action while the calling thread holds the exclusive lock of this name. Waits for the lock at most {@code
     * maxWait}.
     *
     * @return the result of the action
     * @throws LockTimeoutException if others held the lock until the deadline; the action has not run
     * @throws LockUnavailableException if ZooKeeper could not be reached at the deadline; the action has not run
     * @throws E if the action fails
     * @throws InterruptedException if the thread is interrupted before the lock was held; the action has not run
     * @throws LockLostException if the action succeeded, but the lock was lost before the action ended
     * @see #executeLocked(String, Action)
     */
    default <T extends @Nullable Object, E extends Throwable> T executeLocked(
            String name, Duration maxWait, Action<T, E> action) throws E, InterruptedException {
        Objects.requireNonNull(action, "action");
        return LockContext.call(lock(name).acquire(maxWait), action);
    }

    /**
     * Returns a candidacy for the leadership of this name, which has not started yet. Two calls return two candidates.
     *
     * @throws IllegalArgumentException if the name is not a lock name; the message states the reason
     */
    Leadership leadership(String name);

    /**
     * Returns a job that runs at most once per window in the whole cluster. Its runs hold the exclusive lock of this
     * name.
     *
     * @throws IllegalArgumentException if the name is not a lock name; the message states the reason
     */
    ClusterJob job(String name, OncePer window);

    /** Returns the inspector of this registry and of the cluster's queues. */
    LockInspector inspector();

    /**
     * Registers a listener for all events of this registry's locks, from now on until the registration is closed.
     *
     * @see LockListener
     */
    Registration addListener(LockListener listener);

    /**
     * An action that runs while its caller holds a lock.
     *
     * @param <T> the type of the result
     * @param <E> the type of the exceptions that the action throws
     */
    @FunctionalInterface
    interface Action<T extends @Nullable Object, E extends Throwable> {

        /**
         * Runs the action.
         *
         * @param handle the handle of the held lock, with the fencing token for the guarded resource; the caller of this
         *     method closes it
         * @return the result of the action
         * @throws E if the action fails
         */
        T call(LockHandle handle) throws E;
    }
}
