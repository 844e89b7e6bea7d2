package io.github.zklock.faults.client;

import io.github.zklock.HandOff;
import io.github.zklock.LockRegistry;
import io.github.zklock.faults.timeline.Disruption;
import io.github.zklock.faults.timeline.Timeline;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.LockSupport;

/** The locks that a client process uses, over one ZooKeeper connection. */
public interface Engine extends AutoCloseable {

    /** The linger time of the variant {@code linger}. */
    Duration LINGER = Duration.ofMillis(500);

    static String name() {
        return System.getProperty("faults.engine", Timeline.OURS);
    }

    /** Opens the engine that the properties of this process name. */
    static Engine open(ClientConfig config) {
        return switch (name()) {
            case Timeline.OURS -> ours(config);
            case "curator" -> new CuratorEngine(config);
            case "spring-integration" -> new SpringIntegrationEngine(config);
            default -> throw new IllegalArgumentException("No engine '" + name() + "'");
        };
    }

    private static Engine ours(ClientConfig config) {
        String surface = System.getProperty("faults.surface", "registry");
        return switch (surface) {
            case "registry" -> ZkLockEngine.onASharedClient(config, handOff());
            case "future" -> ZkLockEngine.onItsOwnClient(config, handOff());
            case "annotation" -> new AnnotatedEngine(config, handOff());
            default ->
                throw new IllegalArgumentException(
                        "No surface '" + surface + "'; there are registry, future, annotation");
        };
    }

    // small limits, so that seats change often
    private static HandOff handOff() {
        String name = System.getProperty("faults.hand-off", "bounded");
        return switch (name) {
            case "bounded" -> HandOff.bounded(4, Duration.ofMillis(200));
            case "strict" -> HandOff.strict();
            case "linger" -> HandOff.bounded(4, Duration.ofMillis(200)).lingering(LINGER);
            default ->
                throw new IllegalArgumentException("No hand-off '" + name + "'; there are bounded, strict, linger");
        };
    }

    /** What a client does while it holds a lock. */
    @FunctionalInterface
    interface Work {

        /** For engines without work of their own under the lock. */
        Runnable NOTHING_ELSE = () -> {};

        /**
         * Runs in the calling thread.
         *
         * @param last further work of the application before the release; its exceptions are thrown
         */
        void under(HeldLock heldLock, Runnable last);
    }

    /**
     * Acquires a lock, runs the work and releases the lock.
     *
     * @throws InterruptedException if interrupted while waiting
     */
    CallResult call(LockCall call, Work work) throws InterruptedException;

    /**
     * Begins a call without waiting for its answer. If the lock is granted, it is held for this long.
     *
     * @param granted runs as soon as the lock is granted
     */
    default CompletableFuture<CallResult> begin(LockCall call, Duration time, Runnable granted) {
        CompletableFuture<CallResult> answer = new CompletableFuture<>();
        new Thread(() -> {
                    try {
                        answer.complete(call(call, (heldLock, last) -> {
                            granted.run();
                            LockSupport.parkNanos(this, time.toNanos());
                        }));
                    } catch (InterruptedException | RuntimeException | Error e) {
                        answer.completeExceptionally(e);
                    }
                })
                .start();
        return answer;
    }

    /**
     * Acquires the write lock, and downgrades to the read lock before it releases the write lock.
     *
     * @param writing runs first, under the write lock
     * @param reading runs after the release of the write lock
     * @throws InterruptedException if interrupted while waiting
     */
    CallResult downgrade(String lock, Work writing, Work reading) throws InterruptedException;

    /** What a candidate does while it is the leader. */
    @FunctionalInterface
    interface Term {

        /** Runs in the thread that the engine has for the term, which is interrupted if the term ends early. */
        void under(HeldLock leadership) throws InterruptedException;
    }

    /**
     * Is a candidate for a leadership, and steps down at the end of each term. Returns when the latch has opened and the
     * present term has ended.
     *
     * @throws InterruptedException if interrupted while waiting
     */
    void lead(String name, CountDownLatch end, Term term) throws InterruptedException;

    /**
     * Runs a job if no run of any process counts in this window.
     *
     * @return how the run ended, or that there was none
     */
    default CallResult job(String name, Duration window, Work work) throws InterruptedException {
        throw new UnsupportedOperationException("There are no jobs that run once per window");
    }

    default LockRegistry registry() {
        throw new UnsupportedOperationException("Only our own locks have a registry");
    }

    /** Returns the id of the current session, in hexadecimal. */
    String session();

    /** Prepares for such a call, so that the preparation takes no time of the call. */
    default void prepare(LockCall call) {}

    default Executor executor() {
        return task -> new Thread(task).start();
    }

    /** Disrupts the connection, as another user of the client could: the engine is not notified before. */
    void disrupt(Disruption disruption) throws Exception;

    /** Changes the application that uses the locks. */
    default void change(Change change) {
        throw new UnsupportedOperationException("There is no application for this change: " + change);
    }

    enum Change {
        /** The application is closed, and its methods are still called. */
        CLOSE,
        /** Another application replaces it. */
        REFRESH,
        /** Its listeners block for good. */
        BLOCK_LISTENERS,
        /** Its listeners throw an exception. */
        BREAK_LISTENERS,
        /** Its listeners throw an Error. */
        BREAK_LISTENERS_BY_ERROR;

        /** Returns whether the change takes the locks of the holders. */
        boolean closes() {
            return this == CLOSE || this == REFRESH;
        }
    }

    /** The present engine of a process, which can be closed while it is in use, and replaced by another one. */
    final class Present {

        private volatile Engine engine;

        Present(Engine first) {
            engine = first;
        }

        Engine get() {
            return engine;
        }

        void set(Engine next) {
            engine = next;
        }
    }
}
