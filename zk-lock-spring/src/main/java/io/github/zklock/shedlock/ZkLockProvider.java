package io.github.zklock.shedlock;

import io.github.zklock.LockHandle;
import io.github.zklock.LockInterruptedException;
import io.github.zklock.LockName;
import io.github.zklock.LockRegistry;
import io.github.zklock.support.MinimumHold;
import io.github.zklock.support.NamePrefix;
import java.util.Objects;
import java.util.Optional;
import net.javacrumbs.shedlock.core.ExtensibleLockProvider;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.SimpleLock;

/**
 * ShedLock's provider of locks, made of a {@link LockRegistry}. The lock of a task has the name {@code <prefix>/<name of
 * the task's lock>}. Thread-safe.
 *
 * <p>{@code lockAtMostFor} is the longest time for which the lock is held: at its end the task has lost it. A process that
 * dies gives its locks back when its session ends, without waiting for that. {@code lockAtLeastFor} keeps the lock after
 * the task has ended, for as long as this process and its session live. Both count from the grant, on this machine's
 * monotonic clock: the clocks of the machines need not agree.
 *
 * <p>Not guaranteed: that a task stops when it has lost its lock. It is told when it ends, by {@link
 * io.github.zklock.LockLostException}.
 */
public final class ZkLockProvider implements ExtensibleLockProvider {

    private final LockRegistry locks;
    private final MinimumHold minimumHold;
    private final NamePrefix prefix;

    /**
     * A provider whose locks lie below a prefix.
     *
     * @param minimumHold keeps locks for {@code lockAtLeastFor}; to be stopped before the registry is closed
     * @param prefix a lock name, such as {@code /shedlock}
     * @throws IllegalArgumentException if the prefix is not a lock name, or longer than 128 characters
     */
    public ZkLockProvider(LockRegistry locks, MinimumHold minimumHold, String prefix) {
        this.locks = Objects.requireNonNull(locks, "locks");
        this.minimumHold = Objects.requireNonNull(minimumHold, "minimumHold");
        this.prefix = new NamePrefix(prefix);
    }

    /**
     * Takes the lock if nobody has it, and never waits for a holder.
     *
     * @return empty if others hold the lock; never because of an outage
     * @throws io.github.zklock.LockUnavailableException if ZooKeeper could not be reached within the connection timeout
     * @throws LockInterruptedException if the thread is interrupted before or while asking; its flag is set
     */
    @Override
    public Optional<SimpleLock> lock(LockConfiguration lockConfiguration) {
        LockName name = prefix.nameOf(lockConfiguration.getName());
        return tryAcquire(name).map(handle -> {
            TaskHold hold = new TaskHold(handle, minimumHold, lockConfiguration.getLockAtLeastFor());
            hold.limit(lockConfiguration.getLockAtMostFor());
            return hold;
        });
    }

    private Optional<LockHandle> tryAcquire(LockName name) {
        try {
            return locks.lock(name.value()).tryAcquire();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new LockInterruptedException(
                    name, "Lock '" + name + "' not acquired: the request of its task was interrupted", interrupted);
        }
    }
}
