package io.github.zklock.faults.check;

import io.github.zklock.faults.record.Company;
import io.github.zklock.faults.record.Event;
import io.github.zklock.faults.record.Event.Kind;
import io.github.zklock.faults.record.Hold.Belief;
import io.github.zklock.faults.record.SeatEnd;
import io.github.zklock.faults.record.Seats;
import io.github.zklock.faults.record.Timeline;
import java.util.ArrayList;
import java.util.List;

/**
 * Nobody believes in the lock beside others unless its kind allows it: an exclusive holder and a writer are alone,
 * readers are among readers, and permits are never more than there are. Excused is whose seat an operator has deleted, until
 * it must have noticed that. (M21)
 */
public final class K1Overlap implements Checker {

    @Override
    public List<Violation> violations(Timeline timeline) {
        List<Violation> found = new ArrayList<>();
        Deletions deletions = new Deletions(timeline);
        for (Company moment : Company.on(timeline)) {
            Company company = moment.without(other -> deletions.excuse(other, moment.newcomer()));
            Belief newcomer = company.newcomer();
            List<Belief> rivals = company.rivals();
            for (Belief rival : rivals) {
                found.add(new Violation(
                        newcomer.from(),
                        "K1: %s and %s both believe in the lock for %.3f ms from %d"
                                .formatted(
                                        rival.hold(),
                                        newcomer.hold(),
                                        (endOfBoth(rival, newcomer) - newcomer.from()) / 1e6,
                                        newcomer.from())));
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

    private static long endOfBoth(Belief one, Belief other) {
        return Math.min(one.until(), other.until());
    }

    /** The seats that an operator has deleted. Who else deletes a seat of another process excuses nobody. */
    private static final class Deletions {

        private final Seats seats;
        private final Margins margins;
        private final long last;

        Deletions(Timeline timeline) {
            seats = Seats.of(timeline);
            margins = new Margins(timeline);
            last = timeline.events().stream()
                    .filter(event -> event.is(Kind.DELETED))
                    .mapToLong(Event::at)
                    .max()
                    .orElse(Long.MIN_VALUE);
        }

        boolean excuse(Belief present, Belief newcomer) {
            long until = endOfBoth(present, newcomer);
            return isWithoutSeat(present, newcomer.from(), until) || isWithoutSeat(newcomer, newcomer.from(), until);
        }

        /** Whether all of this time is between the deletion of the seat and the instant by which the holder has noticed it. */
        private boolean isWithoutSeat(Belief belief, long from, long until) {
            return seats.of(belief.hold())
                    .filter(seat -> seat.how() == SeatEnd.DELETED)
                    .filter(seat -> {
                        long deletedAt = seat.endedAt().orElse(Long.MAX_VALUE);
                        return deletedAt - Margins.SKEW <= Math.min(from, last)
                                && until <= deletedAt + margins.untilNoticed(belief.hold(), deletedAt, until);
                    })
                    .isPresent();
        }
    }
}
