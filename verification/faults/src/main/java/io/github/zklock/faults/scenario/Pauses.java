package io.github.zklock.faults.scenario;

import static io.github.zklock.faults.stage.Stage.T;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.faults.record.Event;
import io.github.zklock.faults.record.Event.Kind;
import io.github.zklock.faults.stage.Cast;
import io.github.zklock.faults.stage.ClientProcess;
import io.github.zklock.faults.stage.FaultScenario;
import io.github.zklock.faults.stage.Stage;
import io.github.zklock.faults.stage.Tier;
import java.time.Duration;

/** A holder that is stopped, as by a garbage collection, and does not know for how long it was. */
public class Pauses {

    private static final String NOT_HELD = "false";

    @FaultScenario(value = "S1", tier = Tier.SMOKE, grants = 20, handOvers = 6, losses = 1, refused = 1, faults = 3)
    public void aHolderThatWasPausedKnowsByItsClockAloneWhetherItStillHolds(Stage stage) {
        Cast cast = Cast.together(stage);
        cast.loop();
        ClientProcess holder = cast.holder();

        Event half = pauseFor(stage, holder, T.dividedBy(2));
        stage.timeline()
                .await(
                        "the proof of a session that lived on",
                        half.at(),
                        event -> isAnswer(event, holder) && !event.text("held").equals(NOT_HELD));
        assertThat(stage.release(holder).text("result")).isEqualTo("ok");

        Event whole = pauseFor(stage, holder, T);
        assertThat(firstAnswer(stage, holder, whole)).isEqualTo(NOT_HELD);
        // lost or not: the servers' ticks decide, and the checkers know
        stage.release(holder);

        Event twice = pauseFor(stage, holder, T.multipliedBy(2));
        assertThat(firstAnswer(stage, holder, twice)).isEqualTo(NOT_HELD);
        assertThat(grantsToOthersBetween(stage, holder, twice.at() - T.toNanos(), twice.at()))
                .isGreaterThan(1);
        stage.await(Kind.LOST, holder, twice.at());
        assertThat(stage.release(holder).text("result")).isEqualTo("lost");

        stage.hold(holder);
        stage.release(holder);
    }

    private static Event pauseFor(Stage stage, ClientProcess holder, Duration time) {
        stage.hold(holder);
        Event paused = stage.pause(holder);
        stage.lastUntil(paused, time);
        return stage.resume(holder);
    }

    /** What the handle answers first, long before anything can have come from the servers. */
    private static String firstAnswer(Stage stage, ClientProcess holder, Event resumed) {
        return stage.timeline()
                .await("an answer of the handle", resumed.at(), event -> isAnswer(event, holder))
                .text("held");
    }

    private static boolean isAnswer(Event event, ClientProcess holder) {
        return event.is(Kind.SAMPLE, holder.name());
    }

    private static long grantsToOthersBetween(Stage stage, ClientProcess holder, long from, long to) {
        return stage.timeline()
                .count(event -> event.is(Kind.GRANTED)
                        && !event.source().equals(holder.name())
                        && event.at() > from
                        && event.at() < to);
    }
}
