package io.github.zklock.faults.client;

import io.github.zklock.LockHandle;
import io.github.zklock.LockRegistry;
import io.github.zklock.faults.timeline.Event.Kind;
import java.time.Duration;
import java.util.Collection;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Very many locks that a process acquires and keeps until it ends. Only their number is reported. */
final class MassAcquisition {

    private static final int AT_A_TIME = 256;
    private static final Duration MAX_WAIT = Duration.ofMinutes(5);

    private final ClientConfig config;
    private final Collection<LockHandle> handles = new ConcurrentLinkedQueue<>();
    private final AtomicInteger refused = new AtomicInteger();
    private final AtomicReference<String> refusal = new AtomicReference<>("");

    MassAcquisition(ClientConfig config) {
        this.config = config;
    }

    /** Acquires locks with names of this length, and reports the number of grants when all calls are answered. */
    void acquire(LockRegistry registry, int count, int length) {
        new Thread(() -> acquireAll(registry, count, length), "hoard").start();
    }

    private void acquireAll(LockRegistry registry, int count, int length) {
        Semaphore calls = new Semaphore(AT_A_TIME);
        try {
            for (int i = 0; i < count; i++) {
                calls.acquire();
                String name = "%0" + length + "d";
                CompletableFuture<LockHandle> unused = registry.lock(name.formatted(i))
                        .acquireAsync(MAX_WAIT)
                        .whenComplete((handle, failure) -> {
                            count(handle, failure);
                            calls.release();
                        });
            }
            calls.acquire(AT_A_TIME);
            config.report(Kind.NOTED, "granted refused refusal", handles.size(), refused, refusal);
        } catch (InterruptedException | RuntimeException | Error e) {
            config.report(Kind.FAILED, "message", e);
        }
    }

    private void count(LockHandle handle, @Nullable Throwable failure) {
        if (failure == null) {
            handles.add(handle);
        } else {
            refused.incrementAndGet();
            refusal.set(String.valueOf(failure.getMessage()));
        }
    }
}
