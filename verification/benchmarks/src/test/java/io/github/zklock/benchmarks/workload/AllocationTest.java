package io.github.zklock.benchmarks.workload;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.github.zklock.benchmarks.cluster.Cluster;
import io.github.zklock.benchmarks.contender.Contender;
import io.github.zklock.benchmarks.contender.Contenders;
import io.github.zklock.benchmarks.contender.LockAdapter;
import io.github.zklock.benchmarks.load.Figures;
import io.github.zklock.benchmarks.micro.HeldBenchmark;
import io.github.zklock.benchmarks.micro.RetakenBenchmark;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Allocated bytes do not depend on the speed of the machine. A change that increases them needs a reason here. */
class AllocationTest {

    private static final Duration BRIEF = Duration.ofMillis(500);

    @Test
    void isHeldAllocatesNothing() throws Exception {
        assertThat(allocated(HeldBenchmark.class, "isHeld")).isLessThan(1);
    }

    @Test
    void aTurnOnALockThatLingersAllocatesLittle() throws Exception {
        assertThat(allocated(RetakenBenchmark.class, "lockAndUnlock")).isLessThan(2_500);
    }

    /** Counts all threads of the client; the servers are processes of their own. */
    @Test
    void aFreeLockOfTheServersAllocatesLittle(@TempDir Path folder) throws Exception {
        int count = 500;
        try (Cluster cluster = new Cluster(folder);
                Contender locks = Contenders.BOUNDED.open(cluster.connectString())) {
            LockAdapter free = locks.exclusive("free");
            turns(free, count);
            long before = allocated();
            turns(free, count);

            assertThat((allocated() - before) / count).isBetween(1_000L, 35_000L);
        }
    }

    private static void turns(LockAdapter lock, int count) throws Exception {
        for (int turn = 0; turn < count; turn++) {
            lock.acquire().close();
        }
    }

    private static long allocated() {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        return LongStream.of(threads.getThreadAllocatedBytes(threads.getAllThreadIds()))
                // -1 for a thread that has just ended
                .filter(bytes -> bytes > 0)
                .sum();
    }

    private static double allocated(Class<?> benchmark, String method) throws Exception {
        return new JmhMeasurement(benchmark, method, Map.of(), List.of())
                .run(BRIEF)
                .get(Figures.ALLOCATED);
    }
}
