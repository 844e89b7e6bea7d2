package io.github.zklock;

import java.time.Duration;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The place to get distributed locks from; the one type to inject.
 *
 * <p>A lock obtained here is a value: it costs nothing until it is used, two of the same name are the same lock, and
 * nothing needs to be disposed of. Registries are thread-safe. Locks of one name exclude each other across all
 * registries of all processes that use the same ensemble and base path.
 *
 * <p>A registry that is closed rejects requests with {@link LockRegistryClosedException}. Locks that are held then stay with
 * their holders, unless it is told to release them ({@link OnClose}).
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
     * The pair of a read and a write lock of this name.
     *
     * @throws IllegalArgumentException if the name is not a lock name; the message says why
     */
    ClusterReadWriteLock readWriteLock(String name);

    /**
     * The semaphore of this name.
     *
     * @param permits how many there are in the whole cluster, from 1 to 10,000
     * @throws IllegalArgumentException if the name is not a lock name, or the number is out of range; the message says
     *     why
     */
    ClusterSemaphore semaphore(String name, int permits);

    /**
     * All of the exclusive locks of these names at once, or none. As {@link #allOf(ClusterLock...)}.
     *
     * @throws IllegalArgumentException if a name is not a lock name, or there is none
     */
    default ClusterLock allOf(String... names) {
        return allOf(Stream.of(names).map(this::lock).toArray(ClusterLock[]::new));
    }

    /**
     * All of these locks at once, or none: exclusive, read and write locks of one or several registries. They are acquired in
     * the order of their names, those that are free in one request, under one deadline, and released together. If one cannot
     * be acquired, the others are released before the failure is told. A request that only asks does so for one lock after
     * the other, each for at most the connection timeout. No two callers can wait for each other, as long as they hold
     * nothing else and name those locks in one order that have one name and different registries.
     *
     * <p>The handle of the whole is held while each of its {@link LockHandle#parts()} is, and lost when one is; names and
     * tokens are those of the parts. A lock that is named twice is taken once.
     *
     * @throws IllegalArgumentException if there is no lock, or the read and the write lock of one name are among them
     */
    default ClusterLock allOf(ClusterLock... locks) {
        return AllOf.of(locks);
    }

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
    default <T extends @Nullable Object, E extends Throwable> T executeLocked(String name, LockedCallable<T, E> action)
            throws E, InterruptedException {
        Objects.requireNonNull(action, "action");
        return LockContext.call(lock(name).acquire(), action);
    }

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
    default <T extends @Nullable Object, E extends Throwable> T executeLocked(
            String name, Duration maxWait, LockedCallable<T, E> action) throws E, InterruptedException {
        Objects.requireNonNull(action, "action");
        return LockContext.call(lock(name).acquire(maxWait), action);
    }

    /** What is held, awaited and queued, here and in the cluster. */
    LockInspector inspector();

    /**
     * Tells the listener of every event of this registry's locks from now on, until the registration is closed.
     *
     * @see LockListener
     */
    Registration addListener(LockListener listener);
}
