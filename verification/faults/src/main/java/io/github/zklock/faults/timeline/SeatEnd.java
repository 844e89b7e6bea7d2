package io.github.zklock.faults.timeline;

/** How a seat ended, by the servers' transaction logs. */
public enum SeatEnd {
    /** Its own session deleted it. */
    RELEASED,
    /** Its own client closed its session. */
    CLOSED,
    /** Another session deleted it. */
    DELETED,
    /** The servers expired its session. */
    EXPIRED
}
