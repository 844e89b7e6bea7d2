package io.github.zklock;

/**
 * A receiver of the events of a registry's locks.
 *
 * <p>Each listener has a bounded queue of its own. One thread at a time calls it, in the order of events. ZooKeeper's
 * event thread does not call it, and the registry does not wait for it. If a listener is slower than its events, it
 * misses some of them, and the registry logs one warning. It does not delay other listeners or calls. To react to a loss
 * reliably, use {@link LockHandle#onLost(Runnable)}.
 */
@FunctionalInterface
public interface LockListener {

    /** Processes the event. The registry logs what this method throws. */
    void onEvent(LockEvent event);
}
