package io.github.zklock.shedlock;

import io.github.zklock.LockHandle;
import io.github.zklock.LockLostException;
import io.github.zklock.LockState;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;

/**
 * Keeps locks for {@code lockAtLeastFor} after the task under them has ended. Thread-safe. Its thread runs no code of the
 * application, not even a log appender, because each lock that it keeps waits for it.
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

    private static final int IDLE_SECONDS = 5;

    /** The kept handles. The thread that removes a handle closes it. */
    private final Set<LockHandle> kept = ConcurrentHashMap.newKeySet();

    private final ScheduledThreadPoolExecutor timer = timer();

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
        kept.add(handle);
        ScheduledFuture<?> unused = timer.schedule(() -> end(handle), saturatedNanos(after), TimeUnit.NANOSECONDS);
        if (!running) {
            // stop() may have read the set before the handle was added
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
        kept.forEach(this::end);
        // no handle waits for these any more
        timer.getQueue().clear();
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
        if (!kept.remove(handle)) {
            return;
        }
        try {
            handle.close();
        } catch (LockLostException loss) {
            Runnable report = () -> LOG.warn(
                    "{}; its work had ended, but not its minimum hold, and another holder may have acquired the lock before",
                    loss.getMessage());
            daemon(report, "zk-lock-minimum-hold-log").start();
        }
    }

    private static ScheduledThreadPoolExecutor timer() {
        ScheduledThreadPoolExecutor timer =
                new ScheduledThreadPoolExecutor(1, task -> daemon(task, "zk-lock-minimum-hold"));
        timer.setKeepAliveTime(IDLE_SECONDS, TimeUnit.SECONDS);
        timer.allowCoreThreadTimeOut(true);
        return timer;
    }

    private static Thread daemon(Runnable task, String name) {
        Thread thread = new Thread(null, task, name, 0, false);
        thread.setDaemon(true);
        thread.setContextClassLoader(MinimumHold.class.getClassLoader());
        return thread;
    }

    private static long saturatedNanos(Duration time) {
        try {
            return time.toNanos();
        } catch (ArithmeticException tooLong) {
            return Long.MAX_VALUE;
        }
    }
}
