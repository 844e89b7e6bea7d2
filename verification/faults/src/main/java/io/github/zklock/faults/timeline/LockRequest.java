package io.github.zklock.faults.timeline;

import io.github.zklock.faults.timeline.Event.Kind;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A call for a lock, and its answer.
 *
 * @param number counts the calls of its process
 * @param how {@code forever}, {@code acquire-1000} or {@code try-0}
 * @param answer {@link Kind#GRANTED} or another kind of answer; none if the process ended before
 */
public record LockRequest(String source, String number, long at, String how, LockSpec spec, Optional<Event> answer) {

    public static List<LockRequest> on(Timeline timeline) {
        Map<String, Event> asked = new LinkedHashMap<>();
        Map<String, Event> answers = new LinkedHashMap<>();
        for (Event event : timeline.events()) {
            String number = event.fields().get("callNumber");
            if (number != null && event.is(Kind.REQUESTED)) {
                asked.put(event.source() + "#" + number, event);
            } else if (number != null) {
                answers.putIfAbsent(event.source() + "#" + number, event);
            }
        }
        List<LockRequest> requests = new ArrayList<>();
        asked.forEach((key, event) -> {
            // a call consists of two words, and a value of an event has no blanks
            String[] call = event.text("call").split("_", 2);
            requests.add(new LockRequest(
                    event.source(),
                    event.text("callNumber"),
                    event.at(),
                    call[0],
                    LockSpec.parse(call[1]),
                    Optional.ofNullable(answers.get(key))));
        });
        return requests;
    }

    /** Returns the longest time to wait; negative without a limit. */
    public long maxWaitNanos() {
        int dash = how.indexOf('-');
        return dash < 0 ? -1 : Long.parseLong(how.substring(dash + 1)) * 1_000_000L;
    }

    public boolean isInterruptedBy(Event event) {
        return event.is(Kind.INTERRUPTING, source)
                && List.of(event.fields().getOrDefault("callNumbers", "").split(",", -1))
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
