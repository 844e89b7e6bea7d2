package io.github.zklock.test;

import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The threads on which code of users runs: daemons that come and go with their work. */
final class Workers {

    private static final Logger LOG = LoggerFactory.getLogger(Workers.class);
    private static final int MOST_THREADS = 32;
    private static final int IDLE_SECONDS = 1;

    private final ThreadPoolExecutor losses = pool("loss");
    private final ThreadPoolExecutor callbacks = pool("callback");

    /** Runs a loss action, which never waits behind listeners and futures. */
    void runLossAction(Runnable action) {
        losses.execute(guarded(action));
    }

    /** Completes a future, or tells a listener. */
    void call(Runnable callback) {
        callbacks.execute(guarded(callback));
    }

    /** The threads end with what they have to do. What comes later has threads of its own. */
    void shutDown() {
        losses.shutdown();
        callbacks.shutdown();
    }

    static ThreadFactory named(String role) {
        AtomicInteger number = new AtomicInteger();
        return task -> {
            Thread thread = new Thread(task, "zk-lock-memory-" + role + "-" + number.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        };
    }

    private static Runnable guarded(Runnable task) {
        return () -> {
            try {
                task.run();
            } catch (Throwable error) {
                LOG.warn("A callback for a lock failed", error);
            }
        };
    }

    private static ThreadPoolExecutor pool(String role) {
        ThreadPoolExecutor pool = new ThreadPoolExecutor(
                MOST_THREADS, MOST_THREADS, IDLE_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), named(role));
        pool.allowCoreThreadTimeOut(true);
        // also after the end of the cluster nobody is left waiting for an answer
        pool.setRejectedExecutionHandler(
                (task, rejecting) -> named(role).newThread(task).start());
        return pool;
    }
}
