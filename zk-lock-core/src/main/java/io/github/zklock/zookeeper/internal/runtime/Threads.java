package io.github.zklock.zookeeper.internal.runtime;

import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/** The threads of one registry. All of them are daemons. All but the timer's start and end with their work. */
public final class Threads {

    private static final Logger LOG = EngineLog.of(Threads.class);
    private static final int IDLE_SECONDS = 5;
    /** The time between two checks. */
    public static final long LOOK_NANOS = 1_000_000_000L;
    /** More threads would not help, and a thread that cannot be started is an error in the middle of the engine. */
    private static final int MOST_THREADS = 32;

    private final String prefix;
    private final ScheduledThreadPoolExecutor timer;
    private final ThreadPoolExecutor relief;
    private final ThreadPoolExecutor client;
    private final ThreadPoolExecutor losses;
    private final ThreadPoolExecutor callbacks;
    private final ThreadPoolExecutor searches;
    private volatile @Nullable Thread watcher;
    /** Tasks for which no thread could be started. */
    private final Queue<Runnable> late = new ConcurrentLinkedQueue<>();

    public Threads(String registry) {
        this.prefix = "zk-lock-" + registry + "-";
        this.timer = new ScheduledThreadPoolExecutor(1, named("timer"));
        timer.setRemoveOnCancelPolicy(true);
        timer.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
        this.relief = pool("loop", 1);
        this.client = pool("client", MOST_THREADS);
        this.losses = pool("loss", MOST_THREADS);
        this.callbacks = pool("callback", MOST_THREADS);
        this.searches = pool("search", 1);
    }

    public ScheduledThreadPoolExecutor timer() {
        return timer;
    }

    /** Returns the executor for the loop only: nothing that blocks runs there. */
    public Executor relief() {
        return relief;
    }

    /**
     * Runs the checks until the shutdown, on a thread that no Error and no failure to start a thread stops.
     *
     * @param check runs whenever the thread is woken, and each second
     * @param look runs at most once a second
     * @param clock a monotonic clock
     */
    public void watch(Runnable check, Runnable look, LongSupplier clock) {
        Thread thread = plain(() -> watching(check, look, clock), prefix + "watch");
        watcher = thread;
        thread.start();
    }

    private void watching(Runnable check, Runnable look, LongSupplier clock) {
        long next = clock.getAsLong() + LOOK_NANOS;
        while (!timer.isShutdown()) {
            try {
                LockSupport.parkNanos(next - clock.getAsLong());
                // interrupts of this thread have no meaning
                Thread.interrupted();
                check.run();
                if (clock.getAsLong() - next >= 0) {
                    next = clock.getAsLong() + LOOK_NANOS;
                    beginLate();
                    look.run();
                }
            } catch (Throwable passing) {
                // no call here, not even for a log: the next round tries again
            }
        }
    }

    /** Returns the executor for calls that may block on Curator's client, and for no other blocking calls. */
    public Executor client() {
        return client;
    }

    /** Returns the executor for loss actions, which must not wait for other tasks. */
    public Executor losses() {
        return guarded(losses);
    }

    /** Returns the executor for completions of futures and for listeners. */
    public Executor callbacks() {
        return guarded(callbacks);
    }

    /** Runs a task that may block for an answer of the servers, after this time, unless the registry is closed before. */
    @SuppressWarnings("FutureReturnValueIgnored") // it is over when it has run
    public void searchAfter(Duration pause, Runnable search) {
        timer.schedule(() -> begin(searches, search), Nanos.of(pause), TimeUnit.NANOSECONDS);
    }

    /** Waits until no call blocks on Curator's client any more, at most for this time. */
    public void awaitClient(Duration limit) {
        // an interrupt must not leave the close of a registry incomplete
        boolean interrupted = Thread.interrupted();
        try {
            client.awaitTermination(Nanos.of(limit), TimeUnit.NANOSECONDS);
        } catch (InterruptedException early) {
            interrupted = true;
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    public void shutDown() {
        timer.shutdownNow();
        LockSupport.unpark(watcher);
        relief.shutdown();
        client.shutdown();
        losses.shutdown();
        callbacks.shutdown();
        searches.shutdownNow();
    }

    private Executor guarded(ExecutorService pool) {
        return task -> begin(pool, () -> {
            try {
                task.run();
            } catch (Throwable error) {
                LOG.warn("A callback for a lock failed", error);
            }
        });
    }

    private void beginLate() {
        for (int left = late.size(); left > 0; left--) {
            Runnable task = late.peek();
            if (task == null) {
                return;
            }
            task.run();
            late.poll();
        }
    }

    /**
     * Starts the task. If no thread can be started, tries again until the registry is closed, because a caller may wait
     * for the outcome.
     */
    @SuppressWarnings("FutureReturnValueIgnored") // it is over when it has run
    private void begin(ExecutorService pool, Runnable task) {
        try {
            pool.execute(task);
        } catch (Throwable noThread) {
            late.add(() -> begin(pool, task));
            LOG.warn(
                    "No thread can be started for a callback of a lock ({}); the next attempt follows in a second",
                    noThread.toString());
        }
    }

    private ThreadPoolExecutor pool(String role, int most) {
        ThreadPoolExecutor pool = new ThreadPoolExecutor(
                most, most, IDLE_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), named(role));
        pool.allowCoreThreadTimeOut(true);
        // also after the end of the registry each caller gets its answer
        pool.setRejectedExecutionHandler(
                (task, rejecting) -> named(role).newThread(task).start());
        return pool;
    }

    private ThreadFactory named(String role) {
        AtomicInteger number = new AtomicInteger();
        return task -> plain(task, prefix + role + "-" + number.incrementAndGet());
    }

    /**
     * Returns a daemon thread that inherits nothing from the thread that creates it: no inheritable thread locals, no
     * priority, and no context class loader, which would prevent a whole application from being collected.
     */
    @SuppressWarnings("ThreadPriorityCheck") // not to raise it, but not to inherit it
    public static Thread plain(Runnable task, String name) {
        Thread thread = new Thread(null, task, name, 0, false);
        thread.setDaemon(true);
        thread.setContextClassLoader(Threads.class.getClassLoader());
        thread.setPriority(Thread.NORM_PRIORITY);
        return thread;
    }
}
