package io.github.zklock.faults.check;

import io.github.zklock.faults.timeline.Disruption;
import io.github.zklock.faults.timeline.Event;
import io.github.zklock.faults.timeline.FaultIntervals;
import io.github.zklock.faults.timeline.Hold;
import io.github.zklock.faults.timeline.Hold.HeldInterval;
import io.github.zklock.faults.timeline.Hold.Sample;
import io.github.zklock.faults.timeline.Seat;
import io.github.zklock.faults.timeline.SeatEnd;
import io.github.zklock.faults.timeline.Seats;
import io.github.zklock.faults.timeline.Timeline;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * If a seat is taken from its holder, the loss is reported as soon as the holder can be reached, its handle does not
 * answer "held" for longer, and its release reports the loss. No other loss is reported, and a reported loss is final.
 * A loss need not be reported to a holder that releases the lock while its handle answers "not held".
 */
public final class K6LossReporting implements Checker {

    @Override
    public List<Violation> violations(Timeline timeline) {
        List<Violation> found = new ArrayList<>();
        Seats seats = Seats.of(timeline);
        FaultIntervals faults = FaultIntervals.on(timeline);
        Tolerances tolerances = new Tolerances(timeline);
        for (Hold hold : timeline.holds()) {
            Optional<Seat> seat = seats.of(hold);
            seat.ifPresent(known -> checkHeldIntervals(timeline, hold, known, tolerances, found));
            OptionalLong taken = seat.map(Seat::takenAt).orElse(OptionalLong.empty());
            if (taken.isPresent()) {
                checkReported(hold, seat.orElseThrow(), taken.getAsLong(), tolerances, found);
                checkReportedInTime(hold, seat.orElseThrow(), taken.getAsLong(), faults, tolerances, found);
            } else if ((hold.lostAt().isPresent() || hold.closedAsLost()) && !wasTakenByClose(timeline, hold)) {
                found.add(of(
                        hold,
                        hold.lostAt().orElse(hold.grantedAt()),
                        "reported the loss of a seat that was not taken"));
            }
            if (hold.isLossReportedBeforeRelease() && !hold.closedAsLost() && hold.isClosed()) {
                found.add(of(hold, hold.releasingAt().orElseThrow(), "reported its loss, but its release did not"));
            }
            checkFinal(hold, found);
        }
        return found;
    }

    /** An application that closes takes the locks that its holders do not release in time, and must report that. */
    private static boolean wasTakenByClose(Timeline timeline, Hold hold) {
        long reportedAt = hold.lostAt().orElse(hold.closedAt().orElse(Long.MAX_VALUE));
        return timeline.count(event -> event.is(Event.Kind.CLOSING, hold.source())
                        && event.at() > hold.grantedAt()
                        && event.at() < reportedAt)
                > 0;
    }

    private static void checkFinal(Hold hold, List<Violation> found) {
        long lostAt = hold.lostAt().orElse(Long.MAX_VALUE);
        hold.samples().stream()
                .filter(sample -> sample.held() && sample.before() > lostAt)
                .findFirst()
                .ifPresent(sample ->
                        found.add(of(hold, sample.before(), "reported its loss, and then answered that it was held")));
    }

    /** Returns for how long a handle may answer "held" after its seat has ended. */
    private static long allowed(Timeline timeline, Hold hold, Seat seat, Tolerances tolerances, long until) {
        long endedAt = seat.endedAt().orElse(until);
        return switch (seat.how()) {
            // the session continues, so the next renewal detects the deletion
            case DELETED -> tolerances.untilNoticed(hold, endedAt, until);
            case CLOSED -> {
                if (isClosedFromElsewhere(timeline, hold)) {
                    yield tolerances.untilReconnected(endedAt, until);
                }
                // a client that our library built announces the close; another one does not (M24)
                yield hasForeignClient(timeline, hold)
                        ? tolerances.untilNoticed(hold, endedAt, until)
                        : tolerances.untilSeen(endedAt, until);
            }
            default -> Tolerances.SKEW;
        };
    }

    private static boolean isClosedFromElsewhere(Timeline timeline, Hold hold) {
        return timeline.count(event -> event.is(Event.Kind.DISRUPTED, hold.source())
                        && event.at() > hold.grantedAt()
                        && Disruption.FOREIGN_CLOSE.name().equals(event.text("how")))
                > 0;
    }

    private static boolean hasForeignClient(Timeline timeline, Hold hold) {
        return timeline.count(event -> event.is(Event.Kind.READY, hold.source())
                        && Boolean.parseBoolean(event.fields().get("foreign")))
                > 0;
    }

    private static void checkHeldIntervals(
            Timeline timeline, Hold hold, Seat seat, Tolerances tolerances, List<Violation> found) {
        if (seat.endedAt().isEmpty()) {
            return;
        }
        long endedAt = seat.endedAt().getAsLong();
        for (HeldInterval heldInterval : hold.heldIntervals()) {
            long allowed = allowed(timeline, hold, seat, tolerances, heldInterval.until());
            // a grant on a seat that has ended breaks another rule (K5)
            boolean grantedLate =
                    heldInterval.from() == hold.grantedAt() && heldInterval.from() > endedAt + Tolerances.SKEW;
            if (heldInterval.until() - endedAt > allowed && !grantedLate) {
                found.add(of(
                        hold,
                        endedAt,
                        "was held for %.3f ms after its seat had ended, by the answers of its handle"
                                .formatted((heldInterval.until() - endedAt) / 1e6)));
            }
        }
    }

    private static void checkReported(
            Hold hold, Seat seat, long takenAt, Tolerances tolerances, List<Violation> found) {
        long releasingAt = hold.releasingAt().orElse(Long.MIN_VALUE);
        // a release does not wait for the servers: until it is due to be noticed, a deletion can remain unknown
        long unnoticed = seat.how() == SeatEnd.DELETED
                ? tolerances.untilNoticed(hold, takenAt, Math.max(takenAt, releasingAt))
                : Tolerances.SKEW;
        boolean openWhenTaken = hold.grantedAt() < takenAt && takenAt + unnoticed < releasingAt;
        if (openWhenTaken
                && hold.isClosed()
                && !hold.closedAsLost()
                && lastAnswer(hold).filter(Sample::held).isPresent()) {
            found.add(of(hold, takenAt, "lost its lock, and neither its handle nor its release reported it"));
        }
    }

    /** The time limit starts when no fault lasts any more, and restarts with each fault. */
    private static void checkReportedInTime(
            Hold hold, Seat seat, long takenAt, FaultIntervals faults, Tolerances tolerances, List<Violation> found) {
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
            found.add(of(
                    hold,
                    takenAt,
                    "did not report its loss for %.0f ms after its seat was taken".formatted((until - since) / 1e6)));
        }
    }

    private static Violation of(Hold hold, long at, String what) {
        return new Violation(at, "K6: " + hold + " " + what);
    }

    private static Optional<Sample> lastAnswer(Hold hold) {
        return hold.samples().isEmpty()
                ? Optional.empty()
                : Optional.of(hold.samples().get(hold.samples().size() - 1));
    }
}
