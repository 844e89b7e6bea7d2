package io.github.zklock.faults.timeline;

import io.github.zklock.faults.timeline.Event.Kind;
import java.util.List;

/**
 * How slowly the machine beats: for how long a thread that only counts had to wait, in any client, while nobody had stopped
 * that. What takes longer by that much meanwhile is the fault of nobody.
 */
public final class Stalls {

    /** A beat that came late. */
    private record Gap(long from, long until, long nanos) {}

    private final List<Gap> gaps;

    private Stalls(List<Gap> gaps) {
        this.gaps = gaps;
    }

    public static Stalls on(Timeline timeline) {
        FaultIntervals faults = FaultIntervals.on(timeline);
        return new Stalls(timeline.events().stream()
                .filter(event -> event.is(Kind.STALLED))
                .map(event -> gap(event, faults))
                .toList());
    }

    private static Gap gap(Event late, FaultIntervals faults) {
        long from = late.at() - late.number("nanos");
        return new Gap(from, late.at(), late.number("nanos") - faults.stopped(late.source(), from, late.at()));
    }

    /** The longest such wait of which a part lies between two instants; 0 if there was none. */
    public long longest(long from, long until) {
        return gaps.stream()
                .filter(gap -> gap.from() < until && gap.until() > from)
                .mapToLong(Gap::nanos)
                .max()
                .orElse(0);
    }
}
