package io.github.zklock.faults.scenario;

import static io.github.zklock.faults.context.ScenarioContext.T;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.github.zklock.faults.cluster.StoppedClock;
import io.github.zklock.faults.cluster.WallClock;
import io.github.zklock.faults.context.ClientOptions;
import io.github.zklock.faults.context.ClientProcess;
import io.github.zklock.faults.context.FaultScenario;
import io.github.zklock.faults.context.FaultScenario.Tier;
import io.github.zklock.faults.context.ScenarioContext;
import io.github.zklock.faults.context.ThreeClients;
import io.github.zklock.faults.timeline.Event;
import io.github.zklock.faults.timeline.Event.Kind;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;

/** Holders that are paused, whose clocks are set or stand still, or that receive SIGTERM while their threads work. */
public class Pauses {

    private static final String NOT_HELD = "false";
    private static final Duration HOUR = Duration.ofHours(1);
    private static final Duration WAIT = Duration.ofSeconds(2);

    /** Small beside the hour, and enough for a slow machine. */
    private static final Duration LATE = Duration.ofMinutes(1);

    private static final List<String> LOCKS = List.of("first-of-three", "second", "third");
    private static final int LONG_MILLIS = 60_000;

    /** How long another shutdown hook of the process takes: threads continue until the last hook has ended. */
    private static final int HOOK_MILLIS = 1_500;

    @FaultScenario(value = "S1", tier = Tier.SMOKE, grants = 20, handOvers = 6, losses = 1, refused = 1, faults = 3)
    public void aHolderThatWasPausedKnowsByItsClockAloneWhetherItStillHolds(ScenarioContext context) {
        ThreeClients clients = ThreeClients.together(context);
        clients.loop();
        ClientProcess holder = clients.holder();

        Event half = pauseFor(context, holder, T.dividedBy(2));
        context.awaitHeld(holder, true, half.at());
        context.release(holder, "ok");

        Event whole = pauseFor(context, holder, T);
        assertThat(firstAnswer(context, holder, whole)).isEqualTo(NOT_HELD);
        // lost or not: that depends on the servers' ticks
        context.release(holder);

        Event twice = pauseFor(context, holder, T.multipliedBy(2));
        assertThat(firstAnswer(context, holder, twice)).isEqualTo(NOT_HELD);
        assertThat(context.grantsToOthers(holder, twice.at() - T.toNanos(), twice.at()))
                .isGreaterThan(1);
        context.await(Kind.LOST, holder, twice.at());
        context.release(holder, "lost");

        context.holdInTurn(holder);
    }

    private static Event pauseFor(ScenarioContext context, ClientProcess holder, Duration time) {
        context.hold(holder);
        return context.pauseFor(holder, time);
    }

    /** Returns the first answer of the handle, which comes before any message of the servers. */
    private static String firstAnswer(ScenarioContext context, ClientProcess holder, Event resumed) {
        return context.await(Kind.SAMPLE, holder, resumed.at()).text("held");
    }

    /*
     * A wall clock that departs from the monotonic clock looks like a suspended machine: the handle must answer "not
     * held" until the servers have confirmed the session, and "held" after that. (M19)
     */
    @FaultScenario(value = "S10", grants = 3, handOvers = 2, faults = 3)
    public void aHolderWhoseWallClockIsSetHasItsLockProvenAnewAndLosesNothing(ScenarioContext context) {
        WallClock clock = context.wallClock();
        ClientProcess holder = context.client("holder", ClientOptions.withClock(clock));
        ClientProcess other = context.client("other");
        context.awaitReady();
        Event granted = context.hold(holder);
        // by then the holder has read the register: the effect of a set clock on sockets is not tested here
        context.awaitHeld(holder, true, granted.at());

        for (Duration ahead : List.of(HOUR, HOUR.negated(), Duration.ZERO)) {
            Event set = context.set(clock, ahead);
            assertShows(context, holder, ahead);
            Event doubted = context.awaitHeld(holder, false, set.at());
            context.awaitHeld(holder, true, doubted.at());
            // a wrong loss would be reported within a session timeout
            context.lastUntil(set, T);
        }

        context.release(holder, "ok");
        context.holdInTurn(other, holder);
    }

