package io.github.zklock.zookeeper;

import io.github.zklock.LockKind;
import io.github.zklock.zookeeper.WireSession.Node;
import java.util.Optional;

/**
 * The name of a node that stands in a lock's queue, as Curator's recipes write it: {@code _c_<uuid>-lock-<sequence>},
 * with {@code __READ__} or {@code __WRIT__} in place of {@code lock-} for the two kinds of a read/write lock.
 *
 * @param id the uuid, or the whole name where a foreign client made it without one
 */
record SeatName(String node, String id, LockKind kind, long sequence) {

    private static final int DIGITS = 10;
    private static final String PREFIX = "_c_";
    private static final int UUID_LENGTH = 36;

    /** What the node of this seat begins with; the server appends the sequence. */
    static String stem(String id) {
        return PREFIX + id + "-lock-";
    }

    /** The name of a node that was created as a seat. */
    static SeatName of(Node node) {
        String path = node.path();
        return parse(path.substring(path.lastIndexOf('/') + 1))
                .orElseThrow(() -> new IllegalStateException("Node " + path + " is no seat"));
    }

    /** Reads the name of a child of a lock's folder; empty if it is no seat. */
    static Optional<SeatName> parse(String node) {
        int end = node.length() - DIGITS;
        if (end <= 0) {
            return Optional.empty();
        }
        for (int i = end; i < node.length(); i++) {
            if (node.charAt(i) < '0' || node.charAt(i) > '9') {
                return Optional.empty();
            }
        }
        return kindBefore(node, end).flatMap(kind -> {
            int owner = end - marker(kind).length();
            boolean anonymous = owner == 0;
            boolean named = owner == PREFIX.length() + UUID_LENGTH + 1
                    && node.startsWith(PREFIX)
                    && node.charAt(owner - 1) == '-';
            return anonymous || named
                    ? Optional.of(new SeatName(
                            node,
                            named ? node.substring(PREFIX.length(), owner - 1) : node,
                            kind,
                            Long.parseLong(node.substring(end))))
                    : Optional.empty();
        });
    }

    private static Optional<LockKind> kindBefore(String node, int end) {
        for (LockKind kind : LockKind.values()) {
            String marker = marker(kind);
            if (node.startsWith(marker, end - marker.length())) {
                return Optional.of(kind);
            }
        }
        return Optional.empty();
    }

    private static String marker(LockKind kind) {
        return switch (kind) {
            case EXCLUSIVE -> "lock-";
            case READ -> "__READ__";
            case WRITE -> "__WRIT__";
        };
    }
}
