package io.github.zklock.faults.check;

import io.github.zklock.faults.timeline.Hold;
import io.github.zklock.faults.timeline.Timeline;
import java.util.HashMap;
import java.util.Map;

/**
 * Tokens of exclusive and write grants of a lock increase in the order of the grants, and none occurs twice. Tokens of
 * readers and permits are not compared. A grant whose handle never answered "held", because its process was paused, has
 * no place in the order, nor has one on a seat that an operator had deleted.
 */
public final class K2Tokens extends Checker {

    public K2Tokens(Timeline timeline) {
        super(timeline);
    }

    @Override
    void check() {
        Map<String, Map<Long, Hold>> byToken = new HashMap<>();
        Map<String, Hold> last = new HashMap<>();
        OperatorDeletions deletions = new OperatorDeletions(timeline);
        for (Hold hold : timeline.holds()) {
            if (!hold.spec().isExclusive() || hold.token() == 0) {
                continue;
            }
            Hold twin = byToken.computeIfAbsent(hold.spec().lock(), lock -> new HashMap<>())
                    .putIfAbsent(hold.token(), hold);
            if (twin != null) {
                report(hold.grantedAt(), "K2: %s and %s have the same token", twin, hold);
            }
            if (hold.heldIntervals().isEmpty() || deletions.isBefore(hold)) {
                continue;
            }
            Hold before = last.put(hold.spec().lock(), hold);
            if (before != null && hold.token() < before.token()) {
                report(hold.grantedAt(), "K2: %s was granted after %s with a lower token", hold, before);
            }
        }
    }
}
