package io.github.zklock.faults.client;

import io.github.zklock.LockHandle;
import io.github.zklock.LockRegistry;
import io.github.zklock.faults.record.Event;
import io.github.zklock.faults.record.Event.Kind;
import java.time.Duration;
import java.util.Collection;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Locks that a process acquires in great numbers, and keeps until it ends. Only their number is reported. */
final class Hoard {

    private static final int AT_A_TIME = 256;
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    private final String source;
    private final Collection<LockHandle> handles = new ConcurrentLinkedQueue<>();
    private final AtomicInteger refused = new AtomicInteger();
    private final AtomicReference<String> refusal = new AtomicReference<>("");

    Hoard(String source) {
        this.source = source;
    }

    /** Acquires locks whose names have this length, and reports how many were granted when each call is answered. */
    void amass(LockRegistry registry, int count, int length) {
        new Thread(() -> amassNow(registry, count, length), "hoard").start();
    }

    private void amassNow(LockRegistry registry, int count, int length) {
        Semaphore calls = new Semaphore(AT_A_TIME);
        try {
            for (int i = 0; i < count; i++) {
                calls.acquire();
                String name = "%0" + length + "d";
                CompletableFuture<LockHandle> unused = registry.lock(name.formatted(i))
                        .acquireAsync(PATIENCE)
                        .whenComplete((handle, failure) -> {
                            count(handle, failure);
                            calls.release();
                        });
            }
            calls.acquire(AT_A_TIME);
            say(Kind.NOTED, "granted", handles.size(), "refused", refused, "refusal", refusal);
        } catch (InterruptedException | RuntimeException | Error e) {
            say(Kind.FAILED, "message", e);
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

    private void say(Kind kind, Object... keysAndValues) {
        System.out.println(Event.of(source, System.nanoTime(), kind, keysAndValues));
    }
}
