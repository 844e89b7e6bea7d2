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

/** The threads of one registry: all daemons, all but the timer's come and go with their work. */
public final class Threads {

    private static final Logger LOG = EngineLog.of(Threads.class);
    private static final int IDLE_SECONDS = 5;
    /** From one look to the next. */
    public static final long LOOK_NANOS = 1_000_000_000L;
    /** More would not help, and a thread that cannot be made is an error in the middle of the engine. */
    private static final int MOST_THREADS = 32;

    private final String prefix;
    private final ScheduledThreadPoolExecutor timer;
    private final ThreadPoolExecutor relief;
    private final ThreadPoolExecutor client;
    private final ThreadPoolExecutor losses;
    private final ThreadPoolExecutor callbacks;
    private volatile @Nullable Thread watcher;
    /** For which no thread could be made. */
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
    }

    public ScheduledThreadPoolExecutor timer() {
        return timer;
    }

    /** For the loop alone: nothing that blocks runs there. */
    public Executor relief() {
        return relief;
    }

    /**
     * Does this until the end, on a thread that nothing stops: no Error, and no pool that fails to make a thread.
     *
     * @param check whenever the thread is woken, and each second
     * @param look not more than once a second
     * @param clock monotonic
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
                // nobody means this thread
                Thread.interrupted();
                check.run();
                if (clock.getAsLong() - next >= 0) {
                    next = clock.getAsLong() + LOOK_NANOS;
                    beginLate();
                    look.run();
                }
            } catch (Throwable passing) {
                // no call here, not even for a log: the next time is soon enough
            }
        }
    }

    /** For what may block on Curator's client, and for nothing else that may block. */
    public Executor client() {
        return client;
    }

    /** For loss actions, which must not wait behind anything. */
    public Executor losses() {
        return guarded(losses);
    }

    /** For completions of futures, and for listeners. */
    public Executor callbacks() {
        return guarded(callbacks);
    }

    /** Returns when nothing blocks on Curator's client any more, or this time is over. */
    public void awaitClient(Duration limit) {
        // whatever interrupts: the close of a registry is not to be left half done
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

    /** Where no thread can be made, again until one can, while the registry lives: somebody may wait for the outcome. */
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
        // also after the end of the registry nobody is left waiting for an answer
        pool.setRejectedExecutionHandler(
                (task, rejecting) -> named(role).newThread(task).start());
        return pool;
    }

    private ThreadFactory named(String role) {
        AtomicInteger number = new AtomicInteger();
        return task -> plain(task, prefix + role + "-" + number.incrementAndGet());
    }

    /**
     * A daemon that has nothing of the caller who happens to make it: no inheritable thread locals, not its context class
     * loader, which would keep a whole application from being collected, and not its priority.
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
