package io.github.zklock.zookeeper.internal.engine;

import io.github.zklock.LockInspector.Held;
import io.github.zklock.OnClose;
import io.github.zklock.internal.Words;
import io.github.zklock.zookeeper.internal.runtime.EngineLog;
import io.github.zklock.zookeeper.internal.runtime.Nanos;
import io.github.zklock.zookeeper.internal.runtime.Threads;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * The end of a registry: drain, remove the seats that are not held, confirm the deletion of their nodes, close the
 * client, end the threads. If the client belongs to the user, deletions that are not confirmed by then continue in the
 * background until they are confirmed or that client is closed. If the locks used the session of that client and a create
 * was lost on it, the search for its node continues until the session ends.
 *
 * <p>Locks that are held when the drain time is over stay with their holders, unless {@link OnClose} is set otherwise.
 * Then the session and the threads, which are daemons, stay until the last holder has released its lock, and the end
 * follows. If the JVM ends before, the session is not closed: it expires. (M31)
 */
final class Shutdown {

    private static final Logger LOG = EngineLog.of(Shutdown.class);

    /** The pause between two looks at whether the end, or {@link #terminated}, is complete. */
    private static final long LOOK_NANOS = 100_000;

    /** The number of locks that a message names. */
    private static final int NAMED = 10;

    private final EngineAccess engine;
    private final Threads threads;
    private final boolean ownsClient;
    private final OnClose held;
    private final AtomicBoolean begun = new AtomicBoolean();
    /** Whether the latest run has ended the registry, or has failed. A field, because an Error may prevent each call. */
    private volatile boolean over;

    private final CompletableFuture<Void> terminated = new CompletableFuture<>();
    private @Nullable Thread hook;

    Shutdown(EngineAccess engine, Threads threads, boolean ownsClient, OnClose held) {
        this.engine = engine;
        this.threads = threads;
        this.ownsClient = ownsClient;
        this.held = held;
    }

    /** Returns a stage that completes when the registry has ended and none of its locks is held any more. */
    CompletionStage<Void> terminated() {
        return terminated.minimalCompletionStage();
    }

    /** Registers a hook that ends the registry when the JVM ends, unless it has ended before. */
    void runOnExit() {
        Thread atExit = new Thread(() -> end(Duration.ZERO), "zk-lock-shutdown-hook");
        hook = atExit;
        Runtime.getRuntime().addShutdownHook(atExit);
    }

    /** Ends the registry. A concurrent call returns when the first one has ended it, or has failed. */
    void run(Duration drain) {
        removeHook();
        end(drain);
    }

    private void end(Duration drain) {
        if (!begun.compareAndSet(false, true)) {
            awaitOver();
            return;
        }
        over = false;
        boolean ended = false;
        try {
            drain(drain);
            CountDownLatch removed = new CountDownLatch(1);
            engine.close(held, removed::countDown, this::quiet, this::shutDown);
            if (!await(removed, engine.settings().connectionTimeout())) {
                LOG.warn(
                        "The deletion of some nodes is not confirmed yet; ZooKeeper deletes them at the latest when their session ends");
            }
            finishUnlessKept();
            ended = true;
        } finally {
            over = true;
            if (!ended) {
                // an Error, after which the caller can close the registry again
                begun.set(false);
            }
        }
    }

    private void awaitOver() {
        boolean interrupted = false;
        while (!over) {
            LockSupport.parkNanos(LOOK_NANOS);
            // a set flag would end each pause at once
            interrupted |= Thread.interrupted();
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    @SuppressWarnings("FutureReturnValueIgnored") // the latch is the result of the stage
    private void finishUnlessKept() {
        CompletableFuture<List<Held>> kept = engine.ask(Engine::held);
        CountDownLatch known = new CountDownLatch(1);
        kept.whenComplete((locks, failure) -> known.countDown());
        if (!await(known, engine.settings().connectionTimeout())) {
            LOG.warn(
                    "The lock engine has not answered within {} whether locks are held; the registry ends in the"
                            + " background",
                    Words.of(engine.settings().connectionTimeout()));
        } else if (kept.isCompletedExceptionally() || kept.join().isEmpty()) {
            // if the engine was replaced, each lock is lost
            finish();
        } else {
            tellKept(kept.join());
        }
    }

    private void finish() {
        if (ownsClient) {
            shutDown();
            threads.awaitClient(engine.settings().connectionTimeout());
        }
        terminate();
        // the stage is complete when close() returns, but close() does not wait for its dependents: code of users
        long end = engine.nanoTime() + Nanos.of(engine.settings().connectionTimeout());
        while (!terminated.isDone() && engine.nanoTime() - end < 0) {
            LockSupport.parkNanos(LOOK_NANOS);
        }
    }

    /** Runs when no lock is held and the last node is known to be deleted: the user's client can be closed. */
    private void quiet() {
        if (!ownsClient && !terminated.isDone()) {
            terminate();
        }
    }

    private void terminate() {
        threads.runApart(() -> terminated.complete(null));
    }

    private static void tellKept(List<Held> kept) {
        String first = kept.stream()
                .limit(NAMED)
                .map(lock -> "'" + lock.name() + "' (" + lock.holder() + ", " + Words.of(lock.held()) + ")")
                .collect(Collectors.joining(", "));
        LOG.warn(
                "The registry is closed while it holds {}: {}{}. Each stays with its holder, and the session with it, until"
                        + " the holder releases it or this process ends; in the latter case ZooKeeper releases it when the"
                        + " session expires. Use a longer drain time to wait for the holders",
                Words.count(kept.size(), "lock"),
                first,
                kept.size() > NAMED ? " and others" : "");
    }

    private void drain(Duration limit) {
        CountDownLatch drained = new CountDownLatch(1);
        engine.drain(drained::countDown);
        await(drained, limit);
    }

    private void shutDown() {
        engine.shutDown(() -> {
            terminate();
            threads.shutDown();
        });
    }

    private void removeHook() {
        Thread registered = hook;
        if (registered != null) {
            try {
                Runtime.getRuntime().removeShutdownHook(registered);
            } catch (IllegalStateException jvmIsEnding) {
                // the hook then waits for this run
                return;
            }
        }
    }

    /** Waits, also if the thread is interrupted. Sets the interrupt flag again at the end. */
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
