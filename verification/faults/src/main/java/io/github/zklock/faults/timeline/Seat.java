package io.github.zklock.faults.timeline;

import java.util.OptionalLong;

/**
 * One seat, as the servers' transaction logs describe it.
 *
 * @param number the transaction that created the seat
 * @param node its path at its creation
 * @param servedAt when its turn came
 * @param openAt when no seat of another session blocked it any more: a process may pass the lock on among its own seats
 * @param how how it ended; meaningless before its end
 */
public record Seat(
        long number,
        String session,
        String node,
        long madeAt,
        OptionalLong servedAt,
        OptionalLong openAt,
        OptionalLong endedAt,
        SeatEnd how) {

    /** Returns whether a grant of this can stand on the seat. */
    public boolean serves(LockSpec spec) {
        return SeatLabel.parse(node).filter(label -> label.serves(spec)).isPresent();
    }

    /** Returns whether the seat stands behind the other one in the queue of their lock. */
    public boolean isBehind(Seat other) {
        return SeatLabel.parse(node)
                .flatMap(own -> SeatLabel.parse(other.node).filter(label -> SeatLabel.IN_ORDER.compare(own, label) > 0))
                .isPresent();
    }

    public String folder() {
        return node.substring(0, node.lastIndexOf('/'));
    }

    /** Returns when the seat was taken from its owner; empty if its owner deleted it or still has it. */
    public OptionalLong takenAt() {
        return how == SeatEnd.RELEASED ? OptionalLong.empty() : endedAt;
    }
}
