package io.github.zklock.faults.timeline;

/** What other users of a shared ZooKeeper client can do to it. */
public enum Disruption {
    /** The client gives up its session and begins another one. */
    RESET,
    /** Another client closes the session. */
    FOREIGN_CLOSE
}
