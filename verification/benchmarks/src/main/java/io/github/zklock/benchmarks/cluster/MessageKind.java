package io.github.zklock.benchmarks.cluster;

/** What a message between client and server is. */
enum MessageKind {
    REQUEST,
    EVENT,
    /** What keeps a session up, and is there without any lock. */
    PING,
    /** The first of each connection, which has no number. */
    CONNECT;

    private static final int EVENT_XID = -1;
    private static final int PING_XID = -2;

    /** By the number that a request, its reply, an event or a ping has. */
    static MessageKind of(int xid) {
        return switch (xid) {
            case EVENT_XID -> EVENT;
            case PING_XID -> PING;
            default -> REQUEST;
        };
    }
}
