package io.github.zklock.faults.client;

import io.github.zklock.LockEvent;
import io.github.zklock.LockListener;
import io.github.zklock.OnDeadlock;
import io.github.zklock.faults.timeline.Event;
import io.github.zklock.faults.timeline.Event.Kind;
import java.util.Locale;

/** Reports the deadlocks that a registry of this process has found. */
record DeadlockReports(String source) implements LockListener {

    /** The property of a client process with the reaction of its registry to deadlocks. */
    private static final String REACTION = "faults.on-deadlock";

    static OnDeadlock reaction() {
        return OnDeadlock.valueOf(System.getProperty(REACTION, "warn").toUpperCase(Locale.ROOT));
    }

    @Override
    public void onEvent(LockEvent event) {
        if (event instanceof LockEvent.Deadlocked deadlock) {
            System.out.println(Event.of(
                    source,
                    System.nanoTime(),
                    Kind.DEADLOCK,
                    "lock",
                    deadlock.name().value().substring(1),
                    "rejected",
                    deadlock.rejected(),
                    "circle",
                    deadlock.circle()));
        }
    }
}
