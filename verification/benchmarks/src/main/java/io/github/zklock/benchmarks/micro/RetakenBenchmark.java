package io.github.zklock.benchmarks.micro;

import io.github.zklock.ClusterLock;
import io.github.zklock.FencingToken;
import io.github.zklock.LockHandle;
import io.github.zklock.zookeeper.internal.runtime.StackProbe;
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

/** Measures turns on a lock that lingers. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class RetakenBenchmark {

    private final LingeringLock lingering = new LingeringLock();
    private final ClusterLock lock = lingering.lock();

    /** Acquires the seat. */
    @Setup
    public void start() throws InterruptedException {
        lock.acquire().close();
    }

    /** Stops the server. */
    @TearDown
    public void stop() {
        lingering.close();
    }

    /** In the way of the JDK's locks. */
    @Benchmark
    @SuppressWarnings("LockNotBeforeTry") // no code between the two calls can fail
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

    /** A lock that the thread holds already. */
    @Benchmark
    @SuppressWarnings({"LockNotBeforeTry", "UnusedVariable"}) // the parameter makes this thread the owner
    public void enterAgain(Owner owner) {
        lock.lock();
        lock.unlock();
    }

    /** The check of the stack, which each turn makes twice. */
    @Benchmark
    public boolean stackCheck() {
        return StackProbe.hasRoom();
    }

    /** From thread to thread, as both call all the time; the figure is the time for each thread. */
    @Benchmark
    @Threads(2)
    public FencingToken handedOn() throws InterruptedException {
        return acquireAndClose();
    }

    /** A thread that holds the lock. */
    @State(Scope.Thread)
    public static class Owner {

        /** Acquires the lock. */
        @Setup
        public void acquire(RetakenBenchmark benchmark) {
            benchmark.lock.lock();
        }

        /** Releases it. */
        @TearDown
        public void release(RetakenBenchmark benchmark) {
            benchmark.lock.unlock();
        }
    }
}
