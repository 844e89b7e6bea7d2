package io.github.zklock.faults.check;

import io.github.zklock.faults.timeline.ConcurrentHolders;
import io.github.zklock.faults.timeline.Hold.HeldInterval;
import io.github.zklock.faults.timeline.Timeline;
import java.util.ArrayList;
import java.util.List;

/**
 * Two clients never hold a lock at the same time unless its kind allows it: exclusive holders and writers exclude all
 * others, readers exclude writers, and at most as many permits are held as exist. {@link OperatorDeletions} are excused.
 */
public final class K1Overlap implements Checker {

    @Override
    public List<Violation> violations(Timeline timeline) {
        List<Violation> found = new ArrayList<>();
        OperatorDeletions deletions = new OperatorDeletions(timeline);
        for (ConcurrentHolders moment : ConcurrentHolders.on(timeline)) {
            ConcurrentHolders holders = moment.without(other -> deletions.excuse(other, moment.newcomer()));
            HeldInterval newcomer = holders.newcomer();
            List<HeldInterval> conflicts = holders.conflicts();
            for (HeldInterval conflict : conflicts) {
                found.add(new Violation(
                        newcomer.from(),
                        "K1: %s and %s both hold the lock for %.3f ms from %d"
                                .formatted(
                                        conflict.hold(),
                                        newcomer.hold(),
                                        (conflict.endOfBoth(newcomer) - newcomer.from()) / 1e6,
                                        newcomer.from())));
            }
            if (conflicts.isEmpty() && !holders.isAllowed()) {
                found.add(new Violation(
                        newcomer.from(),
                        "K1: with %s, %d permits of %d are held at %d, beside %s"
                                .formatted(
                                        newcomer.hold(),
                                        holders.size(),
                                        holders.most(),
                                        newcomer.from(),
                                        holders.present().stream()
                                                .map(HeldInterval::hold)
                                                .toList())));
            }
        }
        return found;
    }
}
