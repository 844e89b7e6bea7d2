package io.github.zklock.zookeeper;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The end of a registry: drain, take back, see the nodes go, close the client, end the threads. On a client of others,
 * deletions that are not through by then go on in the background until they are, or until that client is closed.
 */
final class Shutdown {

    private static final Logger LOG = LoggerFactory.getLogger(Shutdown.class);

    private final EngineAccess engine;
    private final Threads threads;
    private final boolean ownsClient;
    private final AtomicBoolean begun = new AtomicBoolean();
    private final CountDownLatch over = new CountDownLatch(1);
    private @Nullable Thread hook;

    Shutdown(EngineAccess engine, Threads threads, boolean ownsClient) {
        this.engine = engine;
        this.threads = threads;
        this.ownsClient = ownsClient;
    }

    /** Runs at the end of the JVM as well, unless it has run before. */
    void runOnExit() {
        Thread atExit = new Thread(() -> end(Duration.ZERO), "zk-lock-shutdown-hook");
        hook = atExit;
        Runtime.getRuntime().addShutdownHook(atExit);
    }

    /** Returns when the end is reached, also to those who come second. */
    void run(Duration drain) {
        removeHook();
        end(drain);
    }

    private void end(Duration drain) {
        if (!begun.compareAndSet(false, true)) {
            await(over, Duration.ofSeconds(Long.MAX_VALUE));
            return;
        }
        try {
            drain(drain);
            CountDownLatch gone = new CountDownLatch(1);
            engine.run(asked -> asked.close(() -> {
                gone.countDown();
                if (!ownsClient) {
                    endThreads(asked);
                }
            }));
            boolean clean = await(gone, engine.settings().connectionTimeout());
            if (!clean) {
                LOG.warn("Not all nodes are known to be gone yet; they go with their session at the latest");
            }
            if (ownsClient) {
                engine.run(this::endThreads);
                threads.awaitClient(engine.settings().connectionTimeout());
            }
        } finally {
            over.countDown();
        }
    }

    private void drain(Duration limit) {
        CountDownLatch drained = new CountDownLatch(1);
        engine.run(asked -> asked.drain(drained::countDown));
        await(drained, limit);
    }

    private void endThreads(Engine asked) {
        asked.shutDown();
        threads.shutDown();
    }

    private void removeHook() {
        Thread registered = hook;
        if (registered != null) {
            try {
                Runtime.getRuntime().removeShutdownHook(registered);
            } catch (IllegalStateException jvmIsEnding) {
                // then the hook comes second, and waits for this run
                return;
            }
        }
    }

    /** Goes on through interrupts, and sets the flag again at the end. */
    private boolean await(CountDownLatch latch, Duration limit) {
        long end = engine.nanoTime() + Nanos.of(limit);
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return latch.await(end - engine.nanoTime(), TimeUnit.NANOSECONDS);
                } catch (InterruptedException early) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
