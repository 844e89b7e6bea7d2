package io.github.zklock.faults.check;

import io.github.zklock.faults.record.Event;
import io.github.zklock.faults.record.Event.Kind;
import io.github.zklock.faults.record.Hold;
import io.github.zklock.faults.record.Hold.Belief;
import io.github.zklock.faults.record.Seat;
import io.github.zklock.faults.record.Seats;
import io.github.zklock.faults.record.Timeline;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * By the servers' own records each grant stands on a seat that was made by the session that claims it, for what was
 * granted, and that had come to be served by then: as the first of its queue, with no writer in front, or within the
 * permits. Nobody believes in a grant on a seat that had gone before. And all servers wrote down the same. (M2, M23)
 */
public final class K5Seats implements Checker {

    @Override
    public List<Violation> violations(Timeline timeline) {
        List<Violation> found = new ArrayList<>();
        Seats seats = Seats.of(timeline);
        for (Hold hold : timeline.holds()) {
            Optional<Seat> seat = seats.of(hold);
            if (seat.isEmpty()) {
                found.add(of(hold, "stands on no seat that the servers know"));
            } else {
                check(hold, seat.get(), found);
            }
        }
        timeline.events().stream()
                .filter(event -> event.is(Kind.DIFFERED))
                .map(K5Seats::difference)
                .forEach(found::add);
        return found;
    }

    private static void check(Hold hold, Seat seat, List<Violation> found) {
        if (!seat.session().equals(hold.session())) {
            found.add(of(hold, "stands on a seat of session " + seat.session()));
        }
        if (!seat.serves(hold.wish())) {
            found.add(of(hold, "stands on " + seat.node() + ", which is good for something else"));
        }
        if (seat.servedAt().isEmpty()) {
            found.add(of(hold, "stands on " + seat.node() + ", whose turn never came"));
        } else if (hold.grantedAt() + Margins.SKEW < seat.servedAt().getAsLong()) {
            double early = (seat.servedAt().getAsLong() - hold.grantedAt()) / 1e6;
            found.add(of(hold, "was granted %.0f ms before it was the turn of %s".formatted(early, seat.node())));
        }
        Optional<Belief> first = hold.beliefs().stream().findFirst();
        if (first.isPresent()
                && seat.endedAt().isPresent()
                && first.get().from() > seat.endedAt().getAsLong() + Margins.SKEW) {
            double late = (first.get().from() - seat.endedAt().getAsLong()) / 1e6;
            found.add(of(hold, "was granted %.0f ms after %s had gone".formatted(late, seat.node())));
        }
    }

    private static Violation of(Hold hold, String what) {
        return new Violation(hold.grantedAt(), "K5: " + hold + " " + what);
    }

    private static Violation difference(Event event) {
        return new Violation(event.at(), "K5: the servers wrote down different things under one number: " + event);
    }
}
