package io.github.zklock.benchmarks.cluster;

/** The kinds of messages between client and server. */
enum MessageKind {
    REQUEST,
    EVENT,
    /** A heartbeat, which the session needs without any lock. */
    PING,
    /** The first message of each connection, which has no number. */
    CONNECT;

    private static final int EVENT_XID = -1;
    private static final int PING_XID = -2;

    /** Returns the kind by the number of a request, reply, event or ping. */
    static MessageKind of(int xid) {
        return switch (xid) {
            case EVENT_XID -> EVENT;
            case PING_XID -> PING;
            default -> REQUEST;
        };
    }
}
