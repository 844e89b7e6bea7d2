package io.github.zklock.benchmarks.load;

import io.github.zklock.benchmarks.contender.Contender;
import io.github.zklock.benchmarks.contender.LockAdapter;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/** The first locks of a process, one after the other: as fast as possible, or at a fixed rate. */
final class FirstLocks implements Load {

    private final LockAdapter lock;
    private final int count;
    /** The time from one lock to the next; 0 for as fast as possible. */
    private final long pauseNanos;

    FirstLocks(Contender contender, ExclusionCheck check, Arguments arguments) {
        this.lock = check.exclusive(0, contender.exclusive("first"));
        this.count = arguments.number("locks");
        int rate = arguments.number("rate", 0);
        this.pauseNanos = rate == 0 ? 0 : TimeUnit.SECONDS.toNanos(1) / rate;
    }

    @Override
    public Figures run(Duration time) throws Exception {
        Histogram waits = Turns.histogram();
        long start = System.nanoTime();
        for (int i = 0; i < count; i++) {
            long left = start + i * pauseNanos - System.nanoTime();
            if (pauseNanos > 0 && left > 0) {
                TimeUnit.NANOSECONDS.sleep(left);
            }
            long asked = System.nanoTime();
            lock.acquire().close();
            waits.recordValue(System.nanoTime() - asked);
        }
        return Turns.figures(waits, start);
    }
}
