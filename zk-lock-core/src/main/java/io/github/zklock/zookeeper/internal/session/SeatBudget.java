package io.github.zklock.zookeeper.internal.session;

import io.github.zklock.internal.Words;
import io.github.zklock.zookeeper.internal.queue.Demand;
import io.github.zklock.zookeeper.internal.queue.SeatName;
import io.github.zklock.zookeeper.internal.runtime.EngineLog;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;

/**
 * The bytes of the paths of all nodes that one session has in queues, or may have. A node counts from the request that
 * creates it until it is known to be deleted. Owned by the loop, except the sum of all registries that share the session.
 */
public final class SeatBudget {

    /*
     * A server deletes all nodes of a session in one transaction, which contains their paths (PrepRequestProcessor,
     * closeSession; CloseSessionTxn). A record that is longer than jute.maxbuffer and its extra size is written, but no
     * server can read it (BinaryInputArchive.checkLength): followers close the connection to the leader, and no server
     * starts from its log (ZOOKEEPER-4306). Invariant: a session never owns more than fits into such a record. (L24)
     *
     * Not counted: nodes that other code creates on the same client. Registries that share a client check the sum one
     * after the other, so they can exceed it together by one seat each.
     */

    /** Half of the limit of jute.maxbuffer without its extra size. */
    public static final long DEFAULT_BYTES = 512 * 1024;

    /** The space of a record with the servers' defaults, less the space of its header. */
    public static final long MOST_BY_DEFAULT = 0xfffff - 16 * 1024;

    private static final Logger LOG = EngineLog.of(SeatBudget.class);

    private static final int LENGTH_BYTES = 4;
    private static final int SEQUENCE_DIGITS = 10;

    /** The bytes of all registries of this process on the session. */
    private final AtomicLong all;

    private int seats;
    private long bytes;
    private boolean left;
    private boolean warned;

    /** @param all the bytes of all registries of this process on the session */
    public SeatBudget(AtomicLong all) {
        this.all = all;
    }

    /** Returns the number of this registry's seats. */
    public int seats() {
        return seats;
    }

    /** Returns the bytes of this registry's seats. */
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
     * Returns whether a seat of this size fits into the limit, together with the seats of other registries on the
     * session. Logs a warning when four fifths of the limit are used.
     */
    public boolean admits(int wanted, long limit) {
        long then = all.get() + wanted;
        if (then * 10 < limit * 7) {
            warned = false;
        } else if (then * 10 >= limit * 8 && !warned) {
            warned = true;
            LOG.warn(
                    "{} of the {} bytes that one session may use; beyond that, locks are not acquired."
                            + " Hold fewer locks, use shorter names or several registries with a client each, or raise"
                            + " jute.maxbuffer on all servers and then the seat budget",
                    use(),
                    limit);
        }
        return then <= limit;
    }

    /** Returns what the seats take, as the beginning of a sentence that states the limit. */
    String use() {
        long ofOthers = all.get() - bytes;
        return Words.count(seats, "seat")
                + (seats == 1 ? " takes " : " take ")
                + bytes
                + (ofOthers > 0 ? " bytes, and those of other registries on the same client " + ofOthers + "," : "");
    }

    public void take(int taken) {
        seats++;
        add(taken);
    }

    public void giveBack(int taken) {
        seats--;
        add(-taken);
    }

    private void add(int more) {
        bytes += more;
        if (!left) {
            all.addAndGet(more);
        }
    }

    /** Ends the count for other registries: this one does not use the session any more. */
    public void leave() {
        if (!left) {
            left = true;
            all.addAndGet(-bytes);
        }
    }
}
