package io.github.zklock.benchmarks.load;

import io.github.zklock.benchmarks.contender.Contender;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.HdrHistogram.Histogram;

/** One thread that tries to acquire a lock that another client holds, as fast as it can. */
final class Tries implements Load {

    private final Callable<Boolean> attempt;
    private final Contender other;
    private final AutoCloseable elsewhere;

    /** @param other holds the lock; closed with this */
    Tries(Contender contender, Contender other) throws Exception {
        this.other = other;
        elsewhere = other.exclusive("taken").acquire();
        attempt = contender.attempt("taken");
    }

    @Override
    public Figures run(Duration time) throws Exception {
        Histogram tries = Turns.histogram();
        long start = System.nanoTime();
        long asked = start;
        while (asked - start < time.toNanos()) {
            if (attempt.call()) {
                throw new IllegalStateException("A held lock was granted to another client");
            }
            long now = System.nanoTime();
            tries.recordValue(now - asked);
            asked = now;
        }
        return Turns.figures(tries, start);
    }

    @Override
    public void close() throws Exception {
        elsewhere.close();
        other.close();
    }
}
