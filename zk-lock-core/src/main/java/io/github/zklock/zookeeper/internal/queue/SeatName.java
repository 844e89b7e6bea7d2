package io.github.zklock.zookeeper.internal.queue;

import io.github.zklock.LockKind;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The name of a node in a lock's queue, as Curator's recipes write it: {@code _c_<uuid>-lock-<sequence>}, with {@code
 * __READ__} or {@code __WRIT__} in place of {@code lock-} for the two kinds of a read/write lock. The names of a
 * semaphore's seats, {@code _c_<uuid>-permits-<wanted>-of-<all>-<sequence>}, are specific to this library.
 *
 * @param id the uuid, or the whole name if another client created it without a uuid
 */
public record SeatName(String node, String id, Demand demand, long sequence) implements Comparable<SeatName> {

    /**
     * The sequence from which a create is rejected: at 2^31-1 the server's counter sticks, and seats could not be
     * distinguished.
     */
    private static final long LAST_SEQUENCE = 2_000_000_000L;

    private static final int UUID_LENGTH = 36;

    private static final String PREFIX = "_c_";
    private static final int SEQUENCE_LENGTH = 10;
    private static final int MOST_DIGITS = 5;
    private static final String PERMITS = "permits-";
    private static final String OF = "-of-";

    /** The version of UUIDs with a meaning of their creator's (RFC 9562, 5.8). Curator's are random: version 4. */
    private static final char CUSTOM = '8';

    /** Returns the beginning of the node's name; the server appends the sequence. */
    public static String stem(String id, Demand demand) {
        return PREFIX + id + "-"
                + switch (demand.kind()) {
                    case EXCLUSIVE -> "lock-";
                    case READ -> "__READ__";
                    case WRITE -> "__WRIT__";
                    case PERMITS -> PERMITS + demand.permits() + OF + demand.of() + "-";
                };
    }

    /** Returns the length of {@link #stem}, which is ASCII, for an id that is a UUID. */
    public static int stemLength(Demand demand) {
        int fixed = PREFIX.length() + UUID_LENGTH + 1;
        return fixed
                + switch (demand.kind()) {
                    case EXCLUSIVE -> "lock-".length();
                    case READ, WRITE -> "__READ__".length();
                    case PERMITS -> PERMITS.length() + OF.length() + 1 + digits(demand.permits()) + digits(demand.of());
                };
    }

    private static int digits(int number) {
        int digits = 1;
        for (int rest = number / 10; rest > 0; rest /= 10) {
            digits++;
        }
        return digits;
    }

    /** Returns the name of a node that was created as a seat. */
    public static SeatName ofPath(String path) {
        return parse(path.substring(path.lastIndexOf('/') + 1))
                .orElseThrow(() -> new IllegalStateException("Node " + path + " is no seat"));
    }

    /** Returns the path of the node in its lock's folder. */
    public String pathIn(String folder) {
        return folder + "/" + node;
    }

    /** Compares the places in the queue: seats are served in this order. */
    @Override
    public int compareTo(SeatName other) {
        if (sequence != other.sequence) {
            return sequence < other.sequence ? -1 : 1;
        }
        if (node.equals(other.node)) {
            return 0;
        }
        boolean reads = demand.kind() == LockKind.READ;
        if (reads != (other.demand.kind() == LockKind.READ)) {
            return reads ? 1 : -1;
        }
        // the server's counter may be stuck (M7)
        return node.compareTo(other.node);
    }

