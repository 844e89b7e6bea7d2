package io.github.zklock.integration;

import io.github.zklock.LockContext;
import io.github.zklock.LockHandle;
import io.github.zklock.LockName;
import io.github.zklock.LockRegistry;
import io.github.zklock.internal.Words;
import io.github.zklock.support.NamePrefix;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.springframework.integration.support.locks.DistributedLock;
import org.springframework.integration.support.locks.RenewableLockRegistry;
import org.springframework.integration.util.CheckedCallable;
import org.springframework.integration.util.CheckedRunnable;

/**
 * Spring Integration's lock registry, backed by a {@link LockRegistry}. The locks of aggregators, leader initiators and
 * other components then exclude each other in the whole cluster. Thread-safe.
 *
 * <p>The lock of a key has the name {@code <prefix>/<type of the key>/<key>}. Two keys share a lock exactly if they are
 * equal. A key is a string, a UUID, an integer number, an enum constant, a character or a boolean. Locks are values,
 * and the registry caches nothing.
 *
 * <p>By default, a lock has no time to live: the session keeps it until it is unlocked. If the process dies, ZooKeeper
 * releases its locks when the session expires. A time to live is the longest time for which the lock is held.
 *
 * <p>If ZooKeeper cannot be reached at the deadline of a waiter, the call throws {@link
 * io.github.zklock.LockUnavailableException}. After a loss, {@code unlock()} ends the hold and throws {@link
 * io.github.zklock.LockLostException}. An attempt to re-enter a lost lock throws it too.
 */
public final class ZkLockIntegrationRegistry implements RenewableLockRegistry<DistributedLock> {

    private final LockRegistry locks;
    private final KeyNames names;

    /**
     * Creates a registry whose locks have names below a prefix.
     *
     * @param prefix a lock name, such as {@code /integration}
     * @throws IllegalArgumentException if the prefix is not a lock name, or is longer than 128 characters
     */
    public ZkLockIntegrationRegistry(LockRegistry locks, String prefix) {
        this.locks = Objects.requireNonNull(locks, "locks");
        this.names = new KeyNames(new NamePrefix(prefix));
    }

    /**
     * Returns the lock of this key.
     *
     * @throws IllegalArgumentException if the type of the key is not permitted, because its text may differ between
     *     processes
     */
    @Override
    public DistributedLock obtain(Object lockKey) {
        return new KeyLock(locks.lock(names.nameOf(lockKey).value()));
    }

    /**
     * Runs the action while holding the lock of this key. An exception of the action is thrown unchanged.
     *
     * @throws io.github.zklock.LockLostException if the action succeeded but the lock was lost before it ended
     */
    @Override
    public <E extends Throwable> void executeLocked(Object lockKey, CheckedRunnable<E> runnable)
            throws E, InterruptedException {
        executeLocked(lockKey, asCallable(runnable));
    }

    /** Runs an action as {@link #executeLocked(Object, CheckedRunnable)} does, and returns its result. */
    @Override
    public <T extends @Nullable Object, E extends Throwable> T executeLocked(
            Object lockKey, CheckedCallable<T, E> callable) throws E, InterruptedException {
        return locks.executeLocked(names.nameOf(lockKey).value(), handle -> callable.call());
    }

    /**
     * Runs an action as {@link #executeLocked(Object, CheckedRunnable)} does, but waits for a limited time.
     *
     * @throws TimeoutException if other holders held the lock for the whole time; the action did not run
     * @throws io.github.zklock.LockUnavailableException if ZooKeeper could not be reached at the deadline; the action
     *     did not run
     */
    @Override
    public <E extends Throwable> void executeLocked(
            Object lockKey, Duration waitLockDuration, CheckedRunnable<E> runnable)
            throws E, InterruptedException, TimeoutException {
        executeLocked(lockKey, waitLockDuration, asCallable(runnable));
    }

    /** Runs an action as {@link #executeLocked(Object, Duration, CheckedRunnable)} does, and returns its result. */
    @Override
    public <T extends @Nullable Object, E extends Throwable> T executeLocked(
            Object lockKey, Duration waitLockDuration, CheckedCallable<T, E> callable)
            throws E, InterruptedException, TimeoutException {
        LockName name = names.nameOf(lockKey);
        Duration wait = waitLockDuration.isNegative() ? Duration.ZERO : waitLockDuration;
        LockHandle handle = locks.lock(name.value())
                .tryAcquire(wait)
                .orElseThrow(() -> new TimeoutException(
                        "Lock '%s' not acquired within %s: others held it".formatted(name, Words.of(wait))));
        // the handle is closed last; an exception of close() is suppressed into the exception of the action
        try (handle;
                LockContext.Scope scope = LockContext.open(handle)) {
            return callable.call();
        }
    }

    /**
     * Removes the time to live from the lock of this key. The lock is then held until it is unlocked.
     *
     * @throws IllegalMonitorStateException if the thread does not hold the lock
     * @throws io.github.zklock.LockLostException if the thread has lost the lock, or cannot prove that it holds it
     */
    @Override
    public void renewLock(Object lockKey) {
        limit(names.nameOf(lockKey), ChronoUnit.FOREVER.getDuration());
    }

    /**
     * Sets a new time to live for the lock of this key, which starts now.
     *
     * @throws IllegalArgumentException if the time is not positive
     * @throws IllegalMonitorStateException if the thread does not hold the lock
     * @throws io.github.zklock.LockLostException if the thread has lost the lock, or cannot prove that it holds it
     */
    @Override
    public void renewLock(Object lockKey, Duration ttl) {
        limit(names.nameOf(lockKey), KeyLock.positive(ttl));
    }

    /** Limits every hold of the lock by this thread: the first limit to pass ends them all. */
    private static void limit(LockName name, Duration ttl) {
        LockContext.assertHeld(name.value());
        List<LockHandle> holds = LockContext.current();
        holds.stream().filter(hold -> hold.name().equals(name)).forEach(hold -> hold.loseAfter(ttl));
        // the former limit may have passed in the meantime
        LockContext.assertHeld(name.value());
    }

    private static <E extends Throwable> CheckedCallable<Boolean, E> asCallable(CheckedRunnable<E> runnable) {
        return () -> {
            runnable.run();
            return true;
        };
    }
}
