package io.github.zklock.zookeeper.internal.engine;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import io.github.zklock.ClusterLock;
import io.github.zklock.HandOff;
import io.github.zklock.LockHandle;
import io.github.zklock.LockLostException;
import io.github.zklock.zookeeper.internal.runtime.Loop;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jetbrains.kotlinx.lincheck.LinChecker;
import org.jetbrains.kotlinx.lincheck.annotations.Operation;
import org.jetbrains.kotlinx.lincheck.annotations.Param;
import org.jetbrains.kotlinx.lincheck.paramgen.ThreadIdGen;
import org.jetbrains.kotlinx.lincheck.strategy.stress.StressOptions;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/**
 * The hand-off from thread to thread, the state of a handle, and the loop below them, checked for linearizability
 * through the public lock. By stress: Lincheck's model checker cannot look into records, of which the engine has many,
 * and loses itself in the loggers. What the engine decides it decides on the loop, one thing at a time, and there the
 * simulation searches the interleavings.
 */
@Tag("lincheck")
class LocalQueueLincheckTest {

    private static final Logger ENGINE_LOG = (Logger) LoggerFactory.getLogger("io.github.zklock");

    /** A counter that is not atomic by itself, under a lock taken in every way. */
    public abstract static class Counter {

        private final ClusterLock lock;
        private int count;
        private long lastToken;

        Counter(HandOff handOff) {
            lock = new MemoryEngine(handOff).lock("/counter");
        }

        @Operation
        public int byLock() {
            lock.lock();
            try {
                return count++;
            } finally {
                lock.unlock();
            }
        }

        @Operation
        public int byHandle() throws InterruptedException {
            try (LockHandle handle = lock.acquire()) {
                return checked(handle);
            }
        }

        @Operation
        public int byFuture() {
            try (LockHandle handle = lock.acquireAsync().join()) {
                return checked(handle);
            }
        }

        /** Changes nothing, wherever the cancellation meets the grant. */
        @Operation
        public void cancelled() {
            CompletableFuture<LockHandle> future = lock.acquireAsync();
            if (!future.cancel(false)) {
                future.join().close();
            }
        }

        private int checked(LockHandle handle) {
            boolean rises = handle.fencingToken().value() > lastToken && handle.isHeld();
            lastToken = handle.fencingToken().value();
            return rises ? count++ : -1;
        }
    }

    public static final class BoundedCounter extends Counter {
        public BoundedCounter() {
            super(HandOff.bounded(1, Duration.ofSeconds(1)));
        }
    }

    public static final class StrictCounter extends Counter {
        public StrictCounter() {
            super(HandOff.strict());
        }
    }

    public static final class LingeringCounter extends Counter {
        public LingeringCounter() {
            super(HandOff.bounded(2, Duration.ofSeconds(1)).lingering(Duration.ofSeconds(1)));
        }
    }

    /** What the counter is like without threads. */
    public static final class CounterAlone {

        private int count;

        public int byLock() {
            return count++;
        }

        public int byHandle() {
            return count++;
        }

        public int byFuture() {
            return count++;
        }

        public void cancelled() {}
    }

    /** A lock that each thread tries to take and gives back, and never waits for. */
    @Param(name = "thread", gen = ThreadIdGen.class)
    public static final class Tried {

        private final ClusterLock lock = new MemoryEngine(HandOff.bounded(1, Duration.ofSeconds(1))).lock("/tried");
        private final AtomicReferenceArray<LockHandle> handles = new AtomicReferenceArray<>(8);

        @Operation
        public boolean take(@Param(name = "thread") int thread) throws InterruptedException {
            if (handles.get(thread) != null) {
                return false;
            }
            Optional<LockHandle> handle = lock.tryAcquire();
            handle.ifPresent(taken -> handles.set(thread, taken));
            return handle.isPresent();
        }

        @Operation
        public boolean giveBack(@Param(name = "thread") int thread) {
            LockHandle handle = handles.getAndSet(thread, null);
            if (handle != null) {
                handle.close();
            }
            return handle != null;
        }
    }

    /** What the tried lock is like without threads. */
    public static final class TriedAlone {

        private int holder = -1;

        public boolean take(int thread) {
            boolean free = holder == -1;
            holder = free ? thread : holder;
            return free;
        }

        public boolean giveBack(int thread) {
            boolean own = holder == thread;
            holder = own ? -1 : holder;
            return own;
        }
    }

    /** One handle, used by several threads while its lock is taken from it. */
    public static final class Shared {

        private final MemoryEngine engine = new MemoryEngine(HandOff.bounded(1, Duration.ofSeconds(1)));
        private final LockHandle handle;

        public Shared() throws InterruptedException {
            handle = engine.lock("/shared").acquire();
        }

        @Operation
        public String close() {
            try {
                handle.close();
                return "closed";
            } catch (LockLostException lost) {
                return "lost";
            }
        }

        @Operation
        public String state() {
            return handle.state().name();
        }

        @Operation
        public boolean isHeld() {
            return handle.isHeld();
        }

        @Operation
        public void evict() {
            engine.evictAll();
        }
    }

    /** What the shared handle is like without threads. */
    public static final class SharedAlone {

        private String state = "HELD";
        private boolean closed;

        public String close() {
            boolean throwsLost = !closed && state.equals("LOST");
            closed = true;
            state = state.equals("HELD") ? "RELEASED" : state;
            return throwsLost ? "lost" : "closed";
        }

        public String state() {
            return state;
        }

        public boolean isHeld() {
            return state.equals("HELD");
        }

        public void evict() {
            state = state.equals("HELD") ? "LOST" : state;
        }
    }

    /** Threads that bring tasks to one loop and wait for them. */
    public static final class Looped {

        private final Loop loop = new Loop(Runnable::run, (failed, error) -> {});
        private int count;

        @Operation
        public int count() {
            CompletableFuture<Integer> counted = new CompletableFuture<>();
            loop.execute(() -> counted.complete(count++));
            return counted.join();
        }

        /** A task that brings another one. */
        @Operation
        public int countAfterwards() {
            CompletableFuture<Integer> counted = new CompletableFuture<>();
            loop.execute(() -> loop.execute(() -> counted.complete(count++)));
            return counted.join();
        }
    }

    /** What the loop is like without threads. */
    public static final class LoopedAlone {

        private int count;

        public int count() {
            return count++;
        }

        public int countAfterwards() {
            return count++;
        }
    }

    @BeforeAll
    static void silenceLosses() {
        ENGINE_LOG.setLevel(Level.OFF);
    }

    @AfterAll
    static void restoreLog() {
        ENGINE_LOG.setLevel(null);
    }

    @Test
    void boundedHandOffIsLinearizable() {
        stress(BoundedCounter.class, CounterAlone.class);
    }

    @Test
    void strictHandOffIsLinearizable() {
        stress(StrictCounter.class, CounterAlone.class);
    }

    @Test
    void lingeringHandOffIsLinearizable() {
        stress(LingeringCounter.class, CounterAlone.class);
    }

    @Test
    void tryingIsLinearizable() {
        stress(Tried.class, TriedAlone.class);
    }

    @Test
    void stateOfAHandleIsLinearizable() {
        stress(Shared.class, SharedAlone.class);
    }

    @Test
    void loopIsLinearizable() {
        stress(Looped.class, LoopedAlone.class);
    }

    private static void stress(Class<?> subject, Class<?> alone) {
        new LinChecker(
                        subject,
                        new StressOptions()
                                .iterations(10)
                                .invocationsPerIteration(400)
                                .threads(3)
                                .actorsPerThread(3)
                                .sequentialSpecification(alone))
                .check();
    }
}
