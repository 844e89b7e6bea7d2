package io.github.zklock.benchmarks.load;

import io.github.zklock.benchmarks.contender.Contender;
import io.github.zklock.benchmarks.contender.Held;
import io.github.zklock.benchmarks.contender.LockAdapter;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** One thread that tries to acquire a lock that another client holds, as fast as it can. */
final class Tries implements Load {

    private static final double NANOS_PER_SECOND = TimeUnit.SECONDS.toNanos(1);

    private final LockAdapter lock;
    private final Contender other;
    private final Held elsewhere;

    /** @param other holds the lock; closed with this */
    Tries(Contender contender, Contender other) throws Exception {
        this.other = other;
        elsewhere = other.exclusive("taken").acquire();
        lock = contender.exclusive("taken");
    }

    @Override
    public Figures run(Duration time) throws Exception {
        Histogram tries = new Histogram();
        long start = System.nanoTime();
        long asked = start;
        while (asked - start < time.toNanos()) {
            if (lock.tryAcquire().isPresent()) {
                throw new IllegalStateException("A held lock was granted to another client");
            }
            long now = System.nanoTime();
            tries.add(now - asked);
            asked = now;
        }
        return Turns.figures(tries, (asked - start) / NANOS_PER_SECOND);
    }

    @Override
    public void close() throws Exception {
        elsewhere.close();
        other.close();
    }
}
