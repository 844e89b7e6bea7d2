package io.github.zklock;

/**
 * Is told what happens to the locks of a registry.
 *
 * <p>Each listener has a bounded queue of its own and is called by one thread at a time, in order, never by ZooKeeper's
 * event thread and never while the registry waits for it. One that is slower than its events loses some: they are
 * counted and warned of once. To act on a loss reliably use {@link LockHandle#onLost(Runnable)}.
 */
@FunctionalInterface
public interface LockListener {

    /** Takes note of the event. What it throws is logged. */
    void onEvent(LockEvent event);
}
