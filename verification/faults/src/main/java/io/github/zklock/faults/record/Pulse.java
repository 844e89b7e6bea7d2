package io.github.zklock.faults.record;

import io.github.zklock.faults.record.Event.Kind;
import java.util.List;

/**
 * How slowly the machine beats: for how long a thread that only counts had to wait, in any client, while nobody had stopped
 * that. What takes longer by that much meanwhile is the fault of nobody.
 */
public final class Pulse {

    /** A beat that came late. */
    private record Gap(long from, long until, long nanos) {}

    private final List<Gap> gaps;

    private Pulse(List<Gap> gaps) {
        this.gaps = gaps;
    }

    public static Pulse on(Timeline timeline) {
        Trouble trouble = Trouble.on(timeline);
        return new Pulse(timeline.events().stream()
                .filter(event -> event.is(Kind.STALLED))
                .map(event -> gap(event, trouble))
                .toList());
    }

    private static Gap gap(Event late, Trouble trouble) {
        long from = late.at() - late.number("nanos");
        return new Gap(from, late.at(), late.number("nanos") - trouble.stopped(late.source(), from, late.at()));
    }

    /** The longest such wait of which a part lies between two instants; 0 if there was none. */
    public long slowest(long from, long until) {
        return gaps.stream()
                .filter(gap -> gap.from() < until && gap.until() > from)
                .mapToLong(Gap::nanos)
                .max()
                .orElse(0);
    }
}
