package io.github.zklock.zookeeper.internal.local;

import io.github.zklock.LockEvent;

/** The receiver of the engine's notifications. Its methods return at once and run no code of users on the loop. */
public interface Notifier {

    void tell(LockEvent event);

    /** Returns whether there is a listener; otherwise events need not be created. */
    default boolean isHeard() {
        return true;
    }

    /** The turn was lost: its loss actions must run. */
    void lost(Turn turn);

    /** The release was confirmed: {@link Turn#completeReleased} must be called. */
    void released(Turn turn);

    /** The release cannot be confirmed any more: {@link Turn#failReleased} must be called. */
    default void releaseUnseen(Turn turn) {}
}
