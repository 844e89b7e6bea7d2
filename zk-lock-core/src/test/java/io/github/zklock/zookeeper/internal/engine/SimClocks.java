package io.github.zklock.zookeeper.internal.engine;

import io.github.zklock.zookeeper.internal.runtime.Time;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** The clocks and alarms of one process: monotonic time that stops with the machine, and a wall clock that is set. */
final class SimClocks implements Time {

    private static final long MILLION = 1_000_000;

    private final SimScheduler scheduler;
    private final Consumer<Runnable> process;
    private final int drift;
    /** When the monotonic clock stood still, and for how long. */
    private final List<long[]> stops = new ArrayList<>(0);

    private long stoppedNanos;
    private long wallStoppedNanos;
    private long wallLead;
    private int alarms;

    /** @param drift how much faster than true time the monotonic clock runs, in millionths */
    SimClocks(SimScheduler scheduler, Consumer<Runnable> process, int drift) {
        this.scheduler = scheduler;
        this.process = process;
        this.drift = drift;
    }

    /** The machine was suspended for so long, and with it these clocks. */
    void stood(long nanos, boolean monotonic, boolean wall) {
        if (monotonic) {
            stoppedNanos += nanos;
            stops.add(new long[] {scheduler.now(), nanos});
        }
        if (wall) {
            wallStoppedNanos += nanos;
        }
    }

    /** For how long the monotonic clock has stood still since then. */
    long stoppedSince(long instant) {
        return stops.stream()
                .filter(stop -> stop[0] >= instant)
                .mapToLong(stop -> stop[1])
                .sum();
    }

    void stepWallClock(long nanos) {
        wallLead += nanos;
    }

    int pendingAlarms() {
        return alarms;
    }

    /** The same clocks for one engine, to which their alarms go. */
    Time of(Consumer<Runnable> engine) {
        return new Time() {
            @Override
            public long nanoTime() {
                return SimClocks.this.nanoTime();
            }

            @Override
            public long wallNanos() {
                return SimClocks.this.wallNanos();
            }

            @Override
            public Alarm after(long delayNanos, Runnable action) {
                return SimClocks.this.after(delayNanos, () -> engine.accept(action));
            }
        };
    }

    @Override
    public long nanoTime() {
        long ran = scheduler.now() - stoppedNanos;
        return ran + ran * drift / MILLION;
    }

    @Override
    public long wallNanos() {
        return scheduler.now() - wallStoppedNanos + wallLead;
    }

    @Override
    public Alarm after(long delayNanos, Runnable action) {
        alarms++;
        SimAlarm alarm = new SimAlarm(nanoTime() + Math.max(0, delayNanos), action);
        alarm.arm();
        return alarm;
    }

    /** An alarm by the monotonic clock. */
    private final class SimAlarm implements Alarm {
        private final long due;
        private final Runnable action;
        private SimScheduler.Event event;
        private boolean spent;

        SimAlarm(long due, Runnable action) {
            this.due = due;
            this.action = action;
        }

        void arm() {
            long left = due - nanoTime();
            event = scheduler.after(left - left * drift / MILLION, () -> process.accept(this::ring));
        }

        @Override
        public void cancel() {
            if (!spent) {
                spent = true;
                alarms--;
                event.cancel();
            }
        }

        private void ring() {
            if (spent) {
                return;
            }
            if (nanoTime() < due) {
                arm();
                return;
            }
            spent = true;
            alarms--;
            action.run();
        }
    }
}
