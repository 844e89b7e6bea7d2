package io.github.zklock.benchmarks.micro;

import io.github.zklock.LockHandle;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** Measures {@code isHeld()}, which a holder calls before each write. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class HeldBenchmark {

    private final LingeringLock lingering = new LingeringLock();
    private final LockHandle handle = lingering.hold();
    private volatile long deadline;

    /** Sets the deadline of the comparison. */
    @Setup
    public void start() {
        deadline = System.nanoTime() + TimeUnit.DAYS.toNanos(1);
    }

    /** Releases the lock. */
    @TearDown
    public void stop() {
        handle.close();
        lingering.close();
    }

    /** The measured call. */
    @Benchmark
    public boolean isHeld() {
        return handle.isHeld();
    }

    /** The least that an answer by the clock can cost. */
    @Benchmark
    public boolean clock() {
        return System.nanoTime() - deadline < 0;
    }
}
