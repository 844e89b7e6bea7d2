package io.github.zklock.faults.scenario;

import static io.github.zklock.faults.context.ScenarioContext.T;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.faults.cluster.CutDirection;
import io.github.zklock.faults.cluster.Ensemble;
import io.github.zklock.faults.cluster.ServerProcess;
import io.github.zklock.faults.context.ClientProcess;
import io.github.zklock.faults.context.FaultScenario;
import io.github.zklock.faults.context.FaultScenario.Tier;
import io.github.zklock.faults.context.ScenarioContext;
import io.github.zklock.faults.context.ThreeClients;
import io.github.zklock.faults.context.Variant.Surface;
import io.github.zklock.faults.timeline.Event;
import io.github.zklock.faults.timeline.Event.Kind;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A follower or the leader that is paused, killed or isolated, and outages of all servers. */
public class ServerFaults {

    private static final int ATTEMPTS = 5;
    private static final Pattern LAST_REQUEST = Pattern.compile("lcxid=0x([0-9a-f]+)");

    /**
     * A client begins at the leader in half of all attempts, but chooses by the clock: several attempts in a row give
     * the same result.
     */
    private static final int CLIENT_ATTEMPTS = 30;

    private static final String NOT_HELD = "false";
    private static final Duration WAIT = Duration.ofSeconds(1);

    @FaultScenario(value = "S3", grants = 4, handOvers = 3, peers = true)
    public void aHolderWhoseFollowerStopsKeepsItsLockOrIsTold(ScenarioContext context) {
        Ensemble ensemble = context.ensemble();
        ThreeClients clients = ThreeClients.of(context, ensemble.connectStringWithout(ensemble.leader()));
        clients.loop();
        ClientProcess holder = clients.holder();
        String session = context.hold(holder).text("session");
        ServerProcess follower = ensemble.serverOf(session).orElseThrow();

        Event paused = context.pause(follower);
        context.lastUntil(paused, T.multipliedBy(4).dividedBy(3));
        Event healed = context.heal();

        context.release(holder);
        clients.awaitGrants(healed);
        context.holdInTurn(holder);
    }

    @FaultScenario(value = "S3", tier = Tier.SMOKE, grants = 8, handOvers = 2, losses = 1, peers = true)
    public void aHolderWhoseFollowerIsCutOffDoesNotBelieveWhatItReads(ScenarioContext context) {
        aHolderIsOutBeforeTheNextOneIsIn(context, CutDirection.BOTH);
    }

    @FaultScenario(value = "S3", tier = Tier.ALL, grants = 8, handOvers = 2, losses = 1)
    public void aHolderWhoseFollowerHearsNothingDoesNotBelieveWhatItReads(ScenarioContext context) {
        aHolderIsOutBeforeTheNextOneIsIn(context, CutDirection.IN);
    }

    @FaultScenario(value = "S3", tier = Tier.ALL, grants = 8, handOvers = 2, losses = 1)
    public void aHolderWhoseFollowerIsNotHeardDoesNotBelieveWhatItReads(ScenarioContext context) {
        aHolderIsOutBeforeTheNextOneIsIn(context, CutDirection.OUT);
    }

    private static void aHolderIsOutBeforeTheNextOneIsIn(ScenarioContext context, CutDirection direction) {
        ServerProcess follower = context.ensemble().follower();
        ThreeClients clients = ThreeClients.apart(context, follower);
        clients.loop();
        ClientProcess holder = clients.holder();
        context.hold(holder);

        Event cut = context.isolate(follower, direction);
        Event next = context.awaitGrantToOthers(holder, cut.at());
        // long enough to detect a holder that relies on its follower
        context.lastUntil(next, T.dividedBy(4));
        context.heal();

        context.await(Kind.LOST, holder, cut.at());
        // K1 and K6 judge the handle and the release
        context.release(holder);
        context.hold(holder);
    }

    /*
     * The leader learns of a client only from its follower's next reply to a ping, at most half a tick later. A
     * follower that stops before that reply has not reported the client's heartbeat, even if it has committed the
     * client's transaction. (M22)
     */
    @FaultScenario(value = "S22", tier = Tier.SMOKE, grants = 8, handOvers = 3, losses = 1, faults = 2)
    public void aCommitThroughAFollowerThatThenStopsProlongsNothing(ScenarioContext context) {
        Ensemble ensemble = context.ensemble();
        ServerProcess follower = ensemble.follower();
        ThreeClients clients = ThreeClients.apart(context, follower);
        clients.loop();

        Duration shortest = T;
        for (int attempt = 0;
                attempt < ATTEMPTS && shortest.compareTo(T.multipliedBy(3).dividedBy(4)) >= 0;
                attempt++) {
            // a client learns of the other servers from its first one, so only its first session must be there
            ClientProcess holder =
                    attempt == 0 ? clients.holder() : context.client("holder-" + attempt, follower.connectString());
            context.awaitReady();
            String session = context.hold(holder).text("session");
            context.lastUntil(context.pause(holder), T.multipliedBy(6).dividedBy(10));
            String before = lastRequest(ensemble, follower, session).orElse("none");
            context.resume(holder);
            ScenarioContext.until(
                    "a commit",
                    Duration.ofMillis(1),
                    () -> lastRequest(ensemble, follower, session)
                            .filter(now -> !now.equals(before))
                            .isPresent());
            Event stopped = context.pause(follower);

            Event next = context.awaitGrantToOthers(holder, stopped.at());
            Duration survived = Duration.ofNanos(next.at() - stopped.at());
            shortest = survived.compareTo(shortest) < 0 ? survived : shortest;
            context.heal();
            context.await(Kind.LOST, holder, stopped.at());
            context.release(holder, "lost");
        }

        assertThat(shortest)
                .as("the commit reported the client to the leader in each of %d attempts: nothing was tested", ATTEMPTS)
                .isLessThan(T.multipliedBy(3).dividedBy(4));
    }

