package io.github.zklock.console;

import java.time.Duration;
import java.time.InstantSource;
import java.util.Collection;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;

/** The threads that ask ZooKeeper for the console: few, so that it is not asked much at once, and none while idle. */
final class Readers implements AutoCloseable {

    private static final int THREADS = 4;
    private static final int IDLE_SECONDS = 10;

    private final Duration patience;
    private final InstantSource clock;
    private final LongSupplier nanoTime;
    private final ThreadPoolExecutor threads;

    /** @param patience how long ZooKeeper may take to answer */
    Readers(Duration patience, InstantSource clock, LongSupplier nanoTime) {
        this.patience = patience;
        this.clock = clock;
        this.nanoTime = nanoTime;
        AtomicInteger number = new AtomicInteger();
        threads = new ThreadPoolExecutor(
                THREADS, THREADS, IDLE_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), body -> {
                    Thread thread = new Thread(body, "zk-lock-console-" + number.incrementAndGet());
                    thread.setDaemon(true);
                    return thread;
                });
        threads.allowCoreThreadTimeOut(true);
    }

    Duration patience() {
        return patience;
    }

    long millis() {
        return clock.millis();
    }

    long nanoTime() {
        return nanoTime.getAsLong();
    }

    void execute(Runnable reading) {
        threads.execute(reading);
    }

    /** Waits until all of these are there, for at most this long. */
    void await(Collection<CompletableFuture<?>> readings, Duration atMost) throws InterruptedException {
        try {
            CompletableFuture.allOf(readings.toArray(CompletableFuture[]::new))
                    .get(atMost.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException late) {
            // what there is by then is shown
        } catch (ExecutionException never) {
            throw new IllegalStateException("A reading completes also when it fails", never);
        }
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }
}
