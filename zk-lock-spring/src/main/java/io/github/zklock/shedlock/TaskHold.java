package io.github.zklock.shedlock;

import io.github.zklock.LockHandle;
import io.github.zklock.LockState;
import io.github.zklock.internal.Words;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import net.javacrumbs.shedlock.core.SimpleLock;

/**
 * A task's hold of its lock, until the task unlocks or extends it. If an extension fails, the hold is unchanged, so
 * that {@code unlock()} reports the loss.
 */
final class TaskHold implements SimpleLock {

    private static final Duration AT_ONCE = Duration.ofNanos(1);

    private final LockHandle handle;
    private final MinimumHold minimumHold;
    private final Duration atLeast;
    private final long since = System.nanoTime();

    /** Set by the first call of {@code unlock()} or {@code extend()}. Only that call acts. */
    private final AtomicBoolean spent = new AtomicBoolean();

    TaskHold(LockHandle handle, MinimumHold minimumHold, Duration atLeast) {
        this.handle = handle;
        this.minimumHold = minimumHold;
        this.atLeast = atLeast;
    }

    /** Ends the hold when this time is over. */
    void limit(Duration atMost) {
        handle.loseAfter(atMost.isZero() ? AT_ONCE : atMost);
    }

    /**
     * Releases the lock: now, or when its minimum time is over.
     *
     * @throws io.github.zklock.LockLostException if the lock was lost before
     */
    @Override
    public void unlock() {
        spend();
        minimumHold.release(handle, atLeast.minusNanos(System.nanoTime() - since));
    }

    /** Restarts both times now. Returns empty if the lock is lost. */
    @Override
    public Optional<SimpleLock> extend(Duration lockAtMostFor, Duration lockAtLeastFor) {
        if (lockAtMostFor.isNegative() || lockAtLeastFor.compareTo(lockAtMostFor) > 0) {
            throw new IllegalArgumentException(
                    "Lock '%s' not extended: lockAtMostFor %s is negative, or shorter than lockAtLeastFor %s"
                            .formatted(handle.name(), Words.of(lockAtMostFor), Words.of(lockAtLeastFor)));
        }
        spend();
        TaskHold extended = new TaskHold(handle, minimumHold, lockAtLeastFor);
        extended.limit(lockAtMostFor);
        // read the state after the limit is moved: the former limit may have passed before
        if (handle.state() == LockState.LOST) {
            spent.set(false);
            return Optional.empty();
        }
        return Optional.of(extended);
    }

    private void spend() {
        if (!spent.compareAndSet(false, true)) {
            throw new IllegalStateException(
                    "Lock '" + handle.name() + "' was unlocked or extended before; use what extend() returned");
        }
    }
}
