package io.github.zklock.faults.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.faults.record.Event.Kind;
import io.github.zklock.faults.record.HandMade;
import java.util.List;
import org.junit.jupiter.api.Test;

class K7ProgressTest {

    private static final String CALL = "forever exclusive";

    private final HandMade events = new HandMade();

    @Test
    void aGrantWithinASessionAfterHealingIsFine() {
        events.asked("a", 0, CALL).event("server-1", 100, Kind.KILLED).event("ensemble", 9000, Kind.HEALED);
        events.granted("a", 12_400, 1);

        assertThat(violations()).isEmpty();
    }

    @Test
    void aGrantOnlyAfterAnotherSessionIsFound() {
        events.asked("a", 0, CALL).event("server-1", 100, Kind.KILLED).event("ensemble", 9000, Kind.HEALED);
        events.granted("a", 15_100, 1);

        assertThat(violations()).singleElement().asString().contains("a's call", "6100 ms");
    }

    @Test
    void nobodyIsBlamedForAFaultThatLasts() {
        events.asked("a", 0, CALL).event("server-1", 100, Kind.KILLED).granted("a", 60_000, 1);

        assertThat(violations()).isEmpty();
    }

    @Test
    void whoWaitsBehindAHolderWaitsForGoodReason() {
        events.granted("b", 0, 1).sample("b", 0, 30_000).released("b", 29_000, "ok");
        events.asked("a", 10, CALL).granted("a", 29_100, 2);

        assertThat(violations()).isEmpty();
    }

    @Test
    void aWaiterThatNobodyWakesIsFoundWhenItGivesUp() {
        events.granted("b", 0, 1).sample("b", 0, 30_000).released("b", 100, "ok");
        events.asked("a", 10, "acquire-20000 exclusive").answered("a", 20_010, Kind.TIMEOUT);

        assertThat(violations()).singleElement().asString().contains("TIMEOUT", "19910 ms");
    }

    @Test
    void theSessionOfAHolderThatWasKilledMayEndFirst() {
        events.event("b", 0, Kind.READY).granted("b", 0, 1).sample("b", 0, 2000);
        events.asked("a", 10, CALL).event("b", 1000, Kind.KILLED).granted("a", 4400, 2);

        assertThat(violations()).isEmpty();
    }

    @Test
    void aMachineThatHardlyMovesIsGivenMoreTime() {
        events.granted("b", 0, 1).sample("b", 0, 100).sample("b", 5000, 100).released("b", 5001, "ok");
        events.event("b", 5000, Kind.STALLED, "nanos", 4_900_000_000L);
        events.asked("a", 10, CALL).granted("a", 13_000, 2);

        assertThat(violations()).isEmpty();
    }

    @Test
    void whoeverIsOvertakenInPeaceIsFound() {
        events.asked("late", 0, "forever exclusive");
        events.asked("other", 6000, "forever exclusive")
                .granted("other", 6100, 1)
                .released("other", 6200, "ok");
        events.granted("late", 6300, 2);

        assertThat(violations()).singleElement().asString().contains("late's call", "6000 ms later in peace");
    }

    @Test
    void whoeverIsOvertakenInTroubleHasToBearIt() {
        events.asked("late", 0, "forever exclusive").event("server-1", 5900, Kind.KILLED);
        events.asked("other", 6000, "forever exclusive")
                .granted("other", 6100, 1)
                .released("other", 6200, "ok");
        events.event("ensemble", 6250, Kind.HEALED).granted("late", 6300, 2);

        assertThat(violations()).isEmpty();
    }

    private List<Violation> violations() {
        return new K7Progress().violations(events.timeline());
    }
}
