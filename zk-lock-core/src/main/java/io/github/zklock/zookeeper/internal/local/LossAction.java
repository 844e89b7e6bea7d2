package io.github.zklock.zookeeper.internal.local;

import java.util.concurrent.atomic.AtomicBoolean;

/** An action for the loss of a lock. It is run once or cancelled, never both. */
public final class LossAction {

    private final Runnable action;
    private final AtomicBoolean spent = new AtomicBoolean();

    public LossAction(Runnable action) {
        this.action = action;
    }

    public void run() {
        if (spent.compareAndSet(false, true)) {
            action.run();
        }
    }

    public void cancel() {
        spent.set(true);
    }
}
