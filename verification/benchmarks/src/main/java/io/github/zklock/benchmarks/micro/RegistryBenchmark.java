package io.github.zklock.benchmarks.micro;

import io.github.zklock.ClusterJob;
import io.github.zklock.ClusterLock;
import io.github.zklock.DeadlockReaction;
import io.github.zklock.FencingToken;
import io.github.zklock.HandOff;
import io.github.zklock.LockHandle;
import io.github.zklock.OncePer;
import io.github.zklock.test.EmbeddedZooKeeper;
import io.github.zklock.zookeeper.ZooKeeperLockRegistry;
import io.github.zklock.zookeeper.internal.runtime.StackProbe;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Threads;

/**
 * Measures calls of one process, mostly on a lock whose seat the process keeps for as many turns as a seat can have: the
 * servers are asked for a new seat only now and then.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@SuppressWarnings("NullAway.Init") // JMH calls start() before the first benchmark
public class RegistryBenchmark {

    private static final Duration LINGER = Duration.ofMinutes(10);
    private static final int MOST_TURNS = 4096;

    /** What the registry does about contradictory orders of nested locks. */
    @Param("IGNORE")
    public DeadlockReaction order = DeadlockReaction.IGNORE;

    private final EmbeddedZooKeeper server = new EmbeddedZooKeeper();

    private ZooKeeperLockRegistry locks;
    private ClusterLock lock;
    private LockHandle held;
    private ClusterJob job;
    private volatile long deadline;

    /** Acquires the seat. */
    @Setup
    public void start() throws InterruptedException {
        locks = ZooKeeperLockRegistry.builder()
                .connectString(server.connectString())
                .handOff(HandOff.bounded(MOST_TURNS, LINGER).lingering(LINGER))
                .lockOrder(order)
                .build();
        lock = locks.lock("/retaken");
        lock.acquire().close();
        held = locks.lock("/held").acquire();
        job = locks.job("/nightly", OncePer.of(Duration.ofDays(1)));
        job.begin().close();
        deadline = System.nanoTime() + TimeUnit.DAYS.toNanos(1);
    }

    /** Stops the server. */
    @TearDown
    public void stop() {
        held.close();
        locks.close();
        server.close();
    }

    /** A holder calls it before each write. */
    @Benchmark
    public boolean isHeld() {
        return held.isHeld();
    }

    /** The least that an answer by the clock can cost. */
    @Benchmark
    public boolean clock() {
        return System.nanoTime() - deadline < 0;
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

    /** By a thread that holds the same lock, or another one. */
    @Benchmark
    @SuppressWarnings("UnusedVariable") // the parameter makes this thread an owner
    public void nested(Owner owner) {
        lockAndUnlock();
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

    /** A job that is not due, which is what most calls of a scheduled job find: a write and a read in one round trip. */
    @Benchmark
    public Optional<LockHandle> skip() throws InterruptedException {
        return job.tryBegin();
    }

    /** A thread that holds a lock. */
    @State(Scope.Thread)
    public static class Owner {

        /** The name of the lock. */
        @Param("/retaken")
        public String name = "/retaken";

        /** Acquires the lock. */
        @Setup
        @SuppressWarnings("LockNotBeforeTry") // released at the end
        public void acquire(RegistryBenchmark benchmark) {
            benchmark.locks.lock(name).lock();
            benchmark.lockAndUnlock();
        }

        /** Releases it. */
        @TearDown
        public void release(RegistryBenchmark benchmark) {
            benchmark.locks.lock(name).unlock();
        }
    }
}
