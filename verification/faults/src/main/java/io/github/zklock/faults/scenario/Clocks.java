package io.github.zklock.faults.scenario;

import static io.github.zklock.faults.stage.Stage.T;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.github.zklock.faults.record.Event;
import io.github.zklock.faults.record.Event.Kind;
import io.github.zklock.faults.rig.StoppedClock;
import io.github.zklock.faults.rig.WallClock;
import io.github.zklock.faults.stage.ClientProcess;
import io.github.zklock.faults.stage.Equipment;
import io.github.zklock.faults.stage.FaultScenario;
import io.github.zklock.faults.stage.Stage;
import java.time.Duration;
import java.util.List;

/** Clocks of the wall that somebody sets. */
public class Clocks {

    private static final Duration HOUR = Duration.ofHours(1);
    private static final Duration WAIT = Duration.ofSeconds(2);
    /** Small beside the hour, long enough for the slowest machine. */
    private static final Duration LATE = Duration.ofMinutes(1);

    /*
     * A wall clock that runs away from the monotonic one looks like a machine that was suspended: the holder must not
     * believe in its lock until the servers have confirmed it, and then must. (M19)
     */
    @FaultScenario(value = "S10", grants = 3, handOvers = 2, faults = 3)
    public void aHolderWhoseWallClockIsSetHasItsLockProvenAnewAndLosesNothing(Stage stage) {
        WallClock clock = stage.wallClock();
        String servers = stage.ensemble().connectStringWithout();
        ClientProcess holder = stage.client("holder", servers, Equipment.withClock(clock));
        ClientProcess other = stage.client("other", servers);
        stage.awaitReady();
        Event granted = stage.hold(holder);
        // by then the holder has read the register: what a socket makes of a clock that is set is not the question
        awaitAnswer(stage, holder, granted, "true");

        for (Duration ahead : List.of(HOUR, HOUR.negated(), Duration.ZERO)) {
            Event set = stage.set(clock, ahead);
            assertShows(stage, holder, ahead);
            Event doubted = awaitAnswer(stage, holder, set, "false");
            awaitAnswer(stage, holder, doubted, "true");
            // what loses a lock wrongly does so within a session's life
            stage.lastUntil(set, T);
        }

        assertThat(stage.release(holder).text("result")).isEqualTo("ok");
        stage.hold(other);
        stage.release(other);
        stage.hold(holder);
        stage.release(holder);
    }

    @FaultScenario(value = "S10", grants = 3, handOvers = 2, faults = 3, peers = true)
    public void timedWaitsEndWhenTheyShouldHoweverTheWallClockIsSet(Stage stage) {
        WallClock clock = stage.wallClock();
        String servers = stage.ensemble().connectStringWithout();
        ClientProcess holder = stage.client("holder", servers);
        ClientProcess waiting = stage.client("waiting", servers, Equipment.withClock(clock));
        stage.awaitReady();
        stage.hold(holder);
        String ask = "once 0 acquire-%d " + stage.variant().kind().alone();

        for (Duration ahead : List.of(HOUR, HOUR.negated(), Duration.ZERO)) {
            long now = System.nanoTime();
            waiting.order(ask.formatted(WAIT.toMillis()));
            Event asked = stage.await(Kind.ASKED, waiting, now);
            stage.seating().awaitSeats(2);
            stage.set(clock, ahead);
            assertShows(stage, waiting, ahead);

            Event answer = stage.awaitAnswer(asked);
            assertThat(answer.kind()).as(answer.toString()).isEqualTo(Kind.TIMEOUT);
            // K9 judges how late it may be
            assertThat(Duration.ofNanos(answer.at() - asked.at())).isGreaterThanOrEqualTo(WAIT);
        }

        long now = System.nanoTime();
        waiting.order(ask.formatted(LATE.toMillis()));
        Event asked = stage.await(Kind.ASKED, waiting, now);
        stage.seating().awaitSeats(2);
        stage.set(clock, HOUR);
        stage.release(holder);
        assertThat(stage.awaitAnswer(asked).kind()).isEqualTo(Kind.GRANTED);
        stage.hold(holder);
        stage.release(holder);
    }

    /*
     * Nothing in the process tells it of the time for which all its clocks stood still. The next answer of a server does:
     * the holder must learn of its loss by then, and only tokens refuse what it writes before. (M28)
     */
    @FaultScenario(value = "M28", grants = 3, handOvers = 1, losses = 1, refused = 1, faults = 2)
    public void aHolderWhoseClocksStoodStillIsToldByTheNextAnswer(Stage stage) {
        StoppedClock clock = stage.stoppedClock();
        String servers = stage.ensemble().connectStringWithout();
        ClientProcess holder = stage.client("holder", servers, Equipment.withClock(clock));
        ClientProcess other = stage.client("other", servers);
        stage.awaitReady();
        Event granted = stage.hold(holder);
        awaitAnswer(stage, holder, granted, "true");
        other.order("hold " + stage.variant().kind().alone());
        stage.seating().awaitSeats(2);

        Event paused = stage.pause(holder);
        Event next = stage.await(Kind.GRANTED, other, paused.at());
        // the next holder writes, too
        stage.release(other);
        stage.hold(other);
        stage.lastUntil(next, T.dividedBy(4));
        Event resumed = stage.resume(holder, clock, paused);

        stage.await(Kind.LOST, holder, resumed.at());
        assertThat(stage.release(holder).text("result")).isEqualTo("lost");
        stage.release(other);
    }

    private static Event awaitAnswer(Stage stage, ClientProcess holder, Event after, String held) {
        return stage.timeline()
                .await(
                        "a handle that answers " + held,
                        after.at(),
                        event -> event.is(Kind.SAMPLE, holder.name())
                                && event.text("held").equals(held));
    }

    /** The fault is a fault only if the process sees it, and its events are in order only if they do not. */
    private static void assertShows(Stage stage, ClientProcess client, Duration ahead) {
        long before = System.nanoTime();
        client.order("clock");
        Event told = stage.await(Kind.CLOCK, client, before);

        assertThat(told.at()).as("the monotonic clock of " + client.name()).isBetween(before, System.nanoTime());
        assertThat(told.number("millis") - System.currentTimeMillis())
                .as("the lead of the wall clock of " + client.name())
                .isCloseTo(ahead.toMillis(), within(LATE.toMillis()));
    }
}
