package io.github.zklock.faults.client;

import io.github.zklock.LockEvent;
import io.github.zklock.LockListener;
import io.github.zklock.event.LockLostEvent;
import java.util.concurrent.CountDownLatch;
import org.springframework.context.event.EventListener;

/** The listeners of the application. They return at once until they are made to block or to throw. */
final class SpringClientListeners implements LockListener {

    private enum Mode {
        RETURNING,
        BLOCKING,
        FAILING,
        FAILING_BY_ERROR
    }

    private final CountDownLatch never = new CountDownLatch(1);

    private volatile Mode mode = Mode.RETURNING;

    void block() {
        mode = Mode.BLOCKING;
    }

    void fail() {
        mode = Mode.FAILING;
    }

    void failByError() {
        mode = Mode.FAILING_BY_ERROR;
    }

    @Override
    public void onEvent(LockEvent event) {
        notified();
    }

    @EventListener
    void onLoss(LockLostEvent event) {
        notified();
    }

    void notified() {
        switch (mode) {
            case RETURNING -> {
                // nothing to do
            }
            case BLOCKING -> sleepForEver();
            case FAILING -> throw new IllegalStateException("A listener that fails");
            case FAILING_BY_ERROR -> throw new OutOfMemoryError("A listener that fails by an Error");
        }
    }

    private void sleepForEver() {
        while (true) {
            try {
                never.await();
            } catch (InterruptedException ignored) {
                // blocks even if interrupted
            }
        }
    }
}