    /** The node determines the other components. */
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof SeatName seat && seat.node.equals(node);
    }

    @Override
    public int hashCode() {
        return node.hashCode();
    }

    /** Returns this id as that of a seat that may linger. (L30) */
    public static String lingering(String id) {
        return id.substring(0, SeatIds.VERSION_AT) + CUSTOM + id.substring(SeatIds.VERSION_AT + 1);
    }

    /** Returns whether the seat may linger. If so, its data states whether it is idle. (L30) */
    public boolean mayLinger() {
        return id.length() == UUID_LENGTH && id.charAt(SeatIds.VERSION_AT) == CUSTOM;
    }

    /**
     * Returns whether the sequence is no longer reliable, because the server's counter is near its end or beyond. (M7)
     */
    public boolean isPastTheLast() {
        return sequence >= LAST_SEQUENCE || sequence < 0;
    }

    /** Reads the name of a child of a lock's folder; empty if it is no seat. */
    public static Optional<SeatName> parse(String node) {
        int end = node.length() - SEQUENCE_LENGTH;
        if (end <= 0 || numberAt(node, end, node.length()) < 0) {
            return Optional.empty();
        }
        SeatName seat = parse(node, end, end);
        if (seat == null && node.charAt(end - 1) == '-') {
            // beyond 2^31-1 servers give negative numbers to creates that arrive together: such seats have to be found
            // and deleted (M7)
            seat = parse(node, end - 1, end);
        }
        return Optional.ofNullable(seat);
    }

    /**
     * Parses a name that ends with ten digits.
     *
     * @param stemEnd where the stem ends; the sign of a negative sequence follows
     * @param digits where the digits of the sequence begin
     */
    private static @Nullable SeatName parse(String node, int stemEnd, int digits) {
        int idEnd = PREFIX.length() + UUID_LENGTH;
        boolean named = node.startsWith(PREFIX) && idEnd < stemEnd && node.charAt(idEnd) == '-';
        Demand demand = named ? demandOf(node, idEnd + 1, stemEnd) : kindOf(node, 0, stemEnd);
        if (demand == null) {
            return null;
        }
        long sequence = numberAt(node, digits, node.length());
        return new SeatName(
                node,
                named ? node.substring(PREFIX.length(), idEnd) : node,
                demand,
                stemEnd < digits ? -sequence : sequence);
    }

    private static @Nullable Demand demandOf(String node, int from, int to) {
        Demand kind = kindOf(node, from, to);
        if (kind != null || !node.startsWith(PERMITS, from)) {
            return kind;
        }
        int of = node.indexOf(OF, from);
        if (of < 0 || of + OF.length() >= to || node.charAt(to - 1) != '-') {
            return null;
        }
        long permits = countAt(node, from + PERMITS.length(), of);
        long all = countAt(node, of + OF.length(), to - 1);
        return permits > 0 && all > 0 ? Demand.permits((int) permits, (int) all) : null;
    }

    private static @Nullable Demand kindOf(String node, int from, int to) {
        int length = to - from;
        if (length == "lock-".length() && node.startsWith("lock-", from)) {
            return Demand.EXCLUSIVE;
        } else if (length == "__READ__".length() && node.startsWith("__READ__", from)) {
            return Demand.READ;
        }
        return length == "__WRIT__".length() && node.startsWith("__WRIT__", from) ? Demand.WRITE : null;
    }

    /** Returns a number from 1 on without leading zeros; -1 if there is none. */
    private static long countAt(String node, int from, int to) {
        return to <= from || to - from > MOST_DIGITS || node.charAt(from) == '0' ? -1 : numberAt(node, from, to);
    }

    /** Returns the number; -1 if there are other characters than digits. */
    private static long numberAt(String node, int from, int to) {
        long number = 0;
        for (int i = from; i < to; i++) {
            char c = node.charAt(i);
            if (c < '0' || c > '9') {
                return -1;
            }
            number = 10 * number + c - '0';
        }
        return number;
    }

    /** Returns the place of this write seat in the queue as that of a read seat, which is right behind it. */
    public SeatName asReader() {
        // by default, some languages have digits that ZooKeeper does not use, and no client would parse the name
        String node = String.format(Locale.ROOT, "%s%010d", stem(id, Demand.READ), sequence);
        return new SeatName(node, id, Demand.READ, sequence);
    }
}
