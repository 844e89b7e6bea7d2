package io.github.zklock.faults.timeline;

import io.github.zklock.faults.timeline.Event.Kind;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A call for a lock, and how it was answered.
 *
 * @param number counts the calls of its process
 * @param how {@code forever}, {@code acquire-1000} or {@code try-0}
 * @param answer {@link Kind#GRANTED} or one of the others; none if its process was ended before
 */
public record LockRequest(String source, String number, long at, String how, LockSpec spec, Optional<Event> answer) {

    /** All that there were, in order of time. */
    public static List<LockRequest> on(Timeline timeline) {
        Map<String, Event> asked = new LinkedHashMap<>();
        Map<String, Event> answers = new LinkedHashMap<>();
        for (Event event : timeline.events()) {
            String number = event.fields().get("ask");
            if (number != null && event.is(Kind.ASKED)) {
                asked.put(event.source() + "#" + number, event);
            } else if (number != null) {
                answers.putIfAbsent(event.source() + "#" + number, event);
            }
        }
        List<LockRequest> requests = new ArrayList<>();
        asked.forEach((key, event) -> {
            // a call is written as two words, and an event has no blanks
            String[] call = event.text("call").split("_", 2);
            requests.add(new LockRequest(
                    event.source(),
                    event.text("ask"),
                    event.at(),
                    call[0],
                    LockSpec.parse(call[1]),
                    Optional.ofNullable(answers.get(key))));
        });
        return requests;
    }

    /** For how long it was to wait at most; negative if for ever. */
    public long maxWaitNanos() {
        int dash = how.indexOf('-');
        return dash < 0 ? -1 : Long.parseLong(how.substring(dash + 1)) * 1_000_000L;
    }

    /** Whether this is the interrupt of its thread. */
    public boolean isInterruptedBy(Event event) {
        return event.is(Kind.INTERRUPTING, source)
                && List.of(event.fields().getOrDefault("asks", "").split(",", -1))
                        .contains(number);
    }

    public boolean isTrying() {
        return how.startsWith("try");
    }

    @Override
    public String toString() {
        return source + "'s call of " + how + " " + spec;
    }
}
