package io.github.zklock.faults.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.faults.cluster.Ensemble;
import io.github.zklock.faults.cluster.InterceptingProxy;
import io.github.zklock.faults.cluster.Interception;
import io.github.zklock.faults.cluster.Interception.Phase;
import io.github.zklock.faults.cluster.Interception.Target;
import io.github.zklock.faults.cluster.ServerProcess;
import io.github.zklock.faults.context.ClientOptions;
import io.github.zklock.faults.context.ClientProcess;
import io.github.zklock.faults.context.FaultScenario;
import io.github.zklock.faults.context.FaultScenario.Tier;
import io.github.zklock.faults.context.ScenarioContext;
import io.github.zklock.faults.timeline.Event;
import io.github.zklock.faults.timeline.Event.Kind;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/**
 * A leader that was paused, and resumes without knowing that the others have elected another leader. For a while it
 * answers reads and {@code sync} from an outdated tree.
 */
public class DeposedLeaders {

    /** The deposed leader must still know the session: longer than an election takes. */
    private static final Duration LONG = Duration.ofSeconds(14);

    /** Servers that soon give up a silent leader, and a leader that continues without followers for long. */
    private static final List<String> HASTY = List.of("syncLimit=8");

    private static final List<String> PATIENT = List.of("syncLimit=60");

    private static final Duration WAIT = Duration.ofMillis(300);
    private static final int ATTEMPTS = 4;
    private static final Duration LOOKING = Duration.ofSeconds(2);

    /** How a call ends after its seat was created, while its client cannot reach any server. */
    private enum End {
        DEADLINE,
        INTERRUPT
    }

    @FaultScenario(value = "L25", grants = 3, handOvers = 1, faults = 3, peers = true)
    public void aSeatIsNotTakenForGoneByTheWordOfADeposedLeader(ScenarioContext context) {
        lookUpAtTheDeposedLeader(context, End.DEADLINE);
    }

    @FaultScenario(value = "L25", tier = Tier.ALL, grants = 3, handOvers = 1, faults = 3, peers = true)
    public void aSeatOfAnInterruptedCallIsNotTakenForGoneByTheWordOfADeposedLeader(ScenarioContext context) {
        lookUpAtTheDeposedLeader(context, End.INTERRUPT);
    }

    private static void lookUpAtTheDeposedLeader(ScenarioContext context, End end) {
        Ensemble ensemble = context.ensemble();
        List<ServerProcess> servers = ensemble.servers();
        ServerProcess deposed = servers.get(Ensemble.SIZE - 1);
        electPatientLeader(context, deposed);

        InterceptingProxy proxy = context.proxy("misled", servers);
        proxy.routeTo(servers.indexOf(ensemble.follower()));

        ClientOptions options = ClientOptions.DEFAULT.withSessionTimeout(LONG);
        ClientProcess misled = context.client("misled", proxy.connectString(), options);
        ClientProcess other = context.client("other", ensemble.connectStringWithout(deposed), options);
        context.awaitReady();
        String exclusive = context.exclusive();
        // creates the folder: from here on the first create is that of a seat
        context.holdInTurn(misled);
        context.queues().awaitNoSeats();

        // isolated, so that no packet shows the leader that the others have left
        context.isolate(deposed);
        context.pause(deposed);
        proxy.refuseConnections();
        ServerProcess follower = awaitNextFollower(ensemble, deposed);
        // a client that has read from the next leader has a zxid that the deposed leader does not accept
        connect(proxy, servers.indexOf(follower));
        Interception created = Interception.at(Phase.BEFORE_REPLY, Target.CREATE)
                .doing(() -> {
                    proxy.refuseConnections();
                    proxy.cut();
                });
        proxy.install(List.of(created));
        Event asked = context.send(
                misled,
                "once 0 " + (end == End.DEADLINE ? "acquire-" + WAIT.toMillis() : "forever") + " " + exclusive,
                Kind.REQUESTED);
        created.requireTriggered(ScenarioContext.MAX_WAIT);
        if (end == End.INTERRUPT) {
            misled.send("interrupt");
        }
        Event answer = context.awaitAnswer(asked);
        assertThat(answer.kind()).as(answer.toString()).isNotEqualTo(Kind.GRANTED);

        Event resumed = context.resume(deposed);
        connect(proxy, servers.indexOf(deposed));
        // long enough to answer all requests of a client that reconnects
        context.lastUntil(resumed, LOOKING);
        Event healed = context.reconnectClients();
        ScenarioContext.until("the deposed leader has given up", () -> !deposed.leads());
        proxy.heal();

        // the process continues, so a seat that it has forgotten would remain
        other.send("once 0 acquire-8000 " + exclusive);
        Event next = context.await(Kind.REQUESTED, other, healed.at());
        assertThat(context.awaitAnswer(next).kind())
                .as("K7: the answer to a call for a free lock")
                .isEqualTo(Kind.GRANTED);
        context.hold(misled);
    }

    /** Usually the server with the highest id leads, but the others may have a quorum before it has started. */
    private static void electPatientLeader(ScenarioContext context, ServerProcess wanted) {
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            context.restartAll(List.of(HASTY, HASTY, PATIENT));
            if (context.ensemble().leader() == wanted) {
                return;
            }
        }
        throw new AssertionError(
                "Inconclusive: " + wanted.name() + " did not become leader in " + ATTEMPTS + " elections");
    }

    /** Waits until the others have elected another leader; returns its follower. */
    private static ServerProcess awaitNextFollower(Ensemble ensemble, ServerProcess deposed) {
        List<ServerProcess> others =
                ensemble.servers().stream().filter(server -> server != deposed).toList();
        ScenarioContext.until(
                "the next leader",
                () -> others.stream().anyMatch(ServerProcess::leads)
                        && others.stream().anyMatch(ServerProcess::follows));
        return others.stream().filter(ServerProcess::follows).findFirst().orElseThrow();
    }

    /** Connects the client to one server; returns when the server has confirmed the session. */
    private static void connect(InterceptingProxy proxy, int server) {
        CountDownLatch alive = new CountDownLatch(1);
        proxy.listen(reply -> {
            if (reply.saysAlive()) {
                alive.countDown();
            }
        });
        proxy.heal();
        proxy.routeTo(server);

        if (!ScenarioContext.awaitOpen(alive)) {
            throw new AssertionError("Inconclusive: server %d did not take over the session".formatted(server + 1));
        }

        proxy.listen(reply -> {});
    }
}
