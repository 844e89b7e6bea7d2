package io.github.zklock.test;

import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** The clock and the timer of a cluster: one daemon thread, there while something is due. */
final class Alarms {

    private static final int IDLE_SECONDS = 1;

    private final ReentrantLock lock;
    private final ScheduledThreadPoolExecutor timer;

    /** @param lock held while an alarm's action runs */
    Alarms(ReentrantLock lock) {
        this.lock = lock;
        this.timer = new ScheduledThreadPoolExecutor(1, Workers.named("timer"), new ThreadPoolExecutor.DiscardPolicy());
        timer.setKeepAliveTime(IDLE_SECONDS, TimeUnit.SECONDS);
        timer.allowCoreThreadTimeOut(true);
        timer.setRemoveOnCancelPolicy(true);
    }

    long nanoTime() {
        return System.nanoTime();
    }

    Duration since(long instant) {
        return Duration.ofNanos(nanoTime() - instant);
    }

    /** Has the action run under the lock after this time. */
    Alarm after(long nanos, Runnable action) {
        Alarm alarm = new Alarm();
        alarm.task = timer.schedule(
                () -> {
                    lock.lock();
                    try {
                        if (!alarm.cancelled) {
                            action.run();
                        }
                    } finally {
                        lock.unlock();
                    }
                },
                Math.max(0, nanos),
                TimeUnit.NANOSECONDS);
        return alarm;
    }

    void shutDown() {
        timer.shutdownNow();
    }

    /** As many nanoseconds as a long can tell. */
    static long nanos(Duration duration) {
        try {
            return duration.toNanos();
        } catch (ArithmeticException tooLong) {
            return Long.MAX_VALUE;
        }
    }

    /** Something that is due. Guarded by the lock. */
    static final class Alarm {

        private @Nullable Future<?> task;
        // the task may be waiting for the lock already
        private boolean cancelled;

        void cancel() {
            cancelled = true;
            if (task != null) {
                task.cancel(false);
            }
        }
    }
}
