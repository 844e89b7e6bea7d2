package io.github.zklock.test;

import java.util.concurrent.atomic.AtomicBoolean;

/** What somebody wants done on a loss: it is run once, or called off. */
final class LossAction implements Runnable {

    private final Runnable action;
    private final AtomicBoolean spent = new AtomicBoolean();

    LossAction(Runnable action) {
        this.action = action;
    }

    @Override
    public void run() {
        if (spent.compareAndSet(false, true)) {
            action.run();
        }
    }

    void callOff() {
        spent.set(true);
    }
}
