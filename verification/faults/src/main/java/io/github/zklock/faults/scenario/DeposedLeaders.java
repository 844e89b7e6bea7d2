package io.github.zklock.faults.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.faults.record.Event;
import io.github.zklock.faults.record.Event.Kind;
import io.github.zklock.faults.rig.Ensemble;
import io.github.zklock.faults.rig.ServerProcess;
import io.github.zklock.faults.rig.Trap;
import io.github.zklock.faults.rig.Trap.Phase;
import io.github.zklock.faults.rig.Trap.What;
import io.github.zklock.faults.rig.WireReply;
import io.github.zklock.faults.rig.Wiretap;
import io.github.zklock.faults.stage.ClientProcess;
import io.github.zklock.faults.stage.Equipment;
import io.github.zklock.faults.stage.FaultScenario;
import io.github.zklock.faults.stage.Stage;
import io.github.zklock.faults.stage.Tier;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;

/**
 * A leader that was paused, and goes on without knowing that the others have elected another leader. For a while it answers
 * reads and {@code sync} from a tree that is out of date.
 */
public class DeposedLeaders {

    /** The deposed leader must still know the session: longer than the others take to elect another leader. */
    private static final Duration LONG = Duration.ofSeconds(14);

    /** Servers that soon give up a leader that they do not hear of, and a leader that goes on for long without them. */
    private static final List<String> HASTY = List.of("syncLimit=8");

    private static final List<String> PATIENT = List.of("syncLimit=60");

    private static final Duration WAIT = Duration.ofMillis(300);
    private static final int ATTEMPTS = 4;
    private static final Duration LOOKING = Duration.ofSeconds(2);

    /** How a call ends whose seat was made, while its client cannot reach any server. */
    private enum End {
        DEADLINE,
        INTERRUPT
    }

    @FaultScenario(value = "L25", grants = 3, handOvers = 1, faults = 3, peers = true)
    public void aSeatIsNotTakenForGoneByTheWordOfADeposedLeader(Stage stage) throws InterruptedException {
        lookUpAtTheDeposedLeader(stage, End.DEADLINE);
    }

    @FaultScenario(value = "L25", tier = Tier.ALL, grants = 3, handOvers = 1, faults = 3, peers = true)
    public void aSeatOfAnInterruptedCallIsNotTakenForGoneByTheWordOfADeposedLeader(Stage stage)
            throws InterruptedException {
        lookUpAtTheDeposedLeader(stage, End.INTERRUPT);
    }

    private static void lookUpAtTheDeposedLeader(Stage stage, End end) throws InterruptedException {
        Ensemble ensemble = stage.ensemble();
        List<ServerProcess> servers = ensemble.servers();
        ServerProcess deposed = servers.get(Ensemble.SIZE - 1);
        electPatientLeader(stage, deposed);

        Wiretap tap = stage.wiretap("misled", servers);
        tap.leadTo(servers.indexOf(ensemble.follower()));

        Equipment equipment = Equipment.USUAL.withSessionTimeout(LONG);
        ClientProcess misled = stage.client("misled", tap.connectString(), equipment);
        ClientProcess other = stage.client("other", ensemble.connectStringWithout(deposed), equipment);
        stage.awaitReady();
        String alone = stage.variant().kind().alone();
        // makes the folder: from here on the first create makes a seat
        stage.hold(misled);
        stage.release(misled);
        stage.seating().awaitNoSeats();

        // cut off, so that no packet tells the leader that the others have left
        stage.isolate(deposed);
        stage.pause(deposed);
        tap.refuse();
        ServerProcess follower = awaitNextFollower(ensemble, deposed);
        // a client that has read from the next leader has a zxid that the deposed leader does not accept
        connect(tap, servers.indexOf(follower));
        Trap created = Trap.at(Phase.BEFORE_REPLY, What.CREATE).doing(() -> {
            tap.refuse();
            tap.cut();
        });
        tap.lay(List.of(created));
        long now = System.nanoTime();
        misled.order("once 0 " + (end == End.DEADLINE ? "acquire-" + WAIT.toMillis() : "forever") + " " + alone);
        Event asked = stage.await(Kind.ASKED, misled, now);
        assertThat(created.awaitSprung(Stage.PATIENCE)).as("a seat was made").isTrue();
        if (end == End.INTERRUPT) {
            misled.order("interrupt");
        }
        Event answer = stage.awaitAnswer(asked);
        assertThat(answer.kind()).as(answer.toString()).isNotEqualTo(Kind.GRANTED);

        Event resumed = stage.resume(deposed);
        connect(tap, servers.indexOf(deposed));
        // long enough for it to answer all that a client asks after a new connection
        stage.lastUntil(resumed, LOOKING);
        Event healed = stage.reconnectClients();
        Awaitility.await("the deposed leader has given up")
                .atMost(Stage.PATIENCE)
                .until(() -> !deposed.leads());
        tap.heal();

        // the process lives on, and with it any seat that it has forgotten
        other.order("once 0 acquire-8000 " + alone);
        Event next = stage.await(Kind.ASKED, other, healed.at());
        assertThat(stage.awaitAnswer(next).kind())
                .as("K7: the answer to a call for a lock that nobody holds")
                .isEqualTo(Kind.GRANTED);
        stage.hold(misled);
    }

    /** Usually the server with the highest id leads, but the others may have a quorum before it has started. */
    private static void electPatientLeader(Stage stage, ServerProcess wanted) {
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            stage.restartAll(List.of(HASTY, HASTY, PATIENT));
            if (stage.ensemble().leader() == wanted) {
                return;
            }
        }
        throw new AssertionError("Hollow: " + wanted.name() + " did not become leader in " + ATTEMPTS + " elections");
    }

    /** Waits until the others have elected another leader; returns the server that follows. */
    private static ServerProcess awaitNextFollower(Ensemble ensemble, ServerProcess deposed) {
        List<ServerProcess> others =
                ensemble.servers().stream().filter(server -> server != deposed).toList();
        Awaitility.await("the next leader")
                .atMost(Stage.PATIENCE)
                .pollInterval(Duration.ofMillis(50))
                .until(() -> others.stream().anyMatch(ServerProcess::leads)
                        && others.stream().anyMatch(ServerProcess::follows));
        return others.stream().filter(ServerProcess::follows).findFirst().orElseThrow();
    }

    /** Lets the client go to one server; returns when the server has said that the session lives. */
    private static void connect(Wiretap tap, int server) throws InterruptedException {
        CountDownLatch alive = new CountDownLatch(1);
        tap.listen(reply -> note(reply, alive));
        tap.heal();
        tap.leadTo(server);

        if (!alive.await(Stage.PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
            throw new AssertionError("Hollow: server %d did not take over the session".formatted(server + 1));
        }

        tap.listen(reply -> {});
    }

    private static void note(WireReply reply, CountDownLatch alive) {
        if (reply.saysAlive()) {
            alive.countDown();
        }
    }
}
