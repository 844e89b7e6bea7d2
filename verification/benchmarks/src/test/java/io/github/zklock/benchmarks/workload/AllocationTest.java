package io.github.zklock.benchmarks.workload;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.github.zklock.benchmarks.contender.Contender;
import io.github.zklock.benchmarks.contender.Contenders;
import io.github.zklock.benchmarks.contender.LockAdapter;
import io.github.zklock.benchmarks.micro.RegistryBenchmark;
import io.github.zklock.test.EmbeddedZooKeeper;
import java.lang.management.ManagementFactory;
import java.util.Set;
import java.util.function.LongPredicate;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Allocated bytes do not depend on the speed of the machine. A change that increases them needs a reason here. */
class AllocationTest {

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    @Test
    void isHeldAllocatesNothing() throws Exception {
        RegistryBenchmark registry = new RegistryBenchmark();
        try (AutoCloseable close = registry::stop) {
            registry.start();

            assertThat(allocated(registry::isHeld, 500_000, thread -> true)).isLessThan(1);
        }
    }

    @Test
    void turnOnALockThatLingersAllocatesLittle() throws Exception {
        RegistryBenchmark registry = new RegistryBenchmark();
        try (AutoCloseable close = registry::stop) {
            registry.start();

            assertThat(allocated(registry::lockAndUnlock, 50_000, thread -> true))
                    .isBetween(100.0, 2_500.0);
        }
    }

    /** Counts all threads of the client. */
    @Test
    void freeLockOfTheServersAllocatesLittle() throws Exception {
        int count = 500;
        try (EmbeddedZooKeeper server = new EmbeddedZooKeeper()) {
            try (Contender first = Contenders.BOUNDED.open(server.connectString())) {
                LockAdapter lock = first.exclusive("free");
                // the server starts its threads
                allocated(() -> lock.acquire().close(), count, thread -> true);
            }
            Set<Long> ofTheServer =
                    LongStream.of(THREADS.getAllThreadIds()).boxed().collect(Collectors.toSet());
            ofTheServer.remove(Thread.currentThread().getId());
            try (Contender second = Contenders.BOUNDED.open(server.connectString())) {
                LockAdapter lock = second.exclusive("free");

                assertThat(allocated(() -> lock.acquire().close(), count, thread -> !ofTheServer.contains(thread)))
                        .isBetween(1_000.0, 35_000.0);
            }
        }
    }

    /** Returns the bytes that these threads allocate for each call, after the same number of calls to warm up. */
    private static double allocated(Call call, int count, LongPredicate threads) throws Exception {
        repeat(call, count);
        long before = allocated(threads);
        repeat(call, count);
        return (double) (allocated(threads) - before) / count;
    }

    private static void repeat(Call call, int count) throws Exception {
        for (int i = 0; i < count; i++) {
            call.run();
        }
    }

    private static long allocated(LongPredicate threads) {
        long[] counted =
                LongStream.of(THREADS.getAllThreadIds()).filter(threads).toArray();
        return LongStream.of(THREADS.getThreadAllocatedBytes(counted))
                // -1 for a thread that has just ended
                .filter(bytes -> bytes > 0)
                .sum();
    }

    @FunctionalInterface
    private interface Call {
        void run() throws Exception;
    }
}
