package io.github.zklock.benchmarks.micro;

import io.github.zklock.ClusterLock;
import io.github.zklock.FencingToken;
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
import org.openjdk.jmh.annotations.Threads;

/** Turns on a lock that lingers. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class RetakenBenchmark {

    private final LingeringLock lingering = new LingeringLock();
    private final ClusterLock lock = lingering.lock();

    /** Takes the seat. */
    @Setup
    public void start() throws InterruptedException {
        lock.acquire().close();
    }

    /** Ends the server. */
    @TearDown
    public void stop() {
        lingering.close();
    }

    /** As the JDK's locks are used. */
    @Benchmark
    @SuppressWarnings("LockNotBeforeTry") // nothing is done under it that could fail
    public void lockAndUnlock() {
        lock.lock();
        lock.unlock();
    }

    /** With the handle. */
    @Benchmark
    public FencingToken acquireAndClose() throws InterruptedException {
        try (LockHandle handle = lock.acquire()) {
            return handle.fencingToken();
        }
    }

    /** From thread to thread, as both want it all the time; the time is that of each thread. */
    @Benchmark
    @Threads(2)
    public FencingToken handedOn() throws InterruptedException {
        return acquireAndClose();
    }
}
