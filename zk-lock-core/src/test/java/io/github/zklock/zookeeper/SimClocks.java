package io.github.zklock.zookeeper;

import java.util.function.Consumer;

/** The clocks and alarms of one process: monotonic time that stops with the machine, and a wall clock that is set. */
final class SimClocks implements Time {

    private final SimScheduler scheduler;
    private final Consumer<Runnable> process;
    private long stoppedNanos;
    private long wallLead;
    private int alarms;

    SimClocks(SimScheduler scheduler, Consumer<Runnable> process) {
        this.scheduler = scheduler;
        this.process = process;
    }

    /** The machine was suspended for so long. */
    void stood(long nanos) {
        stoppedNanos += nanos;
    }

    void stepWallClock(long nanos) {
        wallLead += nanos;
    }

    int pendingAlarms() {
        return alarms;
    }

    @Override
    public long nanoTime() {
        return scheduler.now() - stoppedNanos;
    }

    @Override
    public long wallNanos() {
        return scheduler.now() + wallLead;
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
            event = scheduler.after(due - nanoTime(), () -> process.accept(this::ring));
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
