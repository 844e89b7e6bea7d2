package io.github.zklock.benchmarks.load;

import io.github.zklock.benchmarks.contender.Claim;
import io.github.zklock.benchmarks.contender.Contender;
import io.github.zklock.benchmarks.contender.Held;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** One thread that tries for a lock that somebody else has, as fast as it can. */
final class Tries implements Load {

    private static final double NANOS_PER_SECOND = TimeUnit.SECONDS.toNanos(1);

    private final Claim claim;
    private final Held elsewhere;

    /** @param other another client's, which has the lock */
    Tries(Contender contender, Contender other) throws Exception {
        elsewhere = other.exclusive("taken").take();
        claim = contender.exclusive("taken");
    }

    @Override
    public Figures run(Duration time) throws Exception {
        Histogram tries = new Histogram();
        long start = System.nanoTime();
        long asked = start;
        while (asked - start < time.toNanos()) {
            if (claim.tryTake().isPresent()) {
                throw new IllegalStateException("A lock that somebody has was given to another");
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
    }
}
