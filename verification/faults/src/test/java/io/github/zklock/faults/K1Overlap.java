package io.github.zklock.faults;

import io.github.zklock.faults.Hold.Belief;
import java.util.ArrayList;
import java.util.List;

/**
 * Nobody believes in the lock beside others unless its kind allows it: an exclusive holder and a writer are alone,
 * readers are among readers, and permits are never more than there are.
 */
final class K1Overlap implements Checker {

    @Override
    public List<String> violations(Timeline timeline) {
        List<String> found = new ArrayList<>();
        for (Company company : Company.on(timeline)) {
            Belief newcomer = company.newcomer();
            List<Belief> rivals = company.rivals();
            for (Belief rival : rivals) {
                long overlap = Math.min(rival.until(), newcomer.until()) - newcomer.from();
                found.add("K1: %s and %s both believe in the lock for %.3f ms from %d"
                        .formatted(rival.hold(), newcomer.hold(), overlap / 1e6, newcomer.from()));
            }
            if (rivals.isEmpty() && !company.fits()) {
                found.add("K1: %s makes it %d permits of %d at %d, beside %s"
                        .formatted(
                                newcomer.hold(),
                                company.size(),
                                newcomer.hold().wish().of(),
                                newcomer.from(),
                                company.present().stream().map(Belief::hold).toList()));
            }
        }
        return found;
    }
}
