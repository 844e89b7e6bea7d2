package io.github.zklock.faults.timeline;

import io.github.zklock.LockKind;
import java.util.Comparator;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What the name of a seat says of it. Written anew here and not taken from the engine, which is on trial.
 *
 * @param node its path
 * @param folder of its lock
 */
record SeatLabel(String node, String folder, LockKind kind, int permits, int of, long sequence) {

    /** In a queue: by number, and a reader behind the writer whose number it has taken over. */
    static final Comparator<SeatLabel> IN_ORDER = Comparator.comparingLong(SeatLabel::sequence)
            .thenComparing(label -> label.kind() == LockKind.READ)
            .thenComparing(SeatLabel::node);

    private static final Pattern NAME = Pattern.compile(
            "(?<folder>.*)/[^/]*?(?<marker>lock-|__READ__|__WRIT__|permits-(?<permits>\\d+)-of-(?<of>\\d+)-)"
                    + "(?<sequence>\\d{10})");

    /** Empty if the node is no seat. */
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

    /** Whether a grant of this may stand on it. A writer's seat is good for readers of the same process, too. */
    boolean serves(LockSpec spec) {
        return spec.permits() == permits
                && spec.of() == of
                && (spec.kind() == kind || (spec.kind() == LockKind.READ && kind == LockKind.WRITE));
    }

    /** Whether both can be served at one time, if there are enough permits. Curator's writer reads beside itself. */
    boolean agreesWith(SeatLabel behind) {
        return switch (kind) {
            case EXCLUSIVE -> false;
            case WRITE -> behind.kind == LockKind.READ && behind.sequence == sequence;
            case READ -> behind.kind == LockKind.READ;
            case PERMITS -> behind.kind == LockKind.PERMITS && behind.of == of;
        };
    }

    private static LockKind kind(String marker) {
        return switch (marker) {
            case "lock-" -> LockKind.EXCLUSIVE;
            case "__READ__" -> LockKind.READ;
            case "__WRIT__" -> LockKind.WRITE;
            default -> LockKind.PERMITS;
        };
    }
}
