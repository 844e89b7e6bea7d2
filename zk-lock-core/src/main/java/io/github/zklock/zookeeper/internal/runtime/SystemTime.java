package io.github.zklock.zookeeper.internal.runtime;

import java.time.Instant;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The clocks of the system. Alarms run on the loop during the run. */
public final class SystemTime implements Time {

    private final ScheduledExecutorService timer;
    private final EngineRun run;

    public SystemTime(ScheduledExecutorService timer, EngineRun run) {
        this.timer = timer;
        this.run = run;
    }

    @Override
    public long nanoTime() {
        return System.nanoTime();
    }

    @Override
    public long wallNanos() {
        return wallNow();
    }

    public static long wallNow() {
        Instant now = Instant.now();
        return now.getEpochSecond() * 1_000_000_000L + now.getNano();
    }

    @Override
    public Alarm after(long delayNanos, Runnable action) {
        return schedule(delayNanos, new LoopAlarm(action, run, false));
    }

    @Override
    public Alarm urgentlyAfter(long delayNanos, Runnable action) {
        return schedule(delayNanos, new LoopAlarm(action, run, true));
    }

    private Alarm schedule(long delayNanos, LoopAlarm alarm) {
        try {
            alarm.future = timer.schedule(alarm, delayNanos, TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException shutDown) {
            alarm.cancelled = true;
        }
        return alarm;
    }

    /**
     * Scheduled and cancelled on the loop, so that a cancelled alarm never runs, even if the timer has fired already.
     */
    private static final class LoopAlarm implements Alarm, Runnable {

        private final Runnable action;
        private final EngineRun run;
        private final boolean urgent;
        private @Nullable Future<?> future;
        private boolean cancelled;

        LoopAlarm(Runnable action, EngineRun run, boolean urgent) {
            this.action = action;
            this.run = run;
            this.urgent = urgent;
        }

        /** Runs on the timer's thread, which does not run the action: the next alarm may be the tick. */
        @Override
        public void run() {
            try {
                run.alarm(this::goOff, urgent);
            } catch (Throwable lost) {
                run.breakOff();
            }
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
