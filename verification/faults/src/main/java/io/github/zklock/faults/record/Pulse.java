package io.github.zklock.faults.record;

import io.github.zklock.faults.record.Event.Kind;
import java.util.HashMap;
import java.util.Map;

/**
 * How slowly the machine beats at its worst: the longest time between two answers of a handle that is asked all the
 * time, while nobody had stopped its process. What takes longer by that much is the fault of nobody.
 */
public final class Pulse {

    private Pulse() {}

    public static long slowest(Timeline timeline) {
        Trouble trouble = Trouble.on(timeline);
        Map<String, Long> last = new HashMap<>();
        long slowest = 0;
        for (Event event : timeline.events()) {
            if (!event.is(Kind.SAMPLE)) {
                continue;
            }
            Long before = last.put(event.source() + "#" + event.text("hold"), event.at());
            if (before != null) {
                long gap = event.at() - before;
                slowest = Math.max(slowest, gap - trouble.stopped(event.source(), before, event.at()));
            }
        }
        return slowest;
    }
}
