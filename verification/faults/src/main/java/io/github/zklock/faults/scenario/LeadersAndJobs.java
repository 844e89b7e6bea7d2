package io.github.zklock.faults.scenario;

import static io.github.zklock.faults.context.ScenarioContext.T;
import static io.github.zklock.faults.context.Variant.Kind.EXCLUSIVE;
import static io.github.zklock.faults.context.Variant.Surface.FUTURE;
import static io.github.zklock.faults.context.Variant.Surface.REGISTRY;

import io.github.zklock.faults.cluster.ServerProcess;
import io.github.zklock.faults.cluster.WallClock;
import io.github.zklock.faults.context.ClientOptions;
import io.github.zklock.faults.context.ClientProcess;
import io.github.zklock.faults.context.FaultScenario;
import io.github.zklock.faults.context.FaultScenario.Tier;
import io.github.zklock.faults.context.ScenarioContext;
import io.github.zklock.faults.context.ScenarioSkippedException;
import io.github.zklock.faults.context.Variants;
import io.github.zklock.faults.timeline.Event;
import io.github.zklock.faults.timeline.Event.Kind;
import java.time.Duration;
import java.util.List;
import java.util.Random;

/** Processes that are candidates for a leadership, or run the same job. A term and a run are grants. */
@Variants(
        kinds = EXCLUSIVE,
        surfaces = {REGISTRY, FUTURE})
public class LeadersAndJobs {

    private static final String LEADERSHIP = "leadership";
    private static final int FAULTS = 8;
    private static final Duration LIFELONG = Duration.ofDays(1);
    private static final Duration SHORT = Duration.ofMillis(200);
    private static final String JOB = "closing";
    private static final Duration WINDOW = T.multipliedBy(2);
    private static final Duration WORK = Duration.ofMillis(50);
    private static final Duration HOUR = Duration.ofHours(1);
    private static final int WINDOWS = 3;

    /** A run may be early by a hundredth of its window, and its report is late. */
    private static final Duration SHORTEST = WINDOW.multipliedBy(8).dividedBy(10);

    @FaultScenario(value = "S31", tier = Tier.SMOKE, grants = 3, handOvers = 2, losses = 1, faults = 2, peers = true)
    public void aLeaderThatWasPausedKnowsThatItIsNoneBeforeItDoesAnything(ScenarioContext context) {
        List<ClientProcess> candidates = candidates(context, LIFELONG);
        Event first = context.awaitGrantOf("exclusive@" + LEADERSHIP, 0);
        ClientProcess leader = named(candidates, first.source());

        Event paused = context.pause(leader);
        Event next = context.awaitGrantToOthers(leader, paused.at());
        context.lastUntil(next, T.dividedBy(4));
        Event resumed = context.resume(leader);
        context.awaitEndOf(first);

        // the former leader is a candidate again
        ClientProcess second = named(candidates, next.source());
        context.lastUntil(resumed, T.dividedBy(4));
        context.pause(second);
        context.awaitGrantToOthers(second, resumed.at());
        context.resume(second);
        context.awaitEndOf(next);
    }

    @FaultScenario(value = "S31", grants = 2, handOvers = 1, losses = 1, peers = true)
    public void aLeaderBesideAServerThatIsCutOffIsReplacedOnlyWhenItKnows(ScenarioContext context) {
        ServerProcess follower = context.ensemble().follower();
        ClientProcess leader = context.client("candidate-1", follower.connectString());
        context.awaitReady();
        lead(leader, LIFELONG);
        Event first = context.await(Kind.GRANTED, leader, 0);
        String others = context.ensemble().connectStringWithout(follower);
        List<ClientProcess> candidates =
                List.of(context.client("candidate-2", others), context.client("candidate-3", others));
        context.awaitReady();
        candidates.forEach(candidate -> lead(candidate, LIFELONG));

        Event cut = context.isolate(follower);
        Event next = context.awaitGrantToOthers(leader, cut.at());
        context.lastUntil(next, T.dividedBy(4));
        context.heal();

        context.awaitEndOf(first);
    }

