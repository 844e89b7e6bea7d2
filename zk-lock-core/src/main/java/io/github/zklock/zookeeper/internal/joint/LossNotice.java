package io.github.zklock.zookeeper.internal.joint;

import io.github.zklock.LockHandle;
import io.github.zklock.Registration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;

/** An action for the first loss among several locks. It is run once or cancelled, never both. */
final class LossNotice {

    private final Runnable action;
    private final AtomicBoolean spent = new AtomicBoolean();
    private final List<Registration> registrations = new CopyOnWriteArrayList<>();

    LossNotice(Runnable action) {
        this.action = action;
    }

    void watch(LockHandle part) {
        registrations.add(part.onLost(this::run));
    }

    void cancel() {
        spent.set(true);
        registrations.forEach(Registration::close);
    }

    private void run() {
        if (spent.compareAndSet(false, true)) {
            action.run();
        }
    }
}
