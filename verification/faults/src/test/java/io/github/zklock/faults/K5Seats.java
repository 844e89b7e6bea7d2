package io.github.zklock.faults;

import io.github.zklock.faults.Event.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * By the servers' own records each grant stands on a seat that was made by the session that claims it. (M2)
 *
 * <p>Not checked yet: that the seat was the lowest of its queue.
 */
final class K5Seats implements Checker {

    @Override
    public List<String> violations(Timeline timeline) {
        Map<Long, Event> made = timeline.events().stream()
                .filter(event -> event.is(Kind.SEAT_MADE))
                .collect(Collectors.toMap(event -> event.number("seat"), event -> event));
        List<String> found = new ArrayList<>();
        for (Hold hold : timeline.holds()) {
            @Nullable Event seat = made.get(hold.seat());
            if (seat == null) {
                found.add("K5: %s stands on no seat that the servers know".formatted(hold));
            } else if (!seat.text("session").equals(hold.session())) {
                found.add("K5: %s stands on a seat of session %s".formatted(hold, seat.text("session")));
            }
        }
        return found;
    }
}
