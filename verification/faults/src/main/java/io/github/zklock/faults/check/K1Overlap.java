package io.github.zklock.faults.check;

import io.github.zklock.faults.record.Company;
import io.github.zklock.faults.record.Hold.Belief;
import io.github.zklock.faults.record.Timeline;
import java.util.ArrayList;
import java.util.List;

/**
 * Nobody believes in the lock beside others unless its kind allows it: an exclusive holder and a writer are alone,
 * readers are among readers, and permits are never more than there are.
 */
public final class K1Overlap implements Checker {

    @Override
    public List<Violation> violations(Timeline timeline) {
        List<Violation> found = new ArrayList<>();
        for (Company company : Company.on(timeline)) {
            Belief newcomer = company.newcomer();
            List<Belief> rivals = company.rivals();
            for (Belief rival : rivals) {
                long overlap = Math.min(rival.until(), newcomer.until()) - newcomer.from();
                found.add(new Violation(
                        newcomer.from(),
                        "K1: %s and %s both believe in the lock for %.3f ms from %d"
                                .formatted(rival.hold(), newcomer.hold(), overlap / 1e6, newcomer.from())));
            }
            if (rivals.isEmpty() && !company.fits()) {
                found.add(new Violation(
                        newcomer.from(),
                        "K1: %s makes it %d permits of %d at %d, beside %s"
                                .formatted(
                                        newcomer.hold(),
                                        company.size(),
                                        newcomer.hold().wish().of(),
                                        newcomer.from(),
                                        company.present().stream()
                                                .map(Belief::hold)
                                                .toList())));
            }
        }
        return found;
    }
}
