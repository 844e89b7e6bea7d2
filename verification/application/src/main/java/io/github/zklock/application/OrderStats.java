package io.github.zklock.application;

import io.github.zklock.LockContext;
import io.github.zklock.LockHandle;
import io.github.zklock.annotation.DistributedLock;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.stereotype.Service;

/** Statistics that two at once would spoil. */
@Service
public class OrderStats {

    private final AtomicInteger running = new AtomicInteger();

    /** Says under which lock it ran, and whether it was alone. */
    @DistributedLock("/order-stats")
    public String recompute() {
        boolean alone = running.incrementAndGet() == 1;
        LockHandle held = LockContext.current("/order-stats").orElseThrow();
        held.ensureHeld();
        running.decrementAndGet();
        return held.name() + (alone ? " alone" : " NOT ALONE");
    }
}
