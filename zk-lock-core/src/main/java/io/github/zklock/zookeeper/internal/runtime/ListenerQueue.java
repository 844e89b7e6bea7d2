package io.github.zklock.zookeeper.internal.runtime;

import io.github.zklock.LockEvent;
import io.github.zklock.LockListener;
import java.util.Queue;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;

/** One listener and the events that it has not received yet: bounded, in order, one at a time. */
public final class ListenerQueue {

    public static final int CAPACITY = 1024;

    private static final Logger LOG = EngineLog.of(ListenerQueue.class);

    private final LockListener listener;
    private final Executor executor;
    private final Queue<LockEvent> events = new ArrayBlockingQueue<>(CAPACITY);
    /** Whether a thread empties the queue now. */
    private final AtomicBoolean emptying = new AtomicBoolean();

    private final AtomicBoolean overrun = new AtomicBoolean();

    public ListenerQueue(LockListener listener, Executor executor) {
        this.listener = listener;
        this.executor = executor;
    }

    public void offer(LockEvent event) {
        if (!events.offer(event) && overrun.compareAndSet(false, true)) {
            LOG.warn(
                    "Listener {} is slower than its events: more than {} wait, and further events are dropped",
                    listener,
                    CAPACITY);
        }
        if (emptying.compareAndSet(false, true)) {
            try {
                executor.execute(this::empty);
            } catch (Throwable error) {
                // the next event tries again
                emptying.set(false);
                LOG.warn("Listener {} cannot be called at the moment", listener, error);
            }
        }
    }

    private void empty() {
        do {
            for (LockEvent event = events.poll(); event != null; event = events.poll()) {
                tell(event);
            }
            emptying.set(false);
            // if an event was offered just before the flag was cleared, no other thread delivers it
        } while (!events.isEmpty() && emptying.compareAndSet(false, true));
    }

    private void tell(LockEvent event) {
        try {
            listener.onEvent(event);
        } catch (Throwable error) {
            LOG.warn("Listener {} failed on {}", listener, event, error);
        }
    }
}
