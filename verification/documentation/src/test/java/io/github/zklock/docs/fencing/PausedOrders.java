package io.github.zklock.docs.fencing;

import java.time.LocalDate;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;

/** Orders during whose reading the world goes on, as it does while a process is paused. */
final class PausedOrders implements Orders {

    static final long TOTAL = 7;

    private final AtomicReference<Runnable> meanwhile = new AtomicReference<>(() -> {});

    /** What happens while the next caller reads: elsewhere, so on a thread that has neither its lock nor its transaction. */
    void meanwhile(Runnable action) {
        meanwhile.set(action);
    }

    @Override
    public long totalOf(LocalDate day) {
        CompletableFuture.runAsync(meanwhile.getAndSet(() -> {})).join();
        return TOTAL;
    }
}
