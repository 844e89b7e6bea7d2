package com.example.ordershop.demo.page;

import io.github.zklock.event.LockLostEvent;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;

/** The latest locks that this instance has lost, from the events of zk-lock. */
@Component
class LockLosses {

    record Loss(String name, String reason, Instant at) {}

    private static final int KEPT = 20;

    private final Deque<Loss> latest = new ArrayDeque<>(); // guarded by itself

    @EventListener
    void add(LockLostEvent event) {
        synchronized (latest) {
            latest.addFirst(new Loss(event.name().value(), event.reason(), Instant.now()));
            if (latest.size() > KEPT) {
                latest.removeLast();
            }
        }
    }

    /** Returns the losses, latest first. */
    List<Loss> latest() {
        synchronized (latest) {
            return List.copyOf(latest);
        }
    }
}
