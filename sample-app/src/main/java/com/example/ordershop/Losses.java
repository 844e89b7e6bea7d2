package com.example.ordershop;

import io.github.zklock.event.LockLostEvent;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;

/** The locks that this instance has lost lately, as zk-lock has told the application. */
@Component
class Losses {

    /** A lock that was taken from this instance, or whose session was over. */
    record Loss(String name, String reason, Instant at) {}

    private static final int KEPT = 20;

    private final Deque<Loss> latest = new ArrayDeque<>(); // guarded by itself

    @EventListener
    void lost(LockLostEvent event) {
        synchronized (latest) {
            latest.addFirst(new Loss(event.name().value(), event.reason(), Instant.now()));
            if (latest.size() > KEPT) {
                latest.removeLast();
            }
        }
    }

    /** Latest first. */
    List<Loss> latest() {
        synchronized (latest) {
            return List.copyOf(latest);
        }
    }
}
