package io.github.zklock.faults.check;

import io.github.zklock.faults.timeline.Event;
import io.github.zklock.faults.timeline.Event.Kind;
import io.github.zklock.faults.timeline.FaultIntervals;
import io.github.zklock.faults.timeline.Hold;
import io.github.zklock.faults.timeline.Hold.HeldInterval;
import io.github.zklock.faults.timeline.Seat;
import io.github.zklock.faults.timeline.SeatEnd;
import io.github.zklock.faults.timeline.Seats;
import io.github.zklock.faults.timeline.Timeline;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * By the servers' transaction logs, each grant stands on a seat that its own session created for what was granted, and
 * whose turn had come: no seat of another session blocked it. No grant stands on a seat that had ended before, unless
 * the process was paused in between or an operator had just deleted the seat. All servers logged the same transactions.
 * (M2, M23)
 */
public final class K5Seats implements Checker {

    @Override
    public List<Violation> violations(Timeline timeline) {
        List<Violation> found = new ArrayList<>();
        Seats seats = Seats.of(timeline);
        FaultIntervals faults = FaultIntervals.on(timeline);
        Tolerances tolerances = new Tolerances(timeline);
        for (Hold hold : timeline.holds()) {
            if (!hold.namesSeat()) {
                continue;
            }
            Optional<Seat> seat = seats.of(hold);
            if (seat.isEmpty()) {
                found.add(of(hold, "stands on no seat in the servers' logs"));
            } else {
                check(hold, seat.get(), found);
                checkThere(hold, seat.get(), faults, tolerances, found);
            }
        }
        timeline.events().stream()
                .filter(event -> event.is(Kind.LOGS_DIFFER))
                .map(K5Seats::difference)
                .forEach(found::add);
        return found;
    }

    private static void check(Hold hold, Seat seat, List<Violation> found) {
        if (!seat.session().equals(hold.session())) {
            found.add(of(hold, "stands on a seat of session " + seat.session()));
        }
        if (!seat.serves(hold.spec())) {
            found.add(of(hold, "stands on " + seat.node() + ", which is a seat of another kind"));
        }
        if (seat.openAt().isEmpty() && !isDeletedBefore(hold, seat)) {
            found.add(of(hold, "stands on " + seat.node() + ", whose turn never came"));
        }
        long openAt = seat.openAt().orElse(Long.MIN_VALUE);
        if (hold.grantedAt() + Tolerances.SKEW < openAt) {
            double early = (openAt - hold.grantedAt()) / 1e6;
            found.add(of(hold, "was granted %.0f ms before it was the turn of %s".formatted(early, seat.node())));
        }
    }

    /** A waiter behind the first seat may learn of its turn before it learns that its own seat was deleted. (M21) */
    private static boolean isDeletedBefore(Hold hold, Seat seat) {
        return seat.how() == SeatEnd.DELETED && Tolerances.hadEnded(seat, hold);
    }

    private static void checkThere(
            Hold hold, Seat seat, FaultIntervals faults, Tolerances tolerances, List<Violation> found) {
        if (seat.endedAt().isEmpty()) {
            return;
        }
        long endedAt = seat.endedAt().getAsLong();
        boolean stopped = faults.stopped(hold.source(), endedAt, hold.grantedAt()) > 0;
        // of a process that was paused before its grant, only the answers after the pause count
        OptionalLong from =
                hold.heldIntervals().stream().mapToLong(HeldInterval::from).findFirst();
        long granted = stopped ? from.orElse(endedAt) : hold.grantedAt();
        long allowed =
                seat.how() == SeatEnd.DELETED ? tolerances.untilNoticed(hold, endedAt, granted) : Tolerances.SKEW;
        if (granted > endedAt + allowed) {
            found.add(of(
                    hold, "was granted %.0f ms after %s had ended".formatted((granted - endedAt) / 1e6, seat.node())));
        }
    }

    private static Violation of(Hold hold, String what) {
        return new Violation(hold.grantedAt(), "K5: " + hold + " " + what);
    }

    private static Violation difference(Event event) {
        return new Violation(event.at(), "K5: the servers logged different transactions with one zxid: " + event);
    }
}
