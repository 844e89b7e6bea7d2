package io.github.zklock.faults.client;

import io.github.zklock.LockHandle;
import io.github.zklock.faults.timeline.LockSpec;

/** What every method of the application does besides its work. */
final class SpringClientDuty {

    private final SpringClientListeners listeners;
    private final SpringClientCounter counter;

    SpringClientDuty(SpringClientListeners listeners, SpringClientCounter counter) {
        this.listeners = listeners;
        this.counter = counter;
    }

    /** Before the work, so that its own listener comes second. */
    void begin(LockHandle handle) {
        handle.onLost(listeners::notified);
    }

    /** After the work, and still under the lock. */
    void end(LockSpec spec) {
        if (spec.lock().equals(LockSpec.USUAL_LOCK)) {
            counter.increment();
        }
    }
}
