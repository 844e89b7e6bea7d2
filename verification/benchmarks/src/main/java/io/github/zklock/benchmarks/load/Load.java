package io.github.zklock.benchmarks.load;

import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** What one process does with the locks of one system, round after round. */
interface Load extends AutoCloseable {

    /** Does what is not measured. */
    default void prepare() throws Exception {}

    /**
     * Runs one round.
     *
     * @param time its duration, unless the load determines it
     */
    Figures run(Duration time) throws Exception;

    /** Leaves the servers without work while other systems are measured. */
    default void rest() throws Exception {}

    @Override
    default void close() throws Exception {}

    /** Returns the seconds since a value of {@link System#nanoTime()}. */
    static double secondsSince(long start) {
        return (double) (System.nanoTime() - start) / TimeUnit.SECONDS.toNanos(1);
    }

    static long usedHeap() {
        MemoryMXBean memory = ManagementFactory.getMemoryMXBean();
        long least = Long.MAX_VALUE;
        // a collection may enable the next one to free more
        for (int round = 0; round < 4; round++) {
            memory.gc();
            least = Math.min(least, memory.getHeapMemoryUsage().getUsed());
        }
        return least;
    }
}
