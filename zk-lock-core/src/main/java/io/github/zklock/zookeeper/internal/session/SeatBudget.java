package io.github.zklock.zookeeper.internal.session;

import io.github.zklock.zookeeper.internal.queue.Demand;
import io.github.zklock.zookeeper.internal.queue.SeatName;
import io.github.zklock.zookeeper.internal.runtime.EngineLog;
import io.github.zklock.zookeeper.internal.runtime.Isolated;
import org.slf4j.Logger;

/**
 * The bytes of the paths of all nodes that one session has in queues, or may have: from the request that creates a node
 * until the node is known to be gone. Owned by the loop.
 */
public final class SeatBudget {

    /*
     * A server deletes all nodes of a session in one transaction, which carries their paths (PrepRequestProcessor,
     * closeSession; CloseSessionTxn). A record that is longer than jute.maxbuffer and its extra size is written, and can be
     * read by nobody (BinaryInputArchive.checkLength): followers close the connection to the leader, and no server starts from
     * its log (ZOOKEEPER-4306). So a session must never own more than such a record takes. (L24)
     *
     * Not counted: nodes that others have made with a client that they share with this registry, other registries included.
     */

    /** Half of the limit of jute.maxbuffer, to which nothing is added for its extra size. */
    public static final long DEFAULT_BYTES = 512 * 1024;

    /** With the servers' defaults, what a record may have, less room for its header. */
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

    /** The bytes that a seat in this folder takes, below a prefix that the client puts in front of it. */
    public static int bytesOf(int prefixBytes, String folder, Demand demand) {
        return prefixBytes + utf8Length(folder) + 1 + SeatName.stemLength(demand) + SEQUENCE_DIGITS + LENGTH_BYTES;
    }

    /** The length of the text in UTF-8. Allocates nothing. */
    public static int utf8Length(String text) {
        int length = text.length();
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (Character.isSurrogate(c)) {
                // four bytes for two of them
                length++;
            } else if (c >= 0x800) {
                length += 2;
            } else if (c >= 0x80) {
                length++;
            }
        }
        return length;
    }

    /** Whether a seat of so many bytes fits into this limit. Warns when four fifths of it are used up. */
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
