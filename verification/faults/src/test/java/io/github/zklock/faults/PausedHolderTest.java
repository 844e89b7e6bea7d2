package io.github.zklock.faults;

import static io.github.zklock.faults.Scenario.T;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.faults.Event.Kind;
import java.time.Duration;

class PausedHolderTest {

    private static final String NOT_HELD = "false";

    @FaultScenario(value = "S1", grants = 20, handOvers = 6, losses = 1, faults = 3)
    void aHolderThatWasPausedKnowsByItsClockAloneWhetherItStillHolds(Scenario scenario) {
        Cast cast = Cast.together(scenario);
        cast.loop("2 20 exclusive");
        ClientProcess holder = cast.holder();

        Event half = pauseFor(scenario, holder, T.dividedBy(2));
        scenario.timeline()
                .await(
                        "the proof of a session that lived on",
                        half.at(),
                        event -> isAnswer(event, holder) && !event.text("held").equals(NOT_HELD));
        assertThat(scenario.release(holder).text("result")).isEqualTo("ok");

        Event whole = pauseFor(scenario, holder, T);
        assertThat(firstAnswer(scenario, holder, whole)).isEqualTo(NOT_HELD);
        // lost or not: the servers' ticks decide, and the checkers know
        scenario.release(holder);

        Event twice = pauseFor(scenario, holder, T.multipliedBy(2));
        assertThat(firstAnswer(scenario, holder, twice)).isEqualTo(NOT_HELD);
        assertThat(grantsToOthersBetween(scenario, holder, twice.at() - T.toNanos(), twice.at()))
                .isGreaterThan(1);
        scenario.await(Kind.LOST, holder, twice.at());
        assertThat(scenario.release(holder).text("result")).isEqualTo("lost");

        scenario.hold(holder);
        scenario.release(holder);
    }

    private static Event pauseFor(Scenario scenario, ClientProcess holder, Duration time) {
        scenario.hold(holder);
        Event paused = scenario.pause(holder);
        scenario.lastUntil(paused, time);
        return scenario.resume(holder);
    }

    /** What the handle answers first, long before anything can have come from the servers. */
    private static String firstAnswer(Scenario scenario, ClientProcess holder, Event resumed) {
        return scenario.timeline()
                .await("an answer of the handle", resumed.at(), event -> isAnswer(event, holder))
                .text("held");
    }

    private static boolean isAnswer(Event event, ClientProcess holder) {
        return event.is(Kind.SAMPLE, holder.name());
    }

    private static long grantsToOthersBetween(Scenario scenario, ClientProcess holder, long from, long to) {
        return scenario.timeline()
                .count(event -> event.is(Kind.GRANTED)
                        && !event.source().equals(holder.name())
                        && event.at() > from
                        && event.at() < to);
    }
}