    private static Optional<String> lastRequest(Ensemble ensemble, ServerProcess server, String session) {
        return ensemble.connection(server, session)
                .map(LAST_REQUEST::matcher)
                .filter(Matcher::find)
                .map(matcher -> matcher.group(1));
    }

    @FaultScenario(value = "S4", grants = 8, handOvers = 4)
    public void clientsOfALeaderThatIsCutOffGoOnUnderTheNextOne(ScenarioContext context) {
        theNextLeaderIsFollowed(context, ScenarioContext::isolate);
    }

    @FaultScenario(value = "S4", tier = Tier.ALL, grants = 8, handOvers = 4)
    public void clientsOfALeaderThatHearsNothingGoOnUnderTheNextOne(ScenarioContext context) {
        theNextLeaderIsFollowed(context, (on, leader) -> on.isolate(leader, CutDirection.IN));
    }

    @FaultScenario(value = "S4", tier = Tier.ALL, grants = 8, handOvers = 4)
    public void clientsOfALeaderThatIsNotHeardGoOnUnderTheNextOne(ScenarioContext context) {
        theNextLeaderIsFollowed(context, (on, leader) -> on.isolate(leader, CutDirection.OUT));
    }

    @FaultScenario(value = "S4", grants = 8, handOvers = 4)
    public void clientsOfALeaderThatIsPausedGoOnUnderTheNextOne(ScenarioContext context) {
        theNextLeaderIsFollowed(context, ScenarioContext::pause);
    }

    /** The old leader learns of its deposition while its former clients hold the lock and wait for it. (L25) */
    @FaultScenario(value = "S4", grants = 8, handOvers = 4)
    public void clientsOfALeaderThatIsPausedAndResumedGoOnUnderTheNextOne(ScenarioContext context) {
        theNextLeaderIsFollowed(context, ScenarioContext::pause, context::resume);
    }

    @FaultScenario(value = "S4", tier = Tier.ALL, grants = 8, handOvers = 4)
    public void clientsOfALeaderThatIsCutOffAndPausedAndResumedGoOnUnderTheNextOne(ScenarioContext context) {
        theNextLeaderIsFollowed(
                context,
                (on, leader) -> {
                    on.isolate(leader);
                    return on.pause(leader);
                },
                context::resume);
    }

    @FaultScenario(value = "S4", grants = 8, handOvers = 4)
    public void clientsOfALeaderThatIsKilledGoOnUnderTheNextOne(ScenarioContext context) {
        theNextLeaderIsFollowed(context, ScenarioContext::kill);
    }

    @FaultScenario(value = "S4", grants = 4, handOvers = 2, losses = 1)
    public void aHolderThatReachesNoServerIsToldOfItsLossByItsOwnClock(ScenarioContext context) {
        ThreeClients clients = ThreeClients.together(context);
        ClientProcess holder = clients.holder();
        clients.loop();
        context.hold(holder);

        Event cut = context.isolateClients();
        Event lost = context.await(Kind.LOST, holder, cut.at());
        // the servers work, and expire its session
        context.lastUntil(cut, T.multipliedBy(2));
        Event healed = context.heal();

        assertThat(lost.at()).isLessThan(healed.at());
        Event answer = context.await(Kind.SAMPLE, holder, lost.at());
        assertThat(answer.text("held")).isEqualTo(NOT_HELD);
        context.release(holder, "lost");
        clients.awaitGrants(healed);
        context.holdInTurn(holder);
    }

    /** Starts a client whose session is at the leader, and that can fail over. */
    private static ClientProcess clientOf(ScenarioContext context, ServerProcess leader, String name) {
        for (int attempt = 1; attempt <= CLIENT_ATTEMPTS; attempt++) {
            ClientProcess client = context.client(name + "-" + attempt, beginning(context, leader));
            if (isClientOf(context, leader, context.await(Kind.READY, client, 0).text("session"))) {
                return client;
            }
            context.dismiss(client);
        }
        throw new AssertionError("none of %d clients began at %s, the leader: nothing was tested"
                .formatted(CLIENT_ATTEMPTS, leader.name()));
    }