    @FaultScenario(value = "S31", tier = Tier.ALL, grants = 20, handOvers = 10, faults = FAULTS, peers = true)
    public void leadersChangeWhileServersAndCandidatesComeAndGo(ScenarioContext context) {
        List<ClientProcess> candidates = candidates(context, SHORT);
        Random random = context.random();
        Event healed = context.awaitGrantOf("exclusive@" + LEADERSHIP, 0);

        for (int fault = 0; fault < FAULTS; fault++) {
            context.lastUntil(healed, T.dividedBy(4));
            ClientProcess candidate = candidates.get(random.nextInt(candidates.size()));
            List<ServerProcess> servers = context.ensemble().servers();
            ServerProcess server = servers.get(random.nextInt(servers.size()));
            Event begun = switch (random.nextInt(4)) {
                case 0 -> context.pause(candidate);
                case 1 -> context.isolateClients();
                case 2 -> context.isolate(server);
                default -> context.pause(server);
            };
            // sessions expire in some of these times, or just not
            context.lastUntil(begun, T.multipliedBy(random.nextInt(4, 14)).dividedBy(8));
            candidates.forEach(context::resume);
            healed = context.heal();
            for (ClientProcess each : candidates) {
                context.await(Kind.GRANTED, each, healed.at());
            }
        }
    }

    private static List<ClientProcess> candidates(ScenarioContext context, Duration term) {
        List<ClientProcess> candidates =
                context.clients(ClientOptions.DEFAULT, "candidate-1", "candidate-2", "candidate-3");
        candidates.forEach(candidate -> lead(candidate, term));
        return candidates;
    }

    private static void lead(ClientProcess candidate, Duration term) {
        candidate.send("lead " + term.toMillis() + " " + LEADERSHIP);
    }

    private static ClientProcess named(List<ClientProcess> candidates, String name) {
        return candidates.stream()
                .filter(candidate -> candidate.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    @FaultScenario(value = "S32", grants = WINDOWS, faults = 2, peers = true)
    public void aJobRunsOncePerWindowAlthoughTheClocksDifferByAnHour(ScenarioContext context) {
        if (context.variant().engine().equals("spring-integration")) {
            throw new ScenarioSkippedException("it has no jobs");
        }
        WallClock clock = context.wallClock();
        ClientProcess right = context.client("right");
        ClientProcess wrong = context.client("wrong", ClientOptions.withClock(clock));
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

    @FaultScenario(value = "S32", grants = 2, handOvers = 1)
    public void theRunOfAProcessThatDiesCountsUntilItsWindowIsOver(ScenarioContext context) {
        ClientProcess dying = context.client("dying");
        ClientProcess other = context.client("other");
        context.awaitReady();

        run(dying, WINDOW);
        Event begun = context.await(Kind.GRANTED, dying, 0);
        run(other, WORK);
        context.lastUntil(begun, T.dividedBy(4));
        context.kill(dying);
        context.await(Kind.GRANTED, other, begun.at());

        assertOncePerWindow(context);
    }

    @FaultScenario(value = "S32", tier = Tier.ALL, grants = WINDOWS, faults = 2)
    public void aJobRunsOncePerWindowAlthoughTheServersAreElectedAnew(ScenarioContext context) {
        ClientProcess first = context.client("first");
        ClientProcess second = context.client("second");
        context.awaitReady();
        run(first, WORK);
        run(second, WORK);
        Event begun = context.awaitGrantOf("exclusive@" + JOB, 0);

        context.pause(context.ensemble().leader());
        context.lastUntil(begun, WINDOW);
        context.heal();
        context.pause(first);
        context.lastUntil(begun, WINDOW.multipliedBy(2));
        Event resumed = context.resume(first);
        context.lastUntil(resumed, WINDOW);

        assertOncePerWindow(context);
    }

    private static void run(ClientProcess client, Duration work) {
        client.send("job %d %d %s".formatted(WINDOW.toMillis(), work.toMillis(), JOB));
    }

    private static void assertOncePerWindow(ScenarioContext context) {
        List<Event> runs = context.timeline().events().stream()
                .filter(event -> event.is(Kind.GRANTED) && event.text("spec").equals("exclusive@" + JOB))
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
