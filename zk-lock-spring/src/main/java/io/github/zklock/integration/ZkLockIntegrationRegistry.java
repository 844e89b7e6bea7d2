package io.github.zklock.integration;

import io.github.zklock.LockContext;
import io.github.zklock.LockHandle;
import io.github.zklock.LockName;
import io.github.zklock.LockRegistry;
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
 * Spring Integration's registry of locks, made of a {@link LockRegistry}: what aggregators, leader initiators and other
 * components of Spring Integration lock with it excludes over the whole cluster. Thread-safe.
 *
 * <p>The lock of a key has the name {@code <prefix>/<type of the key>/<key>}, so that keys have one lock exactly if they
 * are equal. Keys are strings, UUIDs, integer numbers, enum constants, characters and booleans. Nothing is cached: locks
 * are values.
 *
 * <p>No lock has a time to live of its own accord: the session keeps it until it is unlocked, and gives it back if the
 * process dies. Where one is given, it is the longest time for which the lock is held.
 *
 * <p>An outage is not contention: what waits for a lock throws {@link io.github.zklock.LockUnavailableException} at its
 * deadline if ZooKeeper could not be reached. After a loss, {@code unlock()} undoes the hold and throws {@link
 * io.github.zklock.LockLostException}, and so does an attempt to re-enter.
 */
public final class ZkLockIntegrationRegistry implements RenewableLockRegistry<DistributedLock> {

    private final LockRegistry locks;
    private final KeyNames names;

    /**
     * A registry whose locks lie below a prefix.
     *
     * @param prefix a lock name, such as {@code /integration}
     * @throws IllegalArgumentException if the prefix is not a lock name, or longer than 128 characters
     */
    public ZkLockIntegrationRegistry(LockRegistry locks, String prefix) {
        this.locks = Objects.requireNonNull(locks, "locks");
        this.names = new KeyNames(new NamePrefix(prefix));
    }

    /**
     * The lock of this key.
     *
     * @throws IllegalArgumentException if the key is of a type whose text may differ between processes
     */
    @Override
    public DistributedLock obtain(Object lockKey) {
        return new KeyLock(locks.lock(names.nameOf(lockKey).value()));
    }

    /**
     * Runs the action while holding the lock of this key. The exception of the action always gets out unchanged.
     *
     * @throws io.github.zklock.LockLostException if the lock was lost before the action, which succeeded, had ended
     */
    @Override
    public <E extends Throwable> void executeLocked(Object lockKey, CheckedRunnable<E> runnable)
            throws E, InterruptedException {
        executeLocked(lockKey, asCallable(runnable));
    }

    /** As {@link #executeLocked(Object, CheckedRunnable)}, with the action's result. */
    @Override
    public <T extends @Nullable Object, E extends Throwable> T executeLocked(
            Object lockKey, CheckedCallable<T, E> callable) throws E, InterruptedException {
        return locks.executeLocked(names.nameOf(lockKey).value(), handle -> callable.call());
    }

    /**
     * As {@link #executeLocked(Object, CheckedRunnable)}, waiting for a limited time.
     *
     * @throws TimeoutException if others held the lock for that long; the action has not run
     * @throws io.github.zklock.LockUnavailableException if ZooKeeper could not be reached at the deadline; the action has
     *     not run
     */
    @Override
    public <E extends Throwable> void executeLocked(
            Object lockKey, Duration waitLockDuration, CheckedRunnable<E> runnable)
            throws E, InterruptedException, TimeoutException {
        executeLocked(lockKey, waitLockDuration, asCallable(runnable));
    }

    /** As {@link #executeLocked(Object, Duration, CheckedRunnable)}, with the action's result. */
    @Override
    public <T extends @Nullable Object, E extends Throwable> T executeLocked(
            Object lockKey, Duration waitLockDuration, CheckedCallable<T, E> callable)
            throws E, InterruptedException, TimeoutException {
        LockName name = names.nameOf(lockKey);
        Duration wait = waitLockDuration.isNegative() ? Duration.ZERO : waitLockDuration;
        LockHandle handle = locks.lock(name.value())
                .tryAcquire(wait)
                .orElseThrow(() ->
                        new TimeoutException("Lock '%s' not acquired within %s: others held it".formatted(name, wait)));
        // the handle is closed last, and what it throws is suppressed into what the action throws
        try (handle;
                LockContext.Scope scope = LockContext.open(handle)) {
            return callable.call();
        }
    }

    /**
     * Lifts the time to live that was given to the lock of this key: it is held until it is unlocked.
     *
     * @throws IllegalMonitorStateException if the thread does not hold the lock
     * @throws io.github.zklock.LockLostException if it has lost the lock, or cannot prove to hold it
     */
    @Override
    public void renewLock(Object lockKey) {
        limit(names.nameOf(lockKey), ChronoUnit.FOREVER.getDuration());
    }

    /**
     * Gives the lock of this key another time to live, from now on.
     *
     * @throws IllegalArgumentException if the time is not positive
     * @throws IllegalMonitorStateException if the thread does not hold the lock
     * @throws io.github.zklock.LockLostException if it has lost the lock, or cannot prove to hold it
     */
    @Override
    public void renewLock(Object lockKey, Duration ttl) {
        limit(names.nameOf(lockKey), KeyLock.positive(ttl));
    }

    /** Limits every hold that this thread has of the lock: the one that ends first would end them all. */
    private static void limit(LockName name, Duration ttl) {
        LockContext.assertHeld(name.value());
        List<LockHandle> holds = LockContext.current();
        holds.stream().filter(hold -> hold.name().equals(name)).forEach(hold -> hold.loseAfter(ttl));
        // a limit may have ended it meanwhile
        LockContext.assertHeld(name.value());
    }

    private static <E extends Throwable> CheckedCallable<Boolean, E> asCallable(CheckedRunnable<E> runnable) {
        return () -> {
            runnable.run();
            return true;
        };
    }
}
