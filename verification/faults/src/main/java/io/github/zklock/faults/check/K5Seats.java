package io.github.zklock.faults.check;

import io.github.zklock.faults.timeline.Event.Kind;
import io.github.zklock.faults.timeline.Hold;
import io.github.zklock.faults.timeline.Hold.HeldInterval;
import io.github.zklock.faults.timeline.Seat;
import io.github.zklock.faults.timeline.SeatEnd;
import io.github.zklock.faults.timeline.Seats;
import io.github.zklock.faults.timeline.Timeline;
import java.util.OptionalLong;

/**
 * By the servers' transaction logs, each grant stands on a seat that its own session created for what was granted, and
 * whose turn had come: no seat of another session blocked it. No grant stands on a seat that had ended before, unless
 * the process was paused in between or an operator had just deleted the seat. All servers logged the same transactions.
 * (M2, M23)
 */
public final class K5Seats extends Checker {

    public K5Seats(Timeline timeline) {
        super(timeline);
    }

    @Override
    void check() {
        Seats seats = timeline.seats();
        for (Hold hold : timeline.holds()) {
            if (hold.namesSeat()) {
                seats.of(hold)
                        .ifPresentOrElse(
                                seat -> check(hold, seat),
                                () -> report(hold, "stands on no seat in the servers' logs"));
            }
        }
        timeline.events(Kind.LOGS_DIFFER)
                .forEach(event ->
                        report(event.at(), "K5: the servers logged different transactions with one zxid: %s", event));
    }

    private void check(Hold hold, Seat seat) {
        if (!seat.session().equals(hold.session())) {
            report(hold, "stands on a seat of session %s", seat.session());
        }
        if (!seat.serves(hold.spec())) {
            report(hold, "stands on %s, which is a seat of another kind", seat.node());
        }
        // a waiter behind the first seat may learn of its turn before it learns that its own seat was deleted (M21)
        boolean deletedBefore = seat.how() == SeatEnd.DELETED && Tolerances.hadEnded(seat, hold);
        if (seat.openAt().isEmpty() && !deletedBefore) {
            report(hold, "stands on %s, whose turn never came", seat.node());
        }
        long openAt = seat.openAt().orElse(Long.MIN_VALUE);
        if (hold.grantedAt() + Tolerances.SKEW < openAt) {
            double early = (openAt - hold.grantedAt()) / 1e6;
            report(hold, "was granted %.0f ms before it was the turn of %s", early, seat.node());
        }
        seat.endedAt().ifPresent(endedAt -> checkThere(hold, seat, endedAt));
    }

    private void checkThere(Hold hold, Seat seat, long endedAt) {
        boolean stopped = faults.stopped(hold.source(), endedAt, hold.grantedAt()) > 0;
        // of a process that was paused before its grant, only the answers after the pause count
        OptionalLong from =
                hold.heldIntervals().stream().mapToLong(HeldInterval::from).findFirst();
        long granted = stopped ? from.orElse(endedAt) : hold.grantedAt();
        long allowed =
                seat.how() == SeatEnd.DELETED ? tolerances.untilNoticed(hold, endedAt, granted) : Tolerances.SKEW;
        if (granted > endedAt + allowed) {
            report(hold, "was granted %.0f ms after %s had ended", (granted - endedAt) / 1e6, seat.node());
        }
    }

    @SuppressWarnings("AnnotateFormatMethod") // needs a library of annotations
    private void report(Hold hold, String text, Object... values) {
        report(hold.grantedAt(), "K5: %s %s", hold, text.formatted(values));
    }
}
