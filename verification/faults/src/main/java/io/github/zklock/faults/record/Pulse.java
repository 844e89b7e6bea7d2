package io.github.zklock.faults.record;

import io.github.zklock.faults.record.Event.Kind;

/**
 * How slowly the machine beats at its worst: the longest time for which a thread that only counts had to wait in any
 * process, while nobody had stopped that. What takes longer by that much is the fault of nobody.
 */
public final class Pulse {

    private Pulse() {}

    public static long slowest(Timeline timeline) {
        Trouble trouble = Trouble.on(timeline);
        return timeline.events().stream()
                .filter(event -> event.is(Kind.STALLED))
                .mapToLong(event -> {
                    long from = event.at() - event.number("nanos");
                    return event.number("nanos") - trouble.stopped(event.source(), from, event.at());
                })
                .max()
                .orElse(0);
    }
}
