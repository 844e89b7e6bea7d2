package io.github.zklock.faults.scenario;

import static io.github.zklock.faults.context.ScenarioContext.T;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.faults.cluster.CutDirection;
import io.github.zklock.faults.cluster.Ensemble;
import io.github.zklock.faults.cluster.ServerProcess;
import io.github.zklock.faults.context.ClientProcess;
import io.github.zklock.faults.context.FaultScenario;
import io.github.zklock.faults.context.ScenarioContext;
import io.github.zklock.faults.context.ThreeClients;
import io.github.zklock.faults.context.Tier;
import io.github.zklock.faults.context.Variant.Surface;
import io.github.zklock.faults.timeline.Event;
import io.github.zklock.faults.timeline.Event.Kind;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import org.awaitility.Awaitility;

/** The leader fails while clients that are connected to it hold the lock and wait for it. */
public class LeaderFaults {

    /**
     * A client begins at the leader in half of all attempts, but chooses by the clock: several attempts in a row give
     * the same result.
     */
    private static final int ATTEMPTS = 30;

    private static final String NOT_HELD = "false";

    @FaultScenario(value = "S4", grants = 8, handOvers = 4)
    public void clientsOfALeaderThatIsCutOffGoOnUnderTheNextOne(ScenarioContext context) throws InterruptedException {
        theNextLeaderIsFollowed(context, ScenarioContext::isolate);
    }

    @FaultScenario(value = "S4", tier = Tier.ALL, grants = 8, handOvers = 4)
    public void clientsOfALeaderThatHearsNothingGoOnUnderTheNextOne(ScenarioContext context)
            throws InterruptedException {
        theNextLeaderIsFollowed(context, (on, leader) -> on.isolate(leader, CutDirection.IN));
    }

    @FaultScenario(value = "S4", tier = Tier.ALL, grants = 8, handOvers = 4)
    public void clientsOfALeaderThatIsNotHeardGoOnUnderTheNextOne(ScenarioContext context) throws InterruptedException {
        theNextLeaderIsFollowed(context, (on, leader) -> on.isolate(leader, CutDirection.OUT));
    }

    @FaultScenario(value = "S4", grants = 8, handOvers = 4)
    public void clientsOfALeaderThatIsPausedGoOnUnderTheNextOne(ScenarioContext context) throws InterruptedException {
        theNextLeaderIsFollowed(context, ScenarioContext::pause);
    }

    /** The old leader learns of its deposition while its former clients hold the lock and wait for it. (L25) */
    @FaultScenario(value = "S4", grants = 8, handOvers = 4)
    public void clientsOfALeaderThatIsPausedAndResumedGoOnUnderTheNextOne(ScenarioContext context)
            throws InterruptedException {
        theNextLeaderIsFollowed(context, ScenarioContext::pause, context::resume);
    }

    @FaultScenario(value = "S4", tier = Tier.ALL, grants = 8, handOvers = 4)
    public void clientsOfALeaderThatIsCutOffAndPausedAndResumedGoOnUnderTheNextOne(ScenarioContext context)
            throws InterruptedException {
        theNextLeaderIsFollowed(
                context,
                (on, leader) -> {
                    on.isolate(leader);
                    return on.pause(leader);
                },
                context::resume);
    }

    @FaultScenario(value = "S4", grants = 8, handOvers = 4)
    public void clientsOfALeaderThatIsKilledGoOnUnderTheNextOne(ScenarioContext context) throws InterruptedException {
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
        Event answer = context.timeline().await("an answer", lost.at(), event -> event.is(Kind.SAMPLE, holder.name()));
        assertThat(answer.text("held")).isEqualTo(NOT_HELD);
        assertThat(context.release(holder).text("result")).isEqualTo("lost");
        clients.awaitGrants(healed);
        context.hold(holder);
        context.release(holder);
    }

    /** Starts a client whose session is at the leader, and that can fail over. */
    private static ClientProcess clientOf(ScenarioContext context, ServerProcess leader, String name)
            throws InterruptedException {
        for (int attempt = 1; attempt <= ATTEMPTS; attempt++) {
            ClientProcess client = context.client(name + "-" + attempt, beginning(context, leader));
            if (isClientOf(context, leader, context.await(Kind.READY, client, 0).text("session"))) {
                return client;
            }
            context.dismiss(client);
        }
        throw new AssertionError(
                "none of %d clients began at %s, the leader: nothing was tested".formatted(ATTEMPTS, leader.name()));
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
            ScenarioContext context, BiFunction<ScenarioContext, ServerProcess, Event> fault)
            throws InterruptedException {
        theNextLeaderIsFollowed(context, fault, leader -> {});
    }

    /** @param meanwhile the treatment of the old leader after the election */
    private static void theNextLeaderIsFollowed(
            ScenarioContext context,
            BiFunction<ScenarioContext, ServerProcess, Event> fault,
            Consumer<ServerProcess> meanwhile)
            throws InterruptedException {
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
        Awaitility.await("the next leader")
                .atMost(ScenarioContext.MAX_WAIT)
                .until(() -> ensemble.servers().stream().anyMatch(server -> server != leader && server.leads()));
        meanwhile.accept(leader);
        // lost or not: the next leader gives the session another T, in which the client must find a server
        context.release(clients.holder());
        clients.awaitGrants(gone);
        context.hold(clients.holder());
        Event healed = context.heal();

        context.release(clients.holder());
        clients.awaitGrants(healed);
    }
}
