package io.github.zklock.benchmarks.load;

import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;

/** The heap use of this process. */
final class Memory {

    private static final int ROUNDS = 4;

    private Memory() {}

    static long used() {
        MemoryMXBean memory = ManagementFactory.getMemoryMXBean();
        long least = Long.MAX_VALUE;
        // a collection may enable the next one to free more
        for (int round = 0; round < ROUNDS; round++) {
            memory.gc();
            least = Math.min(least, memory.getHeapMemoryUsage().getUsed());
        }
        return least;
    }
}
