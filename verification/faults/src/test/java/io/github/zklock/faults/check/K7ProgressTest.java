package io.github.zklock.faults.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.faults.timeline.Event.Kind;
import io.github.zklock.faults.timeline.SeatEnd;
import io.github.zklock.faults.timeline.TimelineBuilder;
import java.util.List;
import org.junit.jupiter.api.Test;

class K7ProgressTest {

    private static final String CALL = "forever exclusive";

    private final TimelineBuilder events = new TimelineBuilder();

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
    void waitDuringAFaultIsNoViolation() {
        events.asked("a", 0, CALL).event("server-1", 100, Kind.KILLED).granted("a", 60_000, 1);

        assertThat(violations()).isEmpty();
    }

    @Test
    void waitBehindAHolderIsFine() {
        events.granted("b", 0, 1).sample("b", 0, 30_000).released("b", 29_000, "ok");
        events.asked("a", 10, CALL).granted("a", 29_100, 2);

        assertThat(violations()).isEmpty();
    }

    @Test
    void forgottenWaiterIsFoundWhenItGivesUp() {
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
    void stallExtendsTheTolerance() {
        events.granted("b", 0, 1).sample("b", 0, 100).sample("b", 5000, 100).released("b", 5001, "ok");
        events.event("b", 10_000, Kind.STALLED, "nanos", 4_900_000_000L);
        events.asked("a", 10, CALL).granted("a", 13_000, 2);

        assertThat(violations()).isEmpty();
    }

    @Test
    void earlierStallExtendsNoTolerance() {
        events.event("b", 4990, Kind.STALLED, "nanos", 4_900_000_000L);
        events.granted("b", 0, 1).sample("b", 0, 30_000).released("b", 5001, "ok");
        events.asked("a", 10, CALL).granted("a", 13_000, 2);

        assertThat(violations()).singleElement().asString().contains("a's call", "7999 ms");
    }

    @Test
    void overtakenCallIsFoundEvenIfAFaultFollows() {
        events.asked("late", 0, CALL);
        events.asked("other", 6000, CALL).granted("other", 6100, 1).released("other", 6200, "ok");
        events.event("server-1", 6250, Kind.PAUSED)
                .event("server-1", 6260, Kind.RESUMED)
                .granted("late", 6300, 2);

        assertThat(violations()).singleElement().asString().contains("late's call", "6000 ms later in a quiet period");
    }

    @Test
    void healingWithoutAFaultExcusesNothing() {
        events.asked("late", 0, CALL);
        events.asked("other", 6000, CALL).granted("other", 6100, 1).released("other", 6200, "ok");
        events.event("ensemble", 6250, Kind.HEALED).granted("late", 6300, 2);

        assertThat(violations()).singleElement().asString().contains("late's call");
    }

    @Test
    void waiterThatIsKilledAfterALongWaitIsFound() {
        events.asked("a", 0, CALL).event("a", 9000, Kind.KILLED);

        assertThat(violations()).singleElement().asString().contains("answered with KILLED", "9000 ms");
    }

    @Test
    void unsampledHolderHoldsUntilItIsKilled() {
        events.event("b", 0, Kind.READY).granted("b", 0, 1).asked("a", 10, CALL);
        events.event("b", 60_000, Kind.KILLED).granted("a", 63_000, 2);

        assertThat(violations()).isEmpty();
    }

    @Test
    void forgottenWaiterForAPermitIsFound() {
        events.made(0, 1, "permits-1-of-2-").held("a", 0, 1, "permits-1-of-2", 60_000);
        events.made(10, 2, "permits-1-of-2-").held("c", 9000, 2, "permits-1-of-2", 51_000);
        events.released("a", 60_000, "ok").released("c", 60_000, "ok");

        assertThat(violations()).singleElement().asString().contains("c#1", "8990 ms after it was its turn");
    }

    @Test
    void aSeatAtTheFrontThatNobodyUsesIsFound() {
        events.made(0, 1).ended(9000, 1, SeatEnd.RELEASED);

        assertThat(violations()).singleElement().asString().contains("was not granted", "9000 ms");
    }

    @Test
    void aSeatWhoseCallIsCountedIsNotJudged() {
        events.made(0, 1).ended(9000, 1, SeatEnd.RELEASED).event("a", 0, Kind.COUNTED, "locks", "lock");

        assertThat(violations()).isEmpty();
    }

    @Test
    void aSeatAtTheFrontOfAProcessThatWasKilledGoesWithItsSession() {
        events.made(0, 1).event("a", 1, Kind.READY, "session", "s1").event("a", 10, Kind.KILLED);
        events.ended(9000, 1, SeatEnd.EXPIRED);

        assertThat(violations()).isEmpty();
    }

    @Test
    void overtakenCallIsFound() {
        events.asked("late", 0, "forever exclusive");
        events.asked("other", 6000, "forever exclusive")
                .granted("other", 6100, 1)
                .released("other", 6200, "ok");
        events.granted("late", 6300, 2);

        assertThat(violations()).singleElement().asString().contains("late's call", "6000 ms later in a quiet period");
    }

    @Test
    void processThatReleasedJoinsTheQueueBehindWaiters() {
        events.granted("late", 0, 1).event("late", 10, Kind.REQUESTED, "callNumber", 2, "call", CALL);
        events.released("late", 6000, "ok").asked("other", 6050, CALL).granted("other", 6100, 2);
        events.released("other", 6200, "ok");
        events.event(
                "late",
                6300,
                Kind.GRANTED,
                "hold",
                2,
                "callNumber",
                2,
                "token",
                9,
                "session",
                "s1",
                "spec",
                "exclusive");

        assertThat(violations()).isEmpty();
    }

    @Test
    void callBehindALongHolderMayBeGrantedAfterOthersBehindIt() {
        events.asked("holder", 0, CALL)
                .asked("late", 10, CALL)
                .granted("holder", 20, 1)
                .released("holder", 6000, "ok");
        events.asked("other", 6050, CALL).granted("other", 6100, 2).released("other", 6200, "ok");
        events.granted("late", 6300, 3);

        assertThat(violations()).isEmpty();
    }

    @Test
    void aWriterThatIsOvertakenByReadersIsFoundAlsoIfOneOfThemReadBefore() {
        events.held("early", 0, 1, "read", 7000).asked("writer", 10, "forever write");
        events.asked("reader", 6050, "forever read").granted("reader", 6100, 2, "s2", "read");
        events.released("reader", 6200, "ok").released("early", 6210, "ok");
        events.granted("writer", 6300, 3, "s3", "write");

        assertThat(violations())
                .singleElement()
                .asString()
                .contains("writer's call", "6040 ms later in a quiet period");
    }

    @Test
    void overtakingDuringAFaultIsNoViolation() {
        events.held("holder", 0, 3, "exclusive", 5800).asked("late", 0, CALL).event("server-1", 5900, Kind.KILLED);
        events.asked("other", 6000, "forever exclusive")
                .granted("other", 6100, 1)
                .released("other", 6200, "ok");
        events.event("ensemble", 6250, Kind.HEALED).granted("late", 6300, 2);

        assertThat(violations()).isEmpty();
    }

    private List<Violation> violations() {
        return new K7Progress(events.timeline()).violations();
    }
}
