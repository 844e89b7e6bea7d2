package io.github.zklock.zookeeper;

import java.time.Instant;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The clocks of the system; alarms go off on the loop. */
final class SystemTime implements Time {

    private final ScheduledExecutorService timer;
    private final Executor loop;

    SystemTime(ScheduledExecutorService timer, Executor loop) {
        this.timer = timer;
        this.loop = loop;
    }

    @Override
    public long nanoTime() {
        return System.nanoTime();
    }

    @Override
    public long wallNanos() {
        Instant now = Instant.now();
        return now.getEpochSecond() * 1_000_000_000L + now.getNano();
    }

    @Override
    public Alarm after(long delayNanos, Runnable action) {
        LoopAlarm alarm = new LoopAlarm(action);
        try {
            Future<?> future = timer.schedule(() -> loop.execute(alarm::goOff), delayNanos, TimeUnit.NANOSECONDS);
            alarm.future = future;
        } catch (RejectedExecutionException shutDown) {
            alarm.cancelled = true;
        }
        return alarm;
    }

    /** Armed and cancelled on the loop, so that a cancelled one never goes off, not even one already on its way. */
    private static final class LoopAlarm implements Alarm {

        private final Runnable action;
        private @Nullable Future<?> future;
        private boolean cancelled;

        LoopAlarm(Runnable action) {
            this.action = action;
        }

        @Override
        public void cancel() {
            cancelled = true;
            if (future != null) {
                future.cancel(false);
            }
        }

        private void goOff() {
            if (!cancelled) {
                action.run();
            }
        }
    }
}
