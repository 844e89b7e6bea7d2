package io.github.zklock.benchmarks.workload;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.benchmarks.micro.HeldBenchmark;
import io.github.zklock.benchmarks.micro.RetakenBenchmark;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What is allocated, which no machine is too slow to count. Whatever adds to it has to give a reason here. */
class AllocationTest {

    private static final Duration BRIEF = Duration.ofMillis(500);

    @Test
    void whoeverAsksWhetherHeHoldsTheLockAllocatesNothing() throws Exception {
        assertThat(allocated(HeldBenchmark.class, "isHeld")).isLessThan(1);
    }

    @Test
    void aTurnOnALockThatLingersAllocatesLittle() throws Exception {
        assertThat(allocated(RetakenBenchmark.class, "lockAndUnlock")).isLessThan(2_500);
    }

    private static double allocated(Class<?> benchmark, String method) throws Exception {
        return new Micro(benchmark, method, Map.of()).run(BRIEF).get("allocated");
    }
}
