package io.github.zklock.faults.timeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.faults.timeline.Event.Kind;
import io.github.zklock.faults.timeline.FaultIntervals.QuietPeriod;
import org.junit.jupiter.api.Test;

class FaultIntervalsTest {

    private static final long MILLI = 1_000_000L;

    private final TimelineBuilder events = new TimelineBuilder();

    @Test
    void faultLastsUntilItIsHealed() {
        events.event("server-1", 10, Kind.PAUSED).event("ensemble", 20, Kind.HEALED);

        assertThat(faults().isAt(15 * MILLI)).isTrue();
        assertThat(faults().isAt(20 * MILLI)).isFalse();
    }

    @Test
    void pausedClientContinuesWhenItIsResumed() {
        events.event("a", 0, Kind.READY).event("a", 10, Kind.PAUSED).event("ensemble", 20, Kind.HEALED);

        assertThat(faults().isAt(25 * MILLI)).isTrue();
    }

    @Test
    void killOfAClientHasNoDuration() {
        events.event("a", 0, Kind.READY).event("a", 10, Kind.KILLED);

        assertThat(faults().isAt(11 * MILLI)).isFalse();
        assertThat(faults().quietSince(11 * MILLI)).isEqualTo(10 * MILLI);
    }

    @Test
    void secondPauseIsIgnored() {
        events.event("a", 0, Kind.READY).event("a", 10, Kind.PAUSED).event("a", 12, Kind.PAUSED);
        events.event("a", 14, Kind.RESUMED);

        assertThat(faults().stopped("a", 0, 100 * MILLI)).isEqualTo(4 * MILLI);
    }

    @Test
    void healingWithoutAFaultEndsNoQuietPeriod() {
        events.event("ensemble", 10, Kind.HEALED).event("a", 20, Kind.RESUMED);

        assertThat(faults().quietPeriods(0, 30 * MILLI)).containsExactly(new QuietPeriod(0, 30 * MILLI));
    }

    @Test
    void quietPeriodsEndWithFaultsAndBeginWithTheirEnds() {
        events.event("server-1", 10, Kind.PAUSED).event("ensemble", 20, Kind.HEALED);
        events.event("operator", 25, Kind.DELETED);

        assertThat(faults().quietPeriods(0, 30 * MILLI))
                .containsExactly(
                        new QuietPeriod(0, 10 * MILLI),
                        new QuietPeriod(20 * MILLI, 25 * MILLI),
                        new QuietPeriod(25 * MILLI, 30 * MILLI));
    }

    private FaultIntervals faults() {
        return FaultIntervals.on(events.timeline());
    }
}
