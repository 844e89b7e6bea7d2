package io.github.zklock.shedlock;

import io.github.zklock.LockHandle;
import io.github.zklock.LockState;
import io.github.zklock.support.MinimumHold;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import net.javacrumbs.shedlock.core.SimpleLock;

/**
 * A task's hold of its lock, until it is unlocked or extended. An extension that fails leaves it as it was, so that the
 * loss is told when it is unlocked.
 */
final class TaskHold implements SimpleLock {

    private static final Duration AT_ONCE = Duration.ofNanos(1);

    private final LockHandle handle;
    private final MinimumHold minimumHold;
    private final Duration atLeast;
    private final long since = System.nanoTime();

    /** Set by the first to unlock or extend, who alone does so. */
    private final AtomicBoolean spent = new AtomicBoolean();

    TaskHold(LockHandle handle, MinimumHold minimumHold, Duration atLeast) {
        this.handle = handle;
        this.minimumHold = minimumHold;
        this.atLeast = atLeast;
    }

    /** Has the lock end when this time is over. */
    void limit(Duration atMost) {
        handle.loseAfter(atMost.isZero() ? AT_ONCE : atMost);
    }

    /**
     * Gives the lock back when its minimum time is over, and now if it is.
     *
     * @throws io.github.zklock.LockLostException if the lock was lost before
     */
    @Override
    public void unlock() {
        spend();
        minimumHold.release(handle, atLeast.minusNanos(System.nanoTime() - since));
    }

    /** Counts both times from now on. Empty if the lock is lost. */
    @Override
    public Optional<SimpleLock> extend(Duration lockAtMostFor, Duration lockAtLeastFor) {
        if (lockAtMostFor.isNegative() || lockAtLeastFor.compareTo(lockAtMostFor) > 0) {
            throw new IllegalArgumentException(
                    "Lock '%s' not extended: lockAtMostFor %s is negative, or shorter than lockAtLeastFor %s"
                            .formatted(handle.name(), lockAtMostFor, lockAtLeastFor));
        }
        spend();
        TaskHold extended = new TaskHold(handle, minimumHold, lockAtLeastFor);
        extended.limit(lockAtMostFor);
        // looked at after the limit was moved: until then the old one may have ended it
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
