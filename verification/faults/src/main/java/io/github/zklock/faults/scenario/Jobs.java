package io.github.zklock.faults.scenario;

import static io.github.zklock.faults.context.ScenarioContext.T;

import io.github.zklock.faults.cluster.WallClock;
import io.github.zklock.faults.context.ClientOptions;
import io.github.zklock.faults.context.ClientProcess;
import io.github.zklock.faults.context.FaultScenario;
import io.github.zklock.faults.context.ScenarioContext;
import io.github.zklock.faults.context.ScenarioSkippedException;
import io.github.zklock.faults.context.Tier;
import io.github.zklock.faults.context.Variant;
import io.github.zklock.faults.context.Variant.Surface;
import io.github.zklock.faults.timeline.Event;
import io.github.zklock.faults.timeline.Event.Kind;
import java.time.Duration;
import java.util.List;

/** Processes that all try to run the same job, which may run once per window. */
public class Jobs {

    private static final String NAME = "closing";
    private static final Duration WINDOW = T.multipliedBy(2);
    private static final Duration WORK = Duration.ofMillis(50);
    private static final Duration HOUR = Duration.ofHours(1);
    private static final int WINDOWS = 3;

    /** A run may be early by a tenth of its window, and its report is late. */
    private static final Duration SHORTEST = WINDOW.multipliedBy(8).dividedBy(10);

    @FaultScenario(
            value = "S32",
            grants = WINDOWS,
            faults = 2,
            kinds = Variant.Kind.EXCLUSIVE,
            surfaces = {Surface.REGISTRY, Surface.FUTURE},
            peers = true)
    public void aJobRunsOncePerWindowAlthoughTheClocksDifferByAnHour(ScenarioContext context) {
        requireJobs(context);
        WallClock clock = context.wallClock();
        String servers = context.ensemble().connectStringWithout();
        ClientProcess right = context.client("right", servers);
        ClientProcess wrong = context.client("wrong", servers, ClientOptions.withClock(clock));
        context.awaitReady();

        context.set(clock, HOUR);
        run(right, WORK);
        Event first = context.await(Kind.GRANTED, right, 0);
        run(wrong, WORK);
        context.lastUntil(first, WINDOW.plus(T.dividedBy(2)));
        context.set(clock, HOUR.negated());
        context.lastUntil(first, WINDOW.multipliedBy(WINDOWS));

        assertOncePerWindow(context);
    }

    @FaultScenario(
            value = "S32",
            grants = 2,
            handOvers = 1,
            kinds = Variant.Kind.EXCLUSIVE,
            surfaces = {Surface.REGISTRY, Surface.FUTURE})
    public void theRunOfAProcessThatDiesCountsUntilItsWindowIsOver(ScenarioContext context)
            throws InterruptedException {
        String servers = context.ensemble().connectStringWithout();
        ClientProcess dying = context.client("dying", servers);
        ClientProcess other = context.client("other", servers);
        context.awaitReady();

        run(dying, WINDOW);
        Event begun = context.await(Kind.GRANTED, dying, 0);
        run(other, WORK);
        context.lastUntil(begun, T.dividedBy(4));
        context.kill(dying);
        context.await(Kind.GRANTED, other, begun.at());

        assertOncePerWindow(context);
    }

    @FaultScenario(
            value = "S32",
            tier = Tier.ALL,
            grants = WINDOWS,
            faults = 2,
            kinds = Variant.Kind.EXCLUSIVE,
            surfaces = {Surface.REGISTRY, Surface.FUTURE})
    public void aJobRunsOncePerWindowAlthoughTheServersAreElectedAnew(ScenarioContext context) {
        String servers = context.ensemble().connectStringWithout();
        ClientProcess first = context.client("first", servers);
        ClientProcess second = context.client("second", servers);
        context.awaitReady();
        run(first, WORK);
        run(second, WORK);
        Event begun = context.awaitGrantOf("exclusive@" + NAME, 0);

        context.pause(context.ensemble().leader());
        context.lastUntil(begun, WINDOW);
        context.heal();
        context.pause(first);
        context.lastUntil(begun, WINDOW.multipliedBy(2));
        Event resumed = context.resume(first);
        context.lastUntil(resumed, WINDOW);

        assertOncePerWindow(context);
    }

    private static void requireJobs(ScenarioContext context) {
        if (context.variant().engine().equals("spring-integration")) {
            throw new ScenarioSkippedException("it has no jobs");
        }
    }

    private static void run(ClientProcess client, Duration work) {
        client.send("job %d %d %s".formatted(WINDOW.toMillis(), work.toMillis(), NAME));
    }

    private static void assertOncePerWindow(ScenarioContext context) {
        List<Event> runs = context.timeline().events().stream()
                .filter(event -> event.is(Kind.GRANTED) && event.text("spec").equals("exclusive@" + NAME))
                .toList();
        for (int i = 1; i < runs.size(); i++) {
            Event before = runs.get(i - 1);
            Event run = runs.get(i);
            Duration between = Duration.ofNanos(run.at() - before.at());
            if (between.compareTo(SHORTEST) < 0) {
                throw new AssertionError("%s ran again after %d ms, although a run of %s counts for %d ms"
                        .formatted(run.source(), between.toMillis(), before.source(), WINDOW.toMillis()));
            }
        }
    }
}
