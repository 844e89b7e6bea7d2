package io.github.zklock.benchmarks.cluster;

/** Counts the messages in one direction of a connection. */
final class FrameCounter {

    private static final int HEAD = 8;
    private static final int XID_BYTES = 4;

    private final TrafficCounter counter;

    /** The length of a message and its number, as far as they have arrived. */
    private long head;

    private int headBytes;
    private int left;
    private boolean connected;

    FrameCounter(TrafficCounter counter) {
        this.counter = counter;
    }

    void accept(byte[] bytes, int count) {
        int at = 0;
        while (at < count) {
            if (headBytes < HEAD) {
                head = head << Byte.SIZE | Byte.toUnsignedInt(bytes[at]);
                at++;
                headBytes++;
                if (headBytes == HEAD) {
                    begin();
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

    private void begin() {
        int length = (int) (head >>> Integer.SIZE);
        left = length - XID_BYTES;
        counter.add(connected ? MessageKind.of((int) head) : MessageKind.CONNECT, Integer.BYTES + length);
        connected = true;
    }
}
