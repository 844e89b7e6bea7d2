package io.github.zklock.faults.context;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.faults.timeline.Event;
import io.github.zklock.faults.timeline.Event.Kind;
import io.github.zklock.faults.timeline.TimelineBuilder;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class BystanderTest {

    private static final String CALL = "acquire-300 exclusive@busy";

    private final TimelineBuilder events = new TimelineBuilder()
            .granted("loaded", 0, TimelineBuilder.token(1, 0), "s1", "exclusive@kept")
            .sample("loaded", 10, 2_000)
            .event("loaded", 20, Kind.REQUESTED, "callNumber", 7, "call", CALL)
            .event("loaded", 330, Kind.TIMEOUT, "callNumber", 7);

    private final Bystander bystander = new Bystander(events.timeline(), "loaded");

    @Test
    void heldLockAndTimelyAnswersAreNoHarm() {
        assertThat(bystander.harm(Duration.ZERO)).isEmpty();

        Event figures = events.timeline().events(Kind.MEASURED).get(0);
        assertThat(figures.text("held_lock")).isEqualTo("kept");
        assertThat(figures.text("slowest_limited_call")).isEqualTo("310_ms");
    }

    @Test
    void lateAnswerIsHarm() {
        events.event("loaded", 400, Kind.REQUESTED, "callNumber", 2, "call", CALL)
                .event("loaded", 1_100, Kind.TIMEOUT, "callNumber", 2);

        assertThat(bystander.harm(Duration.ZERO)).containsExactly("a call limited to 300 ms was answered after 700 ms");
    }

    @Test
    void missingAnswerIsHarm() {
        // an instant of this timeline is long ago on the clock of this process
        events.event("loaded", 400, Kind.REQUESTED, "callNumber", 2, "call", CALL);

        assertThat(bystander.harm(Duration.ZERO)).singleElement().asString().contains("300 ms");
    }

    @Test
    void stallOfTheMachineExtendsTheLimit() {
        events.event("loaded", 400, Kind.REQUESTED, "callNumber", 2, "call", CALL)
                .event("loaded", 1_000, Kind.STALLED, "nanos", 500_000_000L)
                .event("loaded", 1_100, Kind.TIMEOUT, "callNumber", 2);

        assertThat(bystander.harm(Duration.ZERO)).isEmpty();
    }

    @Test
    void suspendedLockIsHarmUnlessTheServersWereAway() {
        events.sample("loaded", 100, 0).sample("loaded", 2_100, 2_100, 0).sample("loaded", 2_200, 2_000);

        assertThat(bystander.harm(Duration.ofSeconds(3))).isEmpty();
        assertThat(bystander.harm(Duration.ofSeconds(1)))
                .containsExactly("another lock of the process was suspended for 2000 ms");
    }

    @Test
    void lostLockIsHarm() {
        events.lost("loaded", 500);

        assertThat(bystander.harm(Duration.ZERO)).containsExactly("another lock of the process was lost");
    }
}
