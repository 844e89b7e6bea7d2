package io.github.zklock.zookeeper.internal.runtime;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;

/** Clocks that stand still until they are moved, and alarms that go off meanwhile. */
public final class ManualTime implements Time {

    private record Pending(long at, Runnable action) {}

    private final Executor loop;
    private final List<Pending> alarms = new ArrayList<>();
    private long now = 1;
    private boolean cancelsTooLate;

    public ManualTime(Executor loop) {
        this.loop = loop;
    }

    @Override
    public long nanoTime() {
        return now;
    }

    @Override
    public long wallNanos() {
        return now;
    }

    @Override
    public Alarm after(long delayNanos, Runnable action) {
        Pending alarm = new Pending(now + delayNanos, action);
        alarms.add(alarm);
        return () -> {
            if (!cancelsTooLate) {
                alarms.remove(alarm);
            }
        };
    }

    /** Alarms go off although they are cancelled, as if they had been on their way to the loop by then. */
    public void cancelTooLate() {
        cancelsTooLate = true;
    }

    /** Returns the number of alarms that have not gone off. */
    public int alarms() {
        return alarms.size();
    }

    /** The same time, whose alarms go off as long as the run lasts. */
    public Time of(EngineRun run) {
        return new Time() {
            @Override
            public long nanoTime() {
                return now;
            }

            @Override
            public long wallNanos() {
                return now;
            }

            @Override
            public Alarm after(long delayNanos, Runnable action) {
                return ManualTime.this.after(delayNanos, () -> run.execute(action));
            }
        };
    }

    public void advance(long nanos) {
        long end = now + nanos;
        for (Optional<Pending> next = next(); next.isPresent() && next.get().at() <= end; next = next()) {
            alarms.remove(next.get());
            now = Math.max(now, next.get().at());
            loop.execute(next.get().action());
        }
        now = end;
    }

    private Optional<Pending> next() {
        return alarms.stream().min(Comparator.comparingLong(Pending::at));
    }
}
