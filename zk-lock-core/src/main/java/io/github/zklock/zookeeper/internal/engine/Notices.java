package io.github.zklock.zookeeper.internal.engine;

import io.github.zklock.LockEvent;
import io.github.zklock.LockListener;
import io.github.zklock.Registration;
import io.github.zklock.zookeeper.internal.local.Notifier;
import io.github.zklock.zookeeper.internal.local.Turn;
import io.github.zklock.zookeeper.internal.runtime.Isolated;
import io.github.zklock.zookeeper.internal.runtime.ListenerQueue;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;

/**
 * The delivery of notifications to code of users, off the loop. Each listener has its own queue; loss actions run at
 * once.
 */
final class Notices implements Notifier {

    private final Executor losses;
    private final Executor callbacks;
    private final List<ListenerQueue> listeners = new CopyOnWriteArrayList<>();

    Notices(Executor losses, Executor callbacks) {
        this.losses = losses;
        this.callbacks = callbacks;
    }

    Registration add(LockListener listener) {
        ListenerQueue queue = new ListenerQueue(listener, callbacks);
        listeners.add(queue);
        return () -> listeners.remove(queue);
    }

    @Override
    public void tell(LockEvent event) {
        for (ListenerQueue listener : listeners) {
            listener.offer(event);
        }
    }

    @Override
    public boolean isHeard() {
        return !listeners.isEmpty();
    }

    @Override
    public void lost(Turn turn) {
        Isolated.forEach(turn.lossActions(), action -> losses.execute(action::run));
    }

    @Override
    public void releaseUnseen(Turn turn) {
        turn.failReleased(callbacks);
    }

    @Override
    public void released(Turn turn) {
        turn.completeReleased(callbacks);
    }
}
