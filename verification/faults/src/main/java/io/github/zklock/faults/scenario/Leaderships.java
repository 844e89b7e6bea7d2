package io.github.zklock.faults.scenario;

import static io.github.zklock.faults.context.ScenarioContext.T;

import io.github.zklock.faults.cluster.ServerProcess;
import io.github.zklock.faults.context.ClientProcess;
import io.github.zklock.faults.context.FaultScenario;
import io.github.zklock.faults.context.ScenarioContext;
import io.github.zklock.faults.context.Tier;
import io.github.zklock.faults.context.Variant;
import io.github.zklock.faults.context.Variant.Surface;
import io.github.zklock.faults.timeline.Event;
import io.github.zklock.faults.timeline.Event.Kind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Processes that are candidates for a leadership. A term is a grant: no two of them may overlap. */
public class Leaderships {

    private static final String NAME = "leadership";
    private static final int CANDIDATES = 3;
    private static final int FAULTS = 8;
    private static final Duration LIFELONG = Duration.ofDays(1);
    private static final Duration SHORT = Duration.ofMillis(200);

    @FaultScenario(
            value = "S31",
            tier = Tier.SMOKE,
            grants = 3,
            handOvers = 2,
            losses = 1,
            faults = 2,
            kinds = Variant.Kind.EXCLUSIVE,
            surfaces = {Surface.REGISTRY, Surface.FUTURE},
            peers = true)
    public void aLeaderThatWasPausedKnowsThatItIsNoneBeforeItDoesAnything(ScenarioContext context) {
        List<ClientProcess> candidates = candidates(context, LIFELONG);
        Event first = context.awaitGrantOf("exclusive@" + NAME, 0);
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

    @FaultScenario(
            value = "S31",
            grants = 2,
            handOvers = 1,
            losses = 1,
            kinds = Variant.Kind.EXCLUSIVE,
            surfaces = {Surface.REGISTRY, Surface.FUTURE},
            peers = true)
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

    @FaultScenario(
            value = "S31",
            tier = Tier.ALL,
            grants = 20,
            handOvers = 10,
            faults = FAULTS,
            kinds = Variant.Kind.EXCLUSIVE,
            surfaces = {Surface.REGISTRY, Surface.FUTURE},
            peers = true)
    public void leadersChangeWhileServersAndCandidatesComeAndGo(ScenarioContext context) {
        List<ClientProcess> candidates = candidates(context, SHORT);
        Random random = context.random();
        Event healed = context.awaitGrantOf("exclusive@" + NAME, 0);

        for (int fault = 0; fault < FAULTS; fault++) {
            context.lastUntil(healed, T.dividedBy(4));
            ClientProcess candidate = candidates.get(random.nextInt(CANDIDATES));
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
        List<ClientProcess> candidates = new ArrayList<>();
        for (int number = 1; number <= CANDIDATES; number++) {
            candidates.add(
                    context.client("candidate-" + number, context.ensemble().connectStringWithout()));
        }
        context.awaitReady();
        candidates.forEach(candidate -> lead(candidate, term));
        return candidates;
    }

    private static void lead(ClientProcess candidate, Duration term) {
        candidate.send("lead " + term.toMillis() + " " + NAME);
    }

    private static ClientProcess named(List<ClientProcess> candidates, String name) {
        return candidates.stream()
                .filter(candidate -> candidate.name().equals(name))
                .findFirst()
                .orElseThrow();
    }
}
