package io.github.zklock.shedlock;

import io.github.zklock.LockHandle;
import io.github.zklock.LockInterruptedException;
import io.github.zklock.LockName;
import io.github.zklock.LockRegistry;
import io.github.zklock.support.NamePrefix;
import java.util.Objects;
import java.util.Optional;
import net.javacrumbs.shedlock.core.ExtensibleLockProvider;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.SimpleLock;

/**
 * ShedLock's lock provider, backed by a {@link LockRegistry}. The lock of a task has the name {@code <prefix>/<name of
 * the task's lock>}. Thread-safe.
 *
 * <p>{@code lockAtMostFor} is the longest time for which the lock is held: when it is over, the task has lost the lock.
 * If a process dies, ZooKeeper releases its locks when its session expires, even if {@code lockAtMostFor} is not over.
 * {@code lockAtLeastFor} keeps the lock after the task has ended, while this process and its session live. Both times
 * start with the grant and use the monotonic clock of this machine. The clocks of the machines need not agree.
 *
 * <p>Not guaranteed: that a task stops when it has lost its lock. When the task ends, {@link
 * io.github.zklock.LockLostException} reports the loss.
 */
public final class ZkLockProvider implements ExtensibleLockProvider {

    private final LockRegistry locks;
    private final MinimumHold minimumHold;
    private final NamePrefix prefix;

    /**
     * Creates a provider whose locks have names below a prefix.
     *
     * @param minimumHold keeps locks for {@code lockAtLeastFor}; stop it before you close the registry
     * @param prefix a lock name, such as {@code /shedlock}
     * @throws IllegalArgumentException if the prefix is not a lock name, or is longer than 128 characters
     */
    public ZkLockProvider(LockRegistry locks, MinimumHold minimumHold, String prefix) {
        this.locks = Objects.requireNonNull(locks, "locks");
        this.minimumHold = Objects.requireNonNull(minimumHold, "minimumHold");
        this.prefix = new NamePrefix(prefix);
    }

    /**
     * Acquires the lock if it is free. Does not wait for a holder.
     *
     * @return empty if another holder holds the lock; an outage is reported by an exception
     * @throws io.github.zklock.LockUnavailableException if ZooKeeper could not be reached within the connection timeout
     * @throws LockInterruptedException if the thread is interrupted before or during the request; the interrupt flag is
     *     set
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
