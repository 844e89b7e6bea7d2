package io.github.zklock.faults.timeline;

/** What others that share a client may do to it. */
public enum Disruption {
    /** The client gives up its session and begins another. */
    RESET,
    /** Somebody else closes the session. */
    FOREIGN_CLOSE
}
