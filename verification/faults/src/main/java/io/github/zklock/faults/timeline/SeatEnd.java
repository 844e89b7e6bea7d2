package io.github.zklock.faults.timeline;

/** How a seat left its queue, by the servers' records. */
public enum SeatEnd {
    /** Its own session deleted it. */
    RETURNED,
    /** Its own session was closed by its client. */
    CLOSED,
    /** Somebody else deleted it. */
    DELETED,
    /** The servers ended its session, having not heard of it. */
    EXPIRED
}
