package io.github.zklock.zookeeper.internal.transport;

/** How a request to ZooKeeper ended. */
public enum Outcome {
    OK,
    NO_NODE,
    NODE_EXISTS,
    /** The connection was lost: the request may or may not have been carried out. A new connection is needed. */
    CONNECTION_LOST,
    /** No answer in time, or the server is read-only: the request may or may not have been carried out. */
    UNKNOWN,
    /** The session is over, by the server's word or by this side's own opinion. */
    SESSION_ENDED,
    /** An access list forbids it. */
    ACCESS_DENIED,
    /** Refused for a reason that asking again will not change. */
    REFUSED,
    /** The client did not take the request: an invalid path, or no access list for it. */
    NOT_SENT;

    /** Whether the request may have been carried out although nobody says so. */
    public boolean isUnknown() {
        return this == CONNECTION_LOST || this == UNKNOWN || this == SESSION_ENDED;
    }
}
