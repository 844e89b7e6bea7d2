package io.github.zklock.faults.timeline;

import io.github.zklock.faults.timeline.Event.Kind;
import java.util.List;

/**
 * Stalls of the machine: how long a thread that only sleeps was delayed, in any client that was not paused. Tolerances
 * grow by the longest stall.
 */
public final class Stalls {

    /** One delayed wake-up. */
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

    /** Returns the longest stall that overlaps an interval; 0 if there is none. */
    public long longest(long from, long until) {
        return gaps.stream()
                .filter(gap -> gap.from() < until && gap.until() > from)
                .mapToLong(Gap::nanos)
                .max()
                .orElse(0);
    }
}
