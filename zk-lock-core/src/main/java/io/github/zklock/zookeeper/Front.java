package io.github.zklock.zookeeper;

/** The seat in front of a waiting one, or its folder, watched in order not to miss the turn. */
interface Front {

    /** The node that is watched. */
    String path();

    /** Sets the watch; also after a reconnect, when the event may have gone unseen. */
    void arm();

    /** Whether what is waited for may have happened unseen before the watch was set, so that the queue must be read again. */
    boolean mayHaveMissedSomething();

    void end();
}
