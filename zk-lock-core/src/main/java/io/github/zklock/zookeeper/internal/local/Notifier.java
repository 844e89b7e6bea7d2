package io.github.zklock.zookeeper.internal.local;

import io.github.zklock.LockEvent;

/** Where the engine tells what happened. Returns at once; runs no code of users on the loop. */
public interface Notifier {

    void tell(LockEvent event);

    /** Whether anybody is told of events; if not, there is no need to make any. */
    default boolean isHeard() {
        return true;
    }

    /** The turn was lost: its loss actions are due. */
    void lost(Turn turn);

    /** The cluster has seen the release: {@link Turn#completeReleased} is due. */
    void released(Turn turn);

    /** Nobody will see the release: {@link Turn#failReleased} is due. */
    default void releaseUnseen(Turn turn) {}
}
