package io.github.zklock.faults;

import io.github.zklock.faults.Hold.Belief;
import io.github.zklock.faults.Hold.Sample;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A holder whose seat was taken from it is told, does not believe beyond that, and its release says so; nobody else is
 * told. A holder that gives a lock back of which its handle already says that it cannot be proven to be held need not
 * be told more.
 */
final class K6Honesty implements Checker {

    // the servers write wall-clock milliseconds
    private static final long SKEW = 25_000_000L;

    @Override
    public List<String> violations(Timeline timeline) {
        List<String> found = new ArrayList<>();
        for (Hold hold : timeline.holds()) {
            Optional<Event> taken = timeline.seatEnd(hold)
                    .filter(end -> SeatEnd.valueOf(end.text("how")).isLoss());
            taken.ifPresent(end -> checkTaken(hold, end.at(), found));
            if (taken.isEmpty() && (hold.lostAt().isPresent() || hold.closedAsLost())) {
                found.add("K6: %s was told that it had lost a seat that nobody took".formatted(hold));
            }
            if (hold.toldBeforeRelease() && !hold.closedAsLost()) {
                found.add("K6: %s was told of its loss, and then its release said nothing".formatted(hold));
            }
        }
        return found;
    }

    private static void checkTaken(Hold hold, long takenAt, List<String> found) {
        for (Belief belief : hold.beliefs()) {
            if (belief.until() - takenAt > SKEW) {
                found.add("K6: %s believed in its lock for %.3f ms after its seat had been taken"
                        .formatted(hold, (belief.until() - takenAt) / 1e6));
            }
        }
        boolean openWhenTaken = hold.grantedAt() < takenAt
                && hold.releasingAt().isPresent()
                && takenAt + SKEW < hold.releasingAt().getAsLong();
        if (openWhenTaken
                && !hold.closedAsLost()
                && lastAnswer(hold).filter(Sample::held).isPresent()) {
            found.add("K6: %s lost its lock, and neither its handle nor its release said so".formatted(hold));
        }
    }

    private static Optional<Sample> lastAnswer(Hold hold) {
        return hold.samples().isEmpty()
                ? Optional.empty()
                : Optional.of(hold.samples().get(hold.samples().size() - 1));
    }
}
