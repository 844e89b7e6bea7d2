package io.github.zklock.zookeeper;

import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The threads of one registry: all daemons, all but the timer's come and go with their work. */
final class Threads {

    private static final Logger LOG = LoggerFactory.getLogger(Threads.class);
    private static final int IDLE_SECONDS = 5;
    private static final int RETRY_SECONDS = 1;
    /** More would not help, and a thread that cannot be made is an error in the middle of the engine. */
    private static final int MOST_THREADS = 32;

    private final String prefix;
    private final ScheduledThreadPoolExecutor timer;
    private final ThreadPoolExecutor client;
    private final ThreadPoolExecutor losses;
    private final ThreadPoolExecutor callbacks;

    Threads(String registry) {
        this.prefix = "zk-lock-" + registry + "-";
        this.timer = new ScheduledThreadPoolExecutor(1, named("timer"));
        timer.setRemoveOnCancelPolicy(true);
        timer.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
        this.client = pool("client");
        this.losses = pool("loss");
        this.callbacks = pool("callback");
    }

    ScheduledThreadPoolExecutor timer() {
        return timer;
    }

    /** For what may block on Curator's client, and for nothing else that may block. */
    Executor client() {
        return client;
    }

    /** For loss actions, which must not wait behind anything. */
    Executor losses() {
        return guarded(losses);
    }

    /** For completions of futures, and for listeners. */
    Executor callbacks() {
        return guarded(callbacks);
    }

    /** Returns when nothing blocks on Curator's client any more, or this time is over. */
    void awaitClient(Duration limit) {
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

    void shutDown() {
        timer.shutdownNow();
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

    /** Where no thread can be made, again until one can, while the registry lives: somebody may wait for the outcome. */
    @SuppressWarnings("FutureReturnValueIgnored") // it is over when it has run
    private void begin(ExecutorService pool, Runnable task) {
        try {
            pool.execute(task);
        } catch (Throwable noThread) {
            Isolated.run(() -> timer.schedule(() -> begin(pool, task), RETRY_SECONDS, TimeUnit.SECONDS));
            Isolated.run(() -> LOG.warn(
                    "No thread for a callback of a lock ({}); trying again in {} s",
                    noThread.toString(),
                    RETRY_SECONDS));
        }
    }

    private ThreadPoolExecutor pool(String role) {
        ThreadPoolExecutor pool = new ThreadPoolExecutor(
                MOST_THREADS, MOST_THREADS, IDLE_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), named(role));
        pool.allowCoreThreadTimeOut(true);
        // also after the end of the registry nobody is left waiting for an answer
        pool.setRejectedExecutionHandler(
                (task, rejecting) -> named(role).newThread(task).start());
        return pool;
    }

    private ThreadFactory named(String role) {
        AtomicInteger number = new AtomicInteger();
        return task -> {
            Thread thread = new Thread(task, prefix + role + "-" + number.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        };
    }
}
