package io.github.zklock.faults.timeline;

import io.github.zklock.LockKind;
import java.util.Comparator;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The parsed name of a seat. This code is independent of the engine, which is the system under test.
 *
 * @param node the path of the seat
 * @param folder the path of the lock's folder
 */
record SeatLabel(String node, String folder, LockKind kind, int permits, int of, long sequence) {

    /** The order in a queue: by number; a reader comes after the writer whose number it has kept. */
    static final Comparator<SeatLabel> IN_ORDER = Comparator.comparingLong(SeatLabel::sequence)
            .thenComparing(label -> label.kind() == LockKind.READ)
            .thenComparing(SeatLabel::node);

    private static final Pattern NAME = Pattern.compile(
            "(?<folder>.*)/[^/]*?(?<marker>lock-|latch-|__READ__|__WRIT__|permits-(?<permits>\\d+)-of-(?<of>\\d+)-)"
                    + "(?<sequence>\\d{10})");

    /** Returns empty if the node is no seat. */
    static Optional<SeatLabel> parse(String node) {
        Matcher name = NAME.matcher(node);
        if (!name.matches()) {
            return Optional.empty();
        }
        boolean permits = name.group("permits") != null;
        return Optional.of(new SeatLabel(
                node,
                name.group("folder"),
                kind(name.group("marker")),
                permits ? Integer.parseInt(name.group("permits")) : 1,
                permits ? Integer.parseInt(name.group("of")) : 1,
                Long.parseLong(name.group("sequence"))));
    }

    /**
     * Returns whether a grant of this can stand on the seat. A writer's seat also serves readers of the same process.
     */
    boolean serves(LockSpec spec) {
        return spec.permits() == permits
                && spec.of() == of
                && (spec.kind() == kind || (spec.kind() == LockKind.READ && kind == LockKind.WRITE));
    }

    /**
     * Returns whether both can be served at one time, if the permits suffice. Curator's writer can read beside itself.
     */
    boolean agreesWith(SeatLabel behind) {
        return switch (kind) {
            case EXCLUSIVE -> false;
            case WRITE -> behind.kind == LockKind.READ && behind.sequence == sequence;
            case READ -> behind.kind == LockKind.READ;
            case PERMITS -> behind.kind == LockKind.PERMITS;
        };
    }

    private static LockKind kind(String marker) {
        return switch (marker) {
            case "lock-", "latch-" -> LockKind.EXCLUSIVE;
            case "__READ__" -> LockKind.READ;
            case "__WRIT__" -> LockKind.WRITE;
            default -> LockKind.PERMITS;
        };
    }
}
