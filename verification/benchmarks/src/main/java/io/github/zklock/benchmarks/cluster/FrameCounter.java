package io.github.zklock.benchmarks.cluster;

import java.util.concurrent.atomic.LongAdder;

/** Counts the messages in one direction of a connection. */
final class FrameCounter {

    private static final int HEAD = 8;
    private static final int EVENT_XID = -1;
    /** A heartbeat, which the session needs without any lock. */
    private static final int PING_XID = -2;

    private final LongAdder messages;
    private final LongAdder events;
    private final LongAdder bytes;

    /** The length of a message and its number, as far as they have arrived. */
    private long head;

    private int headBytes;
    private int left;
    private boolean connected;

    /**
     * @param messages requests, or replies
     * @param bytes of these messages and events
     */
    FrameCounter(LongAdder messages, LongAdder events, LongAdder bytes) {
        this.messages = messages;
        this.events = events;
        this.bytes = bytes;
    }

    void accept(byte[] piece, int count) {
        int at = 0;
        while (at < count) {
            if (headBytes < HEAD) {
                head = head << Byte.SIZE | Byte.toUnsignedInt(piece[at]);
                at++;
                headBytes++;
                if (headBytes == HEAD) {
                    begin((int) (head >>> Integer.SIZE), (int) head);
                }
            } else {
                int more = Math.min(count - at, left);
                at += more;
                left -= more;
            }
            if (headBytes == HEAD && left == 0) {
                headBytes = 0;
            }
        }
    }

    private void begin(int length, int xid) {
        left = length - Integer.BYTES;
        // the first message of a connection opens the session, and has no number
        if (connected && xid != PING_XID) {
            (xid == EVENT_XID ? events : messages).increment();
            bytes.add(Integer.BYTES + length);
        }
        connected = true;
    }
}
