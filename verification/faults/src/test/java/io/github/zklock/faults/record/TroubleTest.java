package io.github.zklock.faults.record;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.faults.record.Event.Kind;
import io.github.zklock.faults.record.Trouble.Calm;
import org.junit.jupiter.api.Test;

class TroubleTest {

    private static final long MILLI = 1_000_000L;

    private final HandMade events = new HandMade();

    @Test
    void aFaultLastsUntilItIsMended() {
        events.event("server-1", 10, Kind.PAUSED).event("ensemble", 20, Kind.HEALED);

        assertThat(trouble().isAt(15 * MILLI)).isTrue();
        assertThat(trouble().isAt(20 * MILLI)).isFalse();
    }

    @Test
    void aClientThatIsStoppedGoesOnWhenItIsToldTo() {
        events.event("a", 0, Kind.READY).event("a", 10, Kind.PAUSED).event("ensemble", 20, Kind.HEALED);

        assertThat(trouble().isAt(25 * MILLI)).isTrue();
    }

    @Test
    void aClientThatIsKilledIsNoTroubleForLong() {
        events.event("a", 0, Kind.READY).event("a", 10, Kind.KILLED);

        assertThat(trouble().isAt(11 * MILLI)).isFalse();
        assertThat(trouble().calmSince(11 * MILLI)).isEqualTo(10 * MILLI);
    }

    @Test
    void whoeverIsStoppedTwiceIsStoppedOnce() {
        events.event("a", 0, Kind.READY).event("a", 10, Kind.PAUSED).event("a", 12, Kind.PAUSED);
        events.event("a", 14, Kind.RESUMED);

        assertThat(trouble().stopped("a", 0, 100 * MILLI)).isEqualTo(4 * MILLI);
    }

    @Test
    void whatMendsNothingEndsNoCalm() {
        events.event("ensemble", 10, Kind.HEALED).event("a", 20, Kind.RESUMED);

        assertThat(trouble().calm(0, 30 * MILLI)).containsExactly(new Calm(0, 30 * MILLI));
    }

    @Test
    void calmEndsWithEachFaultAndBeginsWithEachMend() {
        events.event("server-1", 10, Kind.PAUSED).event("ensemble", 20, Kind.HEALED);
        events.event("operator", 25, Kind.DELETED);

        assertThat(trouble().calm(0, 30 * MILLI))
                .containsExactly(
                        new Calm(0, 10 * MILLI), new Calm(20 * MILLI, 25 * MILLI), new Calm(25 * MILLI, 30 * MILLI));
    }

    private Trouble trouble() {
        return Trouble.on(events.timeline());
    }
}
