package io.github.zklock.faults.check;

import io.github.zklock.faults.timeline.Disruption;
import io.github.zklock.faults.timeline.Event.Kind;
import io.github.zklock.faults.timeline.Hold;
import io.github.zklock.faults.timeline.Hold.HeldInterval;
import io.github.zklock.faults.timeline.Hold.Sample;
import io.github.zklock.faults.timeline.Seat;
import io.github.zklock.faults.timeline.SeatEnd;
import io.github.zklock.faults.timeline.Seats;
import io.github.zklock.faults.timeline.Timeline;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * If a seat is taken from its holder, the loss is reported as soon as the holder can be reached, its handle does not
 * answer "held" for longer, and its release reports the loss. No other loss is reported, and a reported loss is final.
 * A loss need not be reported to a holder that releases the lock while its handle answers "not held".
 */
public final class K6LossReporting extends Checker {

    private final Seats seats;

    public K6LossReporting(Timeline timeline) {
        super(timeline);
        this.seats = timeline.seats();
    }

    @Override
    void check() {
        for (Hold hold : timeline.holds()) {
            Optional<Seat> seat = seats.of(hold);
            seat.ifPresent(known -> checkHeldIntervals(hold, known));
            OptionalLong taken = seat.map(Seat::takenAt).orElse(OptionalLong.empty());
            if (taken.isPresent()) {
                checkReported(hold, seat.orElseThrow(), taken.getAsLong());
                checkReportedInTime(hold, seat.orElseThrow(), taken.getAsLong());
            } else if ((hold.lostAt().isPresent() || hold.closedAsLost()) && !wasTakenByClose(hold)) {
                report(hold, hold.lostAt().orElse(hold.grantedAt()), "reported the loss of a seat that was not taken");
            }
            if (hold.isLossReportedBeforeRelease() && !hold.closedAsLost() && hold.isClosed()) {
                report(hold, hold.releasingAt().orElseThrow(), "reported its loss, but its release did not");
            }
            checkFinal(hold);
        }
    }

    /** An application that closes takes the locks that its holders do not release in time, and must report that. */
    private boolean wasTakenByClose(Hold hold) {
        long reportedAt = hold.lostAt().orElse(hold.closedAt().orElse(Long.MAX_VALUE));
        return timeline.has(Kind.CLOSING, hold.source(), hold.grantedAt(), reportedAt);
    }

    private void checkFinal(Hold hold) {
        long lostAt = hold.lostAt().orElse(Long.MAX_VALUE);
        hold.samples().stream()
                .filter(sample -> sample.held() && sample.before() > lostAt)
                .findFirst()
                .ifPresent(sample ->
                        report(hold, sample.before(), "reported its loss, and then answered that it was held"));
    }

    /** Returns for how long a handle may answer "held" after its seat has ended. */
    private long allowed(Hold hold, Seat seat, long until) {
        long endedAt = seat.endedAt().orElse(until);
        return switch (seat.how()) {
            // the session continues, so the next renewal detects the deletion
            case DELETED -> tolerances.untilNoticed(hold, endedAt, until);
            case CLOSED -> {
                // holders are notified before the registry or its client closes the session (M24)
                yield isClosedFromElsewhere(hold)
                        ? tolerances.untilReconnected(endedAt, until)
                        : tolerances.untilSeen(endedAt, until);
            }
            default -> Tolerances.SKEW;
        };
    }

    private boolean isClosedFromElsewhere(Hold hold) {
        return timeline.events(Kind.DISRUPTED).stream()
                .anyMatch(event -> event.source().equals(hold.source())
                        && event.at() > hold.grantedAt()
                        && Disruption.FOREIGN_CLOSE.name().equals(event.text("how")));
    }

    private void checkHeldIntervals(Hold hold, Seat seat) {
        if (seat.endedAt().isEmpty()) {
            return;
        }
        long endedAt = seat.endedAt().getAsLong();
        for (HeldInterval heldInterval : hold.heldIntervals()) {
            long allowed = allowed(hold, seat, heldInterval.until());
            // a grant on a seat that has ended breaks another rule (K5)
            boolean grantedLate =
                    heldInterval.from() == hold.grantedAt() && heldInterval.from() > endedAt + Tolerances.SKEW;
            if (heldInterval.until() - endedAt > allowed && !grantedLate) {
                double late = (heldInterval.until() - endedAt) / 1e6;
                report(
                        hold,
                        endedAt,
                        "was held for %.3f ms after its seat had ended, by the answers of its handle",
                        late);
            }
        }
    }

    private void checkReported(Hold hold, Seat seat, long takenAt) {
        long releasingAt = hold.releasingAt().orElse(Long.MIN_VALUE);
        // a release does not wait for the servers: until it is due to be noticed, a deletion can remain unknown
        long unnoticed = seat.how() == SeatEnd.DELETED
                ? tolerances.untilNoticed(hold, takenAt, Math.max(takenAt, releasingAt))
                : Tolerances.SKEW;
        boolean openWhenTaken = hold.grantedAt() < takenAt && takenAt + unnoticed < releasingAt;
        List<Sample> answers = hold.samples();
        boolean heldAtLast =
                !answers.isEmpty() && answers.get(answers.size() - 1).held();
        if (openWhenTaken && hold.isClosed() && !hold.closedAsLost() && heldAtLast) {
            report(hold, takenAt, "lost its lock, and neither its handle nor its release reported it");
        }
    }

    /** The time limit starts when no fault lasts any more, and restarts with each fault. */
    private void checkReportedInTime(Hold hold, Seat seat, long takenAt) {
        long until = Math.min(
                hold.lostAt().orElse(Long.MAX_VALUE), hold.releasingAt().orElse(Long.MAX_VALUE));
        boolean openForEver = until == Long.MAX_VALUE;
        if (openForEver || faults.isAt(until)) {
            return;
        }
        long since = Math.max(Math.max(takenAt, hold.grantedAt()), faults.quietSince(until));
        long allowed = seat.how() == SeatEnd.DELETED
                ? tolerances.untilDeletionReported(hold.source(), since, until)
                : tolerances.untilGranted(since, until);
        if (until - since > allowed) {
            double late = (until - since) / 1e6;
            report(hold, takenAt, "did not report its loss for %.0f ms after its seat was taken", late);
        }
    }

    @SuppressWarnings("AnnotateFormatMethod") // needs a library of annotations
    private void report(Hold hold, long at, String text, Object... values) {
        report(at, "K6: %s %s", hold, text.formatted(values));
    }
}
