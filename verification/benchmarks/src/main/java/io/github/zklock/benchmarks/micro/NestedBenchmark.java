package io.github.zklock.benchmarks.micro;

import io.github.zklock.ClusterLock;
import io.github.zklock.LockOrder;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** Measures turns on a lock that lingers, by a thread that holds another lock. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class NestedBenchmark {

    /** Contradictory orders are reported. */
    @Benchmark
    public void observed(Observed nested) {
        nested.lockAndUnlock();
    }

    /** Orders are not observed. */
    @Benchmark
    public void notObserved(NotObserved nested) {
        nested.lockAndUnlock();
    }

    /** A thread that holds a lock and requests another one. */
    abstract static class Nested {

        private final LingeringLock lingering;
        private final ClusterLock outer;
        private final ClusterLock inner;

        Nested(LockOrder order) {
            lingering = new LingeringLock(order);
            outer = lingering.lock("/outer");
            inner = lingering.lock();
        }

        @SuppressWarnings("LockNotBeforeTry") // no code between the two calls can fail
        final void lockAndUnlock() {
            inner.lock();
            inner.unlock();
        }

        /** Acquires the outer lock. */
        @Setup
        @SuppressWarnings("LockNotBeforeTry") // released at the end
        public final void acquire() {
            outer.lock();
            lockAndUnlock();
        }

        /** Releases it and stops the server. */
        @TearDown
        public final void release() {
            outer.unlock();
            lingering.close();
        }
    }

    /** Orders are observed. */
    @State(Scope.Thread)
    public static class Observed extends Nested {

        /** Connects. */
        public Observed() {
            super(LockOrder.WARN);
        }
    }

    /** Orders are not observed. */
    @State(Scope.Thread)
    public static class NotObserved extends Nested {

        /** Connects. */
        public NotObserved() {
            super(LockOrder.OFF);
        }
    }
}
