package io.github.zklock.faults.scenario;

import static io.github.zklock.faults.context.ScenarioContext.T;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.faults.context.ClientProcess;
import io.github.zklock.faults.context.FaultScenario;
import io.github.zklock.faults.context.ScenarioContext;
import io.github.zklock.faults.context.ThreeClients;
import io.github.zklock.faults.context.Tier;
import io.github.zklock.faults.timeline.Event;
import io.github.zklock.faults.timeline.Event.Kind;
import java.time.Duration;

/** A holder that is paused, as by a garbage collection, without knowing for how long. */
public class Pauses {

    private static final String NOT_HELD = "false";

    @FaultScenario(value = "S1", tier = Tier.SMOKE, grants = 20, handOvers = 6, losses = 1, refused = 1, faults = 3)
    public void aHolderThatWasPausedKnowsByItsClockAloneWhetherItStillHolds(ScenarioContext context) {
        ThreeClients clients = ThreeClients.together(context);
        clients.loop();
        ClientProcess holder = clients.holder();

        Event half = pauseFor(context, holder, T.dividedBy(2));
        context.timeline()
                .await(
                        "an answer 'held' after the pause",
                        half.at(),
                        event -> isAnswer(event, holder) && !event.text("held").equals(NOT_HELD));
        assertThat(context.release(holder).text("result")).isEqualTo("ok");

        Event whole = pauseFor(context, holder, T);
        assertThat(firstAnswer(context, holder, whole)).isEqualTo(NOT_HELD);
        // lost or not: that depends on the servers' ticks
        context.release(holder);

        Event twice = pauseFor(context, holder, T.multipliedBy(2));
        assertThat(firstAnswer(context, holder, twice)).isEqualTo(NOT_HELD);
        assertThat(grantsToOthersBetween(context, holder, twice.at() - T.toNanos(), twice.at()))
                .isGreaterThan(1);
        context.await(Kind.LOST, holder, twice.at());
        assertThat(context.release(holder).text("result")).isEqualTo("lost");

        context.hold(holder);
        context.release(holder);
    }

    private static Event pauseFor(ScenarioContext context, ClientProcess holder, Duration time) {
        context.hold(holder);
        Event paused = context.pause(holder);
        context.lastUntil(paused, time);
        return context.resume(holder);
    }

    /** Returns the first answer of the handle, which comes before any message of the servers. */
    private static String firstAnswer(ScenarioContext context, ClientProcess holder, Event resumed) {
        return context.timeline()
                .await("an answer of the handle", resumed.at(), event -> isAnswer(event, holder))
                .text("held");
    }

    private static boolean isAnswer(Event event, ClientProcess holder) {
        return event.is(Kind.SAMPLE, holder.name());
    }

    private static long grantsToOthersBetween(ScenarioContext context, ClientProcess holder, long from, long to) {
        return context.timeline()
                .count(event -> event.is(Kind.GRANTED)
                        && !event.source().equals(holder.name())
                        && event.at() > from
                        && event.at() < to);
    }
}
