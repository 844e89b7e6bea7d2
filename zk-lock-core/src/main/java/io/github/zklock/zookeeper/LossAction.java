package io.github.zklock.zookeeper;

import java.util.concurrent.atomic.AtomicBoolean;

/** What a handle's owner wants done on a loss: run once, or cancelled, never both. */
final class LossAction {

    private final Runnable action;
    private final AtomicBoolean spent = new AtomicBoolean();

    LossAction(Runnable action) {
        this.action = action;
    }

    void run() {
        if (spent.compareAndSet(false, true)) {
            action.run();
        }
    }

    void cancel() {
        spent.set(true);
    }
}
