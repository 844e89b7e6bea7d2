package io.github.zklock.zookeeper.internal.session;

import io.github.zklock.zookeeper.internal.queue.Demand;
import io.github.zklock.zookeeper.internal.queue.SeatName;
import io.github.zklock.zookeeper.internal.runtime.EngineLog;
import io.github.zklock.zookeeper.internal.runtime.Isolated;
import org.slf4j.Logger;

/**
 * The bytes of the paths of all nodes that one session has in queues, or may have. A node counts from the request that
 * creates it until it is known to be deleted. Owned by the loop.
 */
public final class SeatBudget {

    /*
     * A server deletes all nodes of a session in one transaction, which contains their paths (PrepRequestProcessor,
     * closeSession; CloseSessionTxn). A record that is longer than jute.maxbuffer and its extra size is written, but no
     * server can read it (BinaryInputArchive.checkLength): followers close the connection to the leader, and no server
     * starts from its log (ZOOKEEPER-4306). Invariant: a session never owns more than fits into such a record. (L24)
     *
     * Not counted: nodes that other code, or another registry, creates on the same client.
     */

    /** Half of the limit of jute.maxbuffer without its extra size. */
    public static final long DEFAULT_BYTES = 512 * 1024;

    /** The space of a record with the servers' defaults, less the space of its header. */
    public static final long MOST_BY_DEFAULT = 0xfffff - 16 * 1024;

    private static final Logger LOG = EngineLog.of(SeatBudget.class);

    private static final int LENGTH_BYTES = 4;
    private static final int SEQUENCE_DIGITS = 10;

    private int seats;
    private long bytes;
    private boolean warned;

    public int seats() {
        return seats;
    }

    public long bytes() {
        return bytes;
    }

    /** Returns the bytes that a seat in this folder takes, with the prefix that the client adds to paths. */
    public static int bytesOf(int prefixBytes, String folder, Demand demand) {
        return prefixBytes + utf8Length(folder) + 1 + SeatName.stemLength(demand) + SEQUENCE_DIGITS + LENGTH_BYTES;
    }

    /** Returns the length of the text in UTF-8. Does not allocate. */
    public static int utf8Length(String text) {
        int length = text.length();
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (Character.isSurrogate(c)) {
                // a pair of surrogates takes four bytes
                length++;
            } else if (c >= 0x800) {
                length += 2;
            } else if (c >= 0x80) {
                length++;
            }
        }
        return length;
    }

    /**
     * Returns whether a seat of this size fits into the limit. Logs a warning when four fifths of the limit are used.
     */
    public boolean admits(int wanted, long limit) {
        long then = bytes + wanted;
        if (then * 10 < limit * 7) {
            warned = false;
        } else if (then * 10 >= limit * 8 && !warned) {
            warned = true;
            Isolated.run(() -> LOG.warn(
                    "{} seats take {} of the {} bytes that one session may use; beyond that, locks are not acquired."
                            + " Hold fewer locks, use shorter names or several registries with a client each, or raise"
                            + " jute.maxbuffer on all servers and then the seat budget",
                    seats,
                    bytes,
                    limit));
        }
        return then <= limit;
    }

    public void take(int taken) {
        seats++;
        bytes += taken;
    }

    public void giveBack(int taken) {
        seats--;
        bytes -= taken;
    }
}