    @FaultScenario(value = "S10", grants = 3, handOvers = 2, faults = 3, peers = true)
    public void timedWaitsEndWhenTheyShouldHoweverTheWallClockIsSet(ScenarioContext context) {
        WallClock clock = context.wallClock();
        ClientProcess holder = context.client("holder");
        ClientProcess waiting = context.client("waiting", ClientOptions.withClock(clock));
        context.awaitReady();
        context.hold(holder);
        String ask = "once 0 acquire-%d " + context.exclusive();

        for (Duration ahead : List.of(HOUR, HOUR.negated(), Duration.ZERO)) {
            Event asked = context.send(waiting, ask.formatted(WAIT.toMillis()), Kind.REQUESTED);
            context.queues().awaitSeats(2);
            context.set(clock, ahead);
            assertShows(context, waiting, ahead);

            Event answer = context.awaitAnswer(asked);
            assertThat(answer.kind()).as(answer.toString()).isEqualTo(Kind.TIMEOUT);
            // K9 judges how late the answer may be
            assertThat(Duration.ofNanos(answer.at() - asked.at())).isGreaterThanOrEqualTo(WAIT);
        }

        Event asked = context.send(waiting, ask.formatted(LATE.toMillis()), Kind.REQUESTED);
        context.queues().awaitSeats(2);
        context.set(clock, HOUR);
        context.release(holder);
        assertThat(context.awaitAnswer(asked).kind()).isEqualTo(Kind.GRANTED);
        context.holdInTurn(holder);
    }

    /*
     * No clock of the process shows how long all of its clocks stood still. The next answer of a server does: the loss
     * must be reported by then, and only tokens can reject the writes before. (M28)
     */
    @FaultScenario(value = "M28", grants = 3, handOvers = 1, losses = 1, refused = 1, faults = 2)
    public void aHolderWhoseClocksStoodStillIsToldByTheNextAnswer(ScenarioContext context) {
        StoppedClock clock = context.stoppedClock();
        ClientProcess holder = context.client("holder", ClientOptions.withClock(clock));
        ClientProcess other = context.client("other");
        context.awaitReady();
        Event granted = context.hold(holder);
        context.awaitHeld(holder, true, granted.at());
        context.queue(other, 2);

        Event paused = context.pause(holder);
        Event next = context.await(Kind.GRANTED, other, paused.at());
        // the next holder writes, too
        context.release(other);
        context.hold(other);
        context.lastUntil(next, T.dividedBy(4));
        Event resumed = context.resume(holder, clock, paused);

        context.await(Kind.LOST, holder, resumed.at());
        context.release(holder, "lost");
        context.release(other);
    }

    /**
     * Checks that the process sees the set wall clock, and that its events do not: their order relies on the monotonic
     * clock.
     */
    private static void assertShows(ScenarioContext context, ClientProcess client, Duration ahead) {
        long before = System.nanoTime();
        Event shown = context.send(client, "clock", Kind.CLOCK);

        assertThat(shown.at()).as("the monotonic clock of " + client.name()).isBetween(before, System.nanoTime());
        assertThat(shown.number("millis") - System.currentTimeMillis())
                .as("the lead of the wall clock of " + client.name())
                .isCloseTo(ahead.toMillis(), within(LATE.toMillis()));
    }

    /**
     * The threads of a JVM continue while its shutdown hooks run, so a lock that such a hook releases is in use. (M31)
     */
    @FaultScenario(value = "M31", grants = 6, handOvers = 3)
    public void aProcessThatIsAskedToEndKeepsTheLocksOfThreadsThatGoOn(ScenarioContext context) {
        String exclusive = context.exclusive();
        ClientProcess working =
                context.client("working", ClientOptions.withOptions("-Dfaults.slow-exit=" + HOOK_MILLIS));
        ClientProcess other = context.client("other");
        context.awaitReady();
        for (String lock : LOCKS) {
            working.send("once " + LONG_MILLIS + " forever " + exclusive + "@" + lock);
        }
        context.queues().awaitSeats(LOCKS.size());
        for (String lock : LOCKS) {
            context.awaitGrantOf("@" + lock, working, 0);
            other.send("once 50 forever " + exclusive + "@" + lock);
        }
        context.queues().awaitSeats(2 * LOCKS.size());

        Event ended = context.terminate(working);

        for (String lock : LOCKS) {
            Event granted = context.awaitGrantOf("@" + lock, other, ended.at());
            lastWork(context, working, lock)
                    .ifPresent(last -> assertThat((granted.at() - last) / 1_000_000)
                            .as(
                                    "K1: milliseconds from the last work of a thread of %s under %s to the next grant,"
                                            + " %s",
                                    working.name(), lock, granted)
                            .isNotNegative());
        }
    }

    /** Returns when a thread last asked its handle without having released the lock. */
    private static OptionalLong lastWork(ScenarioContext context, ClientProcess client, String lock) {
        return context.timeline().holds().stream()
                .filter(hold -> hold.source().equals(client.name())
                        && hold.spec().lock().equals(lock)
                        && hold.releasingAt().isEmpty())
                .flatMapToLong(hold -> hold.samples().stream().mapToLong(sample -> sample.before()))
                .max();
    }
}
