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
 * Keeps locks for a minimum time after the work under them has ended. Thread-safe.
 *
 * <p>Not guaranteed: that a lock outlives this process or its session. When the application stops, all kept locks are
 * released at once, and later releases are immediate.
 */
public final class MinimumHold implements SmartLifecycle {

    /**
     * Stops after executors and schedulers, whose work may still release locks here, and before the registry, which
     * waits for its holders.
     */
    public static final int PHASE = Integer.MAX_VALUE / 2 - 512;

    private static final Logger LOG = LoggerFactory.getLogger(MinimumHold.class);

    private static final Duration FOREVER = ChronoUnit.FOREVER.getDuration();

    /** The kept handles with their timers. The thread that removes a handle closes it. */
    private final Map<LockHandle, CompletableFuture<?>> kept = new ConcurrentHashMap<>();

    private volatile boolean running = true;

    /**
     * Closes the handle when this time is over. If the time is not positive, the lock is lost or the application stops,
     * the handle is closed now, as by {@link LockHandle#close()}.
     *
     * @throws LockLostException if the lock was lost before
     */
    public void release(LockHandle handle, Duration after) {
        if (after.isZero() || after.isNegative() || handle.state() == LockState.LOST || !running) {
            handle.close();
            return;
        }
        // the work has ended and can no longer exceed the limit: the end of the minimum time is not a loss, even if it
        // equals the maximum
        handle.loseAfter(FOREVER);
        CompletableFuture<?> timer = new CompletableFuture<>();
        kept.put(handle, timer);
        timer.completeOnTimeout(null, saturatedNanos(after), TimeUnit.NANOSECONDS);
        // stop() completes the future too, so the task runs at the latest when the timer ends
        CompletableFuture<Void> unused = timer.thenRunAsync(() -> end(handle));
        if (!running) {
            // stop() may have read the map before the handle was added
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
                    "{}; its work had ended, but not its minimum hold, and another holder may have acquired the lock before",
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
