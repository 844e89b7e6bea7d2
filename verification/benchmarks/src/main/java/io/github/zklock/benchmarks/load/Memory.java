package io.github.zklock.benchmarks.load;

import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;

/** How much of the heap is in use by what is needed. */
final class Memory {

    private static final int ROUNDS = 4;

    private Memory() {}

    static long used() {
        MemoryMXBean memory = ManagementFactory.getMemoryMXBean();
        long least = Long.MAX_VALUE;
        // the first finds what the next can collect
        for (int round = 0; round < ROUNDS; round++) {
            memory.gc();
            least = Math.min(least, memory.getHeapMemoryUsage().getUsed());
        }
        return least;
    }
}
