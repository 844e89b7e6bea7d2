package io.github.zklock.faults.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.faults.timeline.Event.Kind;
import io.github.zklock.faults.timeline.TimelineBuilder;
import java.util.List;
import org.junit.jupiter.api.Test;

class K9HandlesTest {

    private final TimelineBuilder events = new TimelineBuilder();

    @Test
    void aReleaseThatForgetsAnInterruptIsFound() {
        events.granted("a", 0, 1).event("a", 10, Kind.RELEASING, "hold", 1, "interrupted", true);
        events.event("a", 11, Kind.CLOSED, "hold", 1, "result", "ok", "interrupted", false);
        events.granted("b", 0, 2).event("b", 10, Kind.RELEASING, "hold", 1, "interrupted", true);
        events.event("b", 11, Kind.CLOSED, "hold", 1, "result", "ok", "interrupted", true);

        assertThat(violations()).singleElement().asString().contains("a#1", "lost the interrupt");
    }

    @Test
    void aReleaseThatIsWaitedForIsFound() {
        events.granted("a", 0, 1).event("a", 10, Kind.RELEASING, "hold", 1);
        events.event("a", 3010, Kind.CLOSED, "hold", 1, "result", "ok");

        assertThat(violations()).singleElement().asString().contains("a#1", "3000 ms");
    }

    @Test
    void aGrantThatIsNotHeldIsFound() {
        events.granted("a", 20_000, 1).sample("a", 20_001, 0);

        assertThat(violations()).singleElement().asString().contains("a#1", "was not held");
    }

    @Test
    void aGrantOfAProcessThatWasStoppedOnTheWayNeedNotBeHeld() {
        events.event("a", 0, Kind.READY).event("a", 10_000, Kind.PAUSED).event("a", 19_999, Kind.RESUMED);
        events.granted("a", 20_000, 1).sample("a", 20_001, 0);

        assertThat(violations()).isEmpty();
    }

    @Test
    void notHeldInAQuietPeriodIsFound() {
        events.granted("a", 20_000, 1).sample("a", 20_001, 3000).sample("a", 26_000, 0);

        assertThat(violations()).singleElement().asString().contains("a#1", "was not held 6000 ms after its grant");
    }

    @Test
    void handleMayAnswerNotHeldInAnOutageAndSoonAfterwards() {
        events.event("ensemble", 22_000, Kind.CUT).event("ensemble", 24_000, Kind.HEALED);
        events.granted("a", 20_000, 1)
                .sample("a", 23_900, 0)
                .sample("a", 24_500, 0)
                .sample("a", 24_600, 3000);

        assertThat(violations()).isEmpty();
    }

    @Test
    void aLongerSessionMayBeProvenLaterAfterAnOutage() {
        events.event("ensemble", 22_000, Kind.CUT).event("ensemble", 24_000, Kind.HEALED);
        events.event("a", 1, Kind.READY, "timeout", 30_000);
        events.granted("a", 20_000, 1).sample("a", 40_000, 0).sample("a", 40_010, 3000);

        assertThat(violations()).isEmpty();

        events.sample("a", 60_000, 0);

        assertThat(new K9Handles(events.timeline()).violations()).hasSize(1);
    }

    @Test
    void handleMayAnswerNotHeldAfterAStall() {
        events.granted("a", 20_000, 1).sample("a", 23_000, 0).sample("a", 23_010, 3000);
        events.event("b", 22_900, Kind.STALLED, "nanos", 2_500_000_000L);

        assertThat(violations()).isEmpty();
    }

    @Test
    void lostLockIsNotHeld() {
        events.granted("a", 20_000, 1).lost("a", 21_000).sample("a", 30_000, 0);

        assertThat(violations()).isEmpty();
    }

    @Test
    void closedRegistryHoldsNothing() {
        events.granted("a", 20_000, 1).event("a", 25_000, Kind.REGISTRY_CLOSED).sample("a", 30_000, 0);

        assertThat(violations()).isEmpty();
    }

    @Test
    void aHandleThatAnswersLateIsFound() {
        events.granted("a", 0, 1).sample("a", 1, 2000, 100);

        assertThat(violations()).singleElement().asString().contains("handle of a#1", "1999 ms");
    }

    @Test
    void unreportedReleaseIsFound() {
        events.event("a", 0, Kind.READY, "engine", "zklock").granted("a", 1, 1).released("a", 10, "ok");
        events.event("a", 100, Kind.ENDED);

        assertThat(violations()).singleElement().asString().contains("a#1", "was not reported");
    }

    @Test
    void reportedReleaseIsFine() {
        events.event("a", 0, Kind.READY, "engine", "zklock").granted("a", 1, 1).released("a", 10, "ok");
        events.event("a", 20, Kind.RELEASE_SEEN, "hold", 1).event("a", 100, Kind.ENDED);

        assertThat(violations()).isEmpty();
    }

    @Test
    void killedProcessReportsNoRelease() {
        events.event("a", 0, Kind.READY, "engine", "zklock").granted("a", 1, 1).released("a", 10, "ok");
        events.event("a", 12, Kind.KILLED);

        assertThat(violations()).isEmpty();
    }

    @Test
    void releaseBeforeTheCloseOfItsRegistryIsReported() {
        events.event("a", 0, Kind.READY, "engine", "zklock").granted("a", 1, 1).released("a", 10, "ok");
        events.event("a", 50, Kind.REGISTRY_CLOSED).event("a", 100, Kind.ENDED);

        assertThat(violations()).singleElement().asString().contains("a#1", "was not reported");
    }

    @Test
    void unknownOutcomeOfAReleaseIsReported() {
        events.event("a", 0, Kind.READY, "engine", "zklock").granted("a", 1, 1);
        events.event("ensemble", 5, Kind.CUT).released("a", 10, "ok");
        events.event("a", 90, Kind.RELEASE_UNKNOWN, "hold", 1).event("a", 100, Kind.ENDED);

        assertThat(violations()).isEmpty();
    }

    @Test
    void notHeldAfterReopeningIsFound() {
        events.event("a", 100, Kind.REGISTRY_CLOSED).granted("a", 20_000, 1).sample("a", 26_000, 0);

        assertThat(violations()).singleElement().asString().contains("a#1", "was not held");
    }

    @Test
    void notHeldLongBeforeTheCloseIsFound() {
        events.granted("a", 20_000, 1).sample("a", 26_000, 0).event("a", 40_000, Kind.REGISTRY_CLOSED);

        assertThat(violations()).singleElement().asString().contains("a#1", "was not held");
    }

    @Test
    void unknownReleaseInAQuietPeriodIsFoundEvenIfItsRegistryIsClosed() {
        events.event("a", 0, Kind.READY, "engine", "zklock")
                .granted("a", 20_000, 1)
                .released("a", 20_010, "ok");
        events.event("a", 20_020, Kind.RELEASE_UNKNOWN, "hold", 1).event("a", 20_050, Kind.REGISTRY_CLOSED);
        events.event("a", 20_100, Kind.ENDED);

        assertThat(violations()).singleElement().asString().contains("a#1", "reported as unknown");
    }

    private List<Violation> violations() {
        return new K9Handles(events.timeline()).violations();
    }
}