    /**
     * Returns the servers that the client knows at first: the leader, from which it learns of the others; or two
     * servers, if it learns of no others.
     */
    private static String beginning(ScenarioContext context, ServerProcess leader) {
        return context.variant().surface() == Surface.REGISTRY
                ? leader.connectString()
                : leader.connectString() + "," + context.ensemble().follower().connectString();
    }

    private static boolean isClientOf(ScenarioContext context, ServerProcess server, String session) {
        return context.ensemble().connection(server, session).isPresent();
    }

    private static void theNextLeaderIsFollowed(
            ScenarioContext context, BiFunction<ScenarioContext, ServerProcess, Event> fault) {
        theNextLeaderIsFollowed(context, fault, leader -> {});
    }

    /** @param meanwhile the treatment of the old leader after the election */
    private static void theNextLeaderIsFollowed(
            ScenarioContext context,
            BiFunction<ScenarioContext, ServerProcess, Event> fault,
            Consumer<ServerProcess> meanwhile) {
        Ensemble ensemble = context.ensemble();
        ServerProcess leader = ensemble.leader();
        ThreeClients clients = new ThreeClients(
                context,
                clientOf(context, leader, "holder"),
                clientOf(context, leader, "first"),
                context.client("second", ensemble.connectStringWithout(leader)));
        context.awaitReady();
        clients.loop();
        String session = context.hold(clients.holder()).text("session");
        assertThat(isClientOf(context, leader, session))
                .as(
                        "whether %s is still a client of %s, the leader",
                        clients.holder().name(), leader.name())
                .isTrue();

        Event gone = fault.apply(context, leader);
        ScenarioContext.until(
                "the next leader",
                () -> ensemble.servers().stream().anyMatch(server -> server != leader && server.leads()));
        meanwhile.accept(leader);
        // lost or not: the next leader gives the session another T, in which the client must find a server
        context.release(clients.holder());
        clients.awaitGrants(gone);
        context.hold(clients.holder());
        Event healed = context.heal();

        context.release(clients.holder());
        clients.awaitGrants(healed);
    }

    @FaultScenario(value = "S5", peers = true, tier = Tier.SMOKE, grants = 4, handOvers = 3, faults = 3)
    public void aWaiterThatOutlivesAnOutageIsNotGrantedTheLockOnItsOldSeat(ScenarioContext context) {
        ThreeClients clients = ThreeClients.together(context);
        ClientProcess holder = clients.holder();
        context.hold(holder);
        clients.loop();
        context.queues().awaitSeats(3);

        context.ensemble().servers().forEach(context::kill);
        Event down = context.await("the outage", 0, event -> event.is(Kind.KILLED));
        context.lastUntil(down, T.multipliedBy(3).dividedBy(2));
        Event healed = context.heal();

        // lost or not: the servers have kept the session in their logs, the client may have given it up
        context.release(holder);
        clients.awaitGrants(healed);
        context.holdInTurn(holder);
    }

    @FaultScenario(value = "S19", tier = Tier.SMOKE, grants = 3, faults = 6, peers = true)
    public void aTimedAcquireWithoutServersEndsAtItsDeadlineAndSaysWhy(ScenarioContext context) {
        String spec = context.exclusive();
        ClientProcess holder = context.client("holder");
        ClientProcess acquiring = context.client("acquiring");
        ClientProcess trying = context.client("trying");
        context.awaitReady();
        context.hold(holder);

        context.ensemble().servers().forEach(context::pause);
        assertUnavailable(context, acquiring, trying);
        context.ensemble().servers().forEach(context::kill);
        assertUnavailable(context, acquiring, trying);
        Event healed = context.heal();

        context.release(holder);
        acquiring.send("once 0 acquire-60000 " + spec);
        trying.send("once 0 try-60000 " + spec);
        context.await(Kind.GRANTED, acquiring, healed.at());
        context.await(Kind.GRANTED, trying, healed.at());
    }

    private static void assertUnavailable(ScenarioContext context, ClientProcess acquiring, ClientProcess trying) {
        String spec = context.exclusive();
        long now = System.nanoTime();
        acquiring.send("once 0 acquire-" + WAIT.toMillis() + " " + spec);
        trying.send("once 0 try-" + WAIT.toMillis() + " " + spec);
        for (ClientProcess client : List.of(acquiring, trying)) {
            Event asked = context.await(Kind.REQUESTED, client, now);
            Event answer = context.awaitAnswer(asked);

            assertThat(answer.kind()).as(answer.toString()).isEqualTo(Kind.UNAVAILABLE);
            // K9 judges how late the answer may be
            assertThat(Duration.ofNanos(answer.at() - asked.at())).isGreaterThanOrEqualTo(WAIT);
        }
    }
}
