package io.github.zklock.support;

import io.github.zklock.LockHandle;
import io.github.zklock.LockLostException;
import io.github.zklock.LockState;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;

/**
 * Keeps locks for some time after the work under them is done. Thread-safe.
 *
 * <p>Not guaranteed: that a lock outlives this process, or its session. When the application stops, what is kept is given
 * back at once, and nothing is kept any more.
 */
public final class MinimumHold implements SmartLifecycle {

    /** Below executors and schedulers, whose work may end up here, and above the registry, which waits for its holders. */
    public static final int PHASE = Integer.MAX_VALUE / 2 - 512;

    private static final Logger LOG = LoggerFactory.getLogger(MinimumHold.class);

    private static final Duration FOREVER = ChronoUnit.FOREVER.getDuration();

    /** What is kept, with its timer. Who removes a handle closes it. */
    private final Map<LockHandle, CompletableFuture<?>> kept = new ConcurrentHashMap<>();

    private volatile boolean running = true;

    /**
     * Closes the handle when this time is over; now, as {@link LockHandle#close()} does, if there is nothing to wait for
     * or nothing to keep.
     *
     * @throws LockLostException if the lock was lost before
     */
    public void release(LockHandle handle, Duration after) {
        if (after.isZero() || after.isNegative() || handle.state() == LockState.LOST || !running) {
            handle.close();
            return;
        }
        // the work has ended and cannot take too long: the end of the minimum is no loss, also where it is the maximum
        handle.loseAfter(FOREVER);
        CompletableFuture<?> timer = new CompletableFuture<>();
        kept.put(handle, timer);
        timer.completeOnTimeout(null, saturatedNanos(after), TimeUnit.NANOSECONDS);
        // at the latest when the timer completes the future, which stop() does too
        CompletableFuture<Void> unused = timer.thenRunAsync(() -> end(handle));
        if (!running) {
            // stop() may have looked before the handle was there
            end(handle);
        }
    }

    @Override
    public void start() {
        running = true;
    }

    @Override
    public void stop() {
        running = false;
        kept.keySet().forEach(this::end);
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    @Override
    public int getPhase() {
        return PHASE;
    }

    private void end(LockHandle handle) {
        CompletableFuture<?> timer = kept.remove(handle);
        if (timer == null) {
            return;
        }
        timer.complete(null);
        try {
            handle.close();
        } catch (LockLostException loss) {
            LOG.warn(
                    "{} Its work had ended, but its minimum hold had not: other processes may have acquired it since",
                    loss.getMessage());
        }
    }

    private static long saturatedNanos(Duration time) {
        try {
            return time.toNanos();
        } catch (ArithmeticException tooLong) {
            return Long.MAX_VALUE;
        }
    }
}
