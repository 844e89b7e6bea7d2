package io.github.zklock.faults.check;

import io.github.zklock.faults.timeline.ConcurrentHolders;
import io.github.zklock.faults.timeline.Event;
import io.github.zklock.faults.timeline.Event.Kind;
import io.github.zklock.faults.timeline.Hold.HeldInterval;
import io.github.zklock.faults.timeline.SeatEnd;
import io.github.zklock.faults.timeline.Seats;
import io.github.zklock.faults.timeline.Timeline;
import java.util.ArrayList;
import java.util.List;

/**
 * Two clients never hold a lock at the same time unless its kind allows it: exclusive holders and writers exclude all
 * others, readers exclude writers, and at most as many permits are held as exist. A holder whose seat an operator has
 * deleted is excused until it must have noticed the deletion. (M21)
 */
public final class K1Overlap implements Checker {

    @Override
    public List<Violation> violations(Timeline timeline) {
        List<Violation> found = new ArrayList<>();
        Deletions deletions = new Deletions(timeline);
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
                                        (endOfBoth(conflict, newcomer) - newcomer.from()) / 1e6,
                                        newcomer.from())));
            }
            if (conflicts.isEmpty() && !holders.isAllowed()) {
                found.add(new Violation(
                        newcomer.from(),
                        "K1: with %s, %d permits of %d are held at %d, beside %s"
                                .formatted(
                                        newcomer.hold(),
                                        holders.size(),
                                        newcomer.hold().spec().of(),
                                        newcomer.from(),
                                        holders.present().stream()
                                                .map(HeldInterval::hold)
                                                .toList())));
            }
        }
        return found;
    }

    private static long endOfBoth(HeldInterval one, HeldInterval other) {
        return Math.min(one.until(), other.until());
    }

    /** The seats that an operator has deleted. A deletion by any other process excuses no holder. */
    private static final class Deletions {

        private final Seats seats;
        private final Tolerances tolerances;
        private final long last;

        Deletions(Timeline timeline) {
            seats = Seats.of(timeline);
            tolerances = new Tolerances(timeline);
            last = timeline.events().stream()
                    .filter(event -> event.is(Kind.DELETED))
                    .mapToLong(Event::at)
                    .max()
                    .orElse(Long.MIN_VALUE);
        }

        boolean excuse(HeldInterval present, HeldInterval newcomer) {
            long until = endOfBoth(present, newcomer);
            return isWithoutSeat(present, newcomer.from(), until) || isWithoutSeat(newcomer, newcomer.from(), until);
        }

        /** Returns whether the holder had no seat in this interval, and need not have noticed that before its end. */
        private boolean isWithoutSeat(HeldInterval heldInterval, long from, long until) {
            return seats.of(heldInterval.hold())
                    .filter(seat -> seat.how() == SeatEnd.DELETED)
                    .filter(seat -> {
                        long deletedAt = seat.endedAt().orElse(Long.MAX_VALUE);
                        return deletedAt - Tolerances.SKEW <= Math.min(from, last)
                                && until <= deletedAt + tolerances.untilNoticed(heldInterval.hold(), deletedAt, until);
                    })
                    .isPresent();
        }
    }
}
