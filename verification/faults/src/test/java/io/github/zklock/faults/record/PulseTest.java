package io.github.zklock.faults.record;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.faults.record.Event.Kind;
import org.junit.jupiter.api.Test;

class PulseTest {

    private static final long MILLI = 1_000_000L;

    private final HandMade events = new HandMade();

    @Test
    void aBeatThatCameLateCountsOnlyWhereItCameLate() {
        events.event("a", 1000, Kind.STALLED, "nanos", 900 * MILLI);

        assertThat(slowest(0, 99)).isZero();
        assertThat(slowest(0, 101)).isEqualTo(900 * MILLI);
        assertThat(slowest(999, 5000)).isEqualTo(900 * MILLI);
        assertThat(slowest(1000, 5000)).isZero();
    }

    @Test
    void theSlowestProcessCounts() {
        events.event("a", 1000, Kind.STALLED, "nanos", 30 * MILLI);
        events.event("b", 1100, Kind.STALLED, "nanos", 40 * MILLI);

        assertThat(slowest(900, 1200)).isEqualTo(40 * MILLI);
    }

    @Test
    void whoeverIsStoppedIsNotSlow() {
        events.event("a", 0, Kind.READY).event("a", 100, Kind.PAUSED).event("a", 950, Kind.RESUMED);
        events.event("a", 1000, Kind.STALLED, "nanos", 900 * MILLI);

        assertThat(slowest(0, 2000)).isEqualTo(50 * MILLI);
    }

    private long slowest(long from, long until) {
        return Pulse.on(events.timeline()).slowest(from * MILLI, until * MILLI);
    }
}
