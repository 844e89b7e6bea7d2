package io.github.zklock.faults.scenario;

import static io.github.zklock.faults.context.ScenarioContext.T;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.github.zklock.faults.cluster.StoppedClock;
import io.github.zklock.faults.cluster.WallClock;
import io.github.zklock.faults.context.ClientOptions;
import io.github.zklock.faults.context.ClientProcess;
import io.github.zklock.faults.context.FaultScenario;
import io.github.zklock.faults.context.ScenarioContext;
import io.github.zklock.faults.timeline.Event;
import io.github.zklock.faults.timeline.Event.Kind;
import java.time.Duration;
import java.util.List;

/** Clients whose clocks are set, or stand still. */
public class Clocks {

    private static final Duration HOUR = Duration.ofHours(1);
    private static final Duration WAIT = Duration.ofSeconds(2);
    /** Small beside the hour, and enough for a slow machine. */
    private static final Duration LATE = Duration.ofMinutes(1);

    /*
     * A wall clock that departs from the monotonic clock looks like a suspended machine: the handle must answer "not
     * held" until the servers have confirmed the session, and "held" after that. (M19)
     */
    @FaultScenario(value = "S10", grants = 3, handOvers = 2, faults = 3)
    public void aHolderWhoseWallClockIsSetHasItsLockProvenAnewAndLosesNothing(ScenarioContext context) {
        WallClock clock = context.wallClock();
        String servers = context.ensemble().connectStringWithout();
        ClientProcess holder = context.client("holder", servers, ClientOptions.withClock(clock));
        ClientProcess other = context.client("other", servers);
        context.awaitReady();
        Event granted = context.hold(holder);
        // by then the holder has read the register: the effect of a set clock on sockets is not tested here
        awaitAnswer(context, holder, granted, "true");

        for (Duration ahead : List.of(HOUR, HOUR.negated(), Duration.ZERO)) {
            Event set = context.set(clock, ahead);
            assertShows(context, holder, ahead);
            Event doubted = awaitAnswer(context, holder, set, "false");
            awaitAnswer(context, holder, doubted, "true");
            // a wrong loss would be reported within a session timeout
            context.lastUntil(set, T);
        }

        assertThat(context.release(holder).text("result")).isEqualTo("ok");
        context.hold(other);
        context.release(other);
        context.hold(holder);
        context.release(holder);
    }

    @FaultScenario(value = "S10", grants = 3, handOvers = 2, faults = 3, peers = true)
    public void timedWaitsEndWhenTheyShouldHoweverTheWallClockIsSet(ScenarioContext context) {
        WallClock clock = context.wallClock();
        String servers = context.ensemble().connectStringWithout();
        ClientProcess holder = context.client("holder", servers);
        ClientProcess waiting = context.client("waiting", servers, ClientOptions.withClock(clock));
        context.awaitReady();
        context.hold(holder);
        String ask = "once 0 acquire-%d " + context.variant().kind().exclusive();

        for (Duration ahead : List.of(HOUR, HOUR.negated(), Duration.ZERO)) {
            long now = System.nanoTime();
            waiting.send(ask.formatted(WAIT.toMillis()));
            Event asked = context.await(Kind.REQUESTED, waiting, now);
            context.queues().awaitSeats(2);
            context.set(clock, ahead);
            assertShows(context, waiting, ahead);

            Event answer = context.awaitAnswer(asked);
            assertThat(answer.kind()).as(answer.toString()).isEqualTo(Kind.TIMEOUT);
            // K9 judges how late the answer may be
            assertThat(Duration.ofNanos(answer.at() - asked.at())).isGreaterThanOrEqualTo(WAIT);
        }

        long now = System.nanoTime();
        waiting.send(ask.formatted(LATE.toMillis()));
        Event asked = context.await(Kind.REQUESTED, waiting, now);
        context.queues().awaitSeats(2);
        context.set(clock, HOUR);
        context.release(holder);
        assertThat(context.awaitAnswer(asked).kind()).isEqualTo(Kind.GRANTED);
        context.hold(holder);
        context.release(holder);
    }

    /*
     * No clock of the process shows how long all of its clocks stood still. The next answer of a server does: the loss
     * must be reported by then, and only tokens can reject the writes before. (M28)
     */
    @FaultScenario(value = "M28", grants = 3, handOvers = 1, losses = 1, refused = 1, faults = 2)
    public void aHolderWhoseClocksStoodStillIsToldByTheNextAnswer(ScenarioContext context) {
        StoppedClock clock = context.stoppedClock();
        String servers = context.ensemble().connectStringWithout();
        ClientProcess holder = context.client("holder", servers, ClientOptions.withClock(clock));
        ClientProcess other = context.client("other", servers);
        context.awaitReady();
        Event granted = context.hold(holder);
        awaitAnswer(context, holder, granted, "true");
        other.send("hold " + context.variant().kind().exclusive());
        context.queues().awaitSeats(2);

        Event paused = context.pause(holder);
        Event next = context.await(Kind.GRANTED, other, paused.at());
        // the next holder writes, too
        context.release(other);
        context.hold(other);
        context.lastUntil(next, T.dividedBy(4));
        Event resumed = context.resume(holder, clock, paused);

        context.await(Kind.LOST, holder, resumed.at());
        assertThat(context.release(holder).text("result")).isEqualTo("lost");
        context.release(other);
    }

    private static Event awaitAnswer(ScenarioContext context, ClientProcess holder, Event after, String held) {
        return context.timeline()
                .await(
                        "a handle that answers " + held,
                        after.at(),
                        event -> event.is(Kind.SAMPLE, holder.name())
                                && event.text("held").equals(held));
    }

    /**
     * Checks that the process sees the set wall clock, and that its events do not: their order relies on the monotonic
     * clock.
     */
    private static void assertShows(ScenarioContext context, ClientProcess client, Duration ahead) {
        long before = System.nanoTime();
        client.send("clock");
        Event shown = context.await(Kind.CLOCK, client, before);

        assertThat(shown.at()).as("the monotonic clock of " + client.name()).isBetween(before, System.nanoTime());
        assertThat(shown.number("millis") - System.currentTimeMillis())
                .as("the lead of the wall clock of " + client.name())
                .isCloseTo(ahead.toMillis(), within(LATE.toMillis()));
    }
}
