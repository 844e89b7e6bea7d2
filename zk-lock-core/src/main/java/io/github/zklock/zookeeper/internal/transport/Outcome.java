package io.github.zklock.zookeeper.internal.transport;

/** The outcome of a request to ZooKeeper. */
public enum Outcome {
    OK,
    NO_NODE,
    NODE_EXISTS,
    /** The connection was lost. The request may have been executed. A new connection is needed. */
    CONNECTION_LOST,
    /** There was no answer in time, or the server is read-only. The request may have been executed. */
    UNKNOWN,
    /** The session has ended, as reported by the server or concluded by this client. */
    SESSION_ENDED,
    /** An access list forbids the request. */
    ACCESS_DENIED,
    /** The session is known to one server only, which does not let it own ephemeral nodes. */
    LOCAL_SESSION,
    /** The server rejected the request, and a further attempt would fail as well. */
    REFUSED,
    /** The client did not send the request: an invalid path, or no access list for it. */
    NOT_SENT,
    /** The client did not send the request, because it is not known whether the create before it was executed. */
    HELD_BACK;

    /** Returns whether the request was sent. If not, its outcome proves nothing about the servers. */
    public boolean isOfSentRequest() {
        return this != NOT_SENT && this != HELD_BACK;
    }

    /** Returns whether the request may have been executed without a confirmation. */
    public boolean isUnknown() {
        return this == CONNECTION_LOST || this == UNKNOWN || this == SESSION_ENDED;
    }
}
