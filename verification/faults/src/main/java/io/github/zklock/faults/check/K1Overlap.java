package io.github.zklock.faults.check;

import io.github.zklock.faults.timeline.ConcurrentHolders;
import io.github.zklock.faults.timeline.Hold;
import io.github.zklock.faults.timeline.Hold.HeldInterval;
import io.github.zklock.faults.timeline.Timeline;
import java.util.List;

/**
 * Two clients never hold a lock at the same time unless its kind allows it: exclusive holders and writers exclude all
 * others, readers exclude writers, and at most as many permits are held as exist. {@link OperatorDeletions} are excused.
 */
public final class K1Overlap extends Checker {

    public K1Overlap(Timeline timeline) {
        super(timeline);
    }

    @Override
    void check() {
        OperatorDeletions deletions = new OperatorDeletions(timeline);
        for (ConcurrentHolders moment : ConcurrentHolders.on(timeline)) {
            ConcurrentHolders holders = moment.without(other -> deletions.excuse(other, moment.newcomer()));
            HeldInterval newcomer = holders.newcomer();
            long from = newcomer.from();
            List<HeldInterval> conflicts = holders.conflicts();
            for (HeldInterval conflict : conflicts) {
                double both = (conflict.endOfBoth(newcomer) - from) / 1e6;
                String text = "K1: %s and %s both hold the lock for %.3f ms from %d";
                report(from, text, conflict.hold(), newcomer.hold(), both, from);
            }
            if (conflicts.isEmpty() && !holders.isAllowed()) {
                List<Hold> present =
                        holders.present().stream().map(HeldInterval::hold).toList();
                String text = "K1: with %s, %d permits of %d are held at %d, beside %s";
                report(from, text, newcomer.hold(), holders.size(), holders.most(), from, present);
            }
        }
    }
}
