package io.github.zklock.zookeeper;

/** The seat in front of a waiting one, or its folder, watched in order not to miss the turn. */
interface Front {

    /** The node whose change is waited for. */
    String path();

    /** Begins to wait for it; also after a reconnect, when it may have happened unseen. */
    void arm();

    /** Whether it is waited for within this process, where no reconnection hides anything. */
    default boolean isOfThisProcess() {
        return false;
    }

    /** Whether what is waited for may have happened unseen before, so that the queue must be read again. */
    boolean mayHaveMissedSomething();

    /** Whether nothing more is to be expected of it, so that the queue must be read for another one. */
    boolean isOver();

    void end();
}
