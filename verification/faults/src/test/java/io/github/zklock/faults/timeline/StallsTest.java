package io.github.zklock.faults.timeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.faults.timeline.Event.Kind;
import org.junit.jupiter.api.Test;

class StallsTest {

    private static final long MILLI = 1_000_000L;

    private final TimelineBuilder events = new TimelineBuilder();

    @Test
    void stallCountsOnlyInIntervalsThatItOverlaps() {
        events.event("a", 1000, Kind.STALLED, "nanos", 900 * MILLI);

        assertThat(longest(0, 99)).isZero();
        assertThat(longest(0, 101)).isEqualTo(900 * MILLI);
        assertThat(longest(999, 5000)).isEqualTo(900 * MILLI);
        assertThat(longest(1000, 5000)).isZero();
    }

    @Test
    void longestStallCounts() {
        events.event("a", 1000, Kind.STALLED, "nanos", 30 * MILLI);
        events.event("b", 1100, Kind.STALLED, "nanos", 40 * MILLI);

        assertThat(longest(900, 1200)).isEqualTo(40 * MILLI);
    }

    @Test
    void pauseIsNoStall() {
        events.event("a", 0, Kind.READY).event("a", 100, Kind.PAUSED).event("a", 950, Kind.RESUMED);
        events.event("a", 1000, Kind.STALLED, "nanos", 900 * MILLI);

        assertThat(longest(0, 2000)).isEqualTo(50 * MILLI);
    }

    private long longest(long from, long until) {
        return Stalls.on(events.timeline()).longest(from * MILLI, until * MILLI);
    }
}
