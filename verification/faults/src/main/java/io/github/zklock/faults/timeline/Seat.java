package io.github.zklock.faults.timeline;

import java.util.OptionalLong;

/**
 * What the servers' records say of one seat.
 *
 * @param number of the transaction that made it
 * @param node its path when it was made
 * @param servedAt when it came to be among those at the front of its queue that are served
 * @param openAt when nobody of another session stood in its way any more: its own may pass the lock on from one to the next
 * @param how it ended, and no meaning if it has not
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

    /** Whether a grant of this may stand on it. */
    public boolean serves(LockSpec spec) {
        return SeatLabel.parse(node).filter(label -> label.serves(spec)).isPresent();
    }

    /** The folder of its lock. */
    public String folder() {
        return node.substring(0, node.lastIndexOf('/'));
    }

    /** When it was taken from its owner, by whomever; empty if its owner gave it back or has it still. */
    public OptionalLong takenAt() {
        return how == SeatEnd.RETURNED ? OptionalLong.empty() : endedAt;
    }
}
