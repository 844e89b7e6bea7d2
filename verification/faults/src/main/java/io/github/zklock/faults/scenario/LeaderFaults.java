package io.github.zklock.faults.scenario;

import static io.github.zklock.faults.stage.Stage.T;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.faults.record.Event;
import io.github.zklock.faults.record.Event.Kind;
import io.github.zklock.faults.rig.Direction;
import io.github.zklock.faults.rig.Ensemble;
import io.github.zklock.faults.rig.ServerProcess;
import io.github.zklock.faults.stage.Cast;
import io.github.zklock.faults.stage.ClientProcess;
import io.github.zklock.faults.stage.FaultScenario;
import io.github.zklock.faults.stage.Stage;
import io.github.zklock.faults.stage.Tier;
import io.github.zklock.faults.stage.Variant.Surface;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import org.awaitility.Awaitility;

/** The leader goes while clients that are connected to it hold the lock and wait for it. */
public class LeaderFaults {

    /** Every second client begins at the leader, but they choose by the clock, and for seconds in a row alike. */
    private static final int ATTEMPTS = 30;

    private static final String NOT_HELD = "false";

    @FaultScenario(value = "S4", grants = 8, handOvers = 4)
    public void clientsOfALeaderThatIsCutOffGoOnUnderTheNextOne(Stage stage) throws InterruptedException {
        theNextLeaderIsFollowed(stage, Stage::isolate);
    }

    @FaultScenario(value = "S4", tier = Tier.ALL, grants = 8, handOvers = 4)
    public void clientsOfALeaderThatHearsNothingGoOnUnderTheNextOne(Stage stage) throws InterruptedException {
        theNextLeaderIsFollowed(stage, (on, leader) -> on.isolate(leader, Direction.IN));
    }

    @FaultScenario(value = "S4", tier = Tier.ALL, grants = 8, handOvers = 4)
    public void clientsOfALeaderThatIsNotHeardGoOnUnderTheNextOne(Stage stage) throws InterruptedException {
        theNextLeaderIsFollowed(stage, (on, leader) -> on.isolate(leader, Direction.OUT));
    }

    @FaultScenario(value = "S4", grants = 8, handOvers = 4)
    public void clientsOfALeaderThatIsPausedGoOnUnderTheNextOne(Stage stage) throws InterruptedException {
        theNextLeaderIsFollowed(stage, Stage::pause);
    }

    /** The old leader finds out that it was deposed while its former clients hold the lock and wait for it. (L25) */
    @FaultScenario(value = "S4", grants = 8, handOvers = 4)
    public void clientsOfALeaderThatIsPausedAndResumedGoOnUnderTheNextOne(Stage stage) throws InterruptedException {
        theNextLeaderIsFollowed(stage, Stage::pause, stage::resume);
    }

    @FaultScenario(value = "S4", tier = Tier.ALL, grants = 8, handOvers = 4)
    public void clientsOfALeaderThatIsCutOffAndPausedAndResumedGoOnUnderTheNextOne(Stage stage)
            throws InterruptedException {
        theNextLeaderIsFollowed(
                stage,
                (on, leader) -> {
                    on.isolate(leader);
                    return on.pause(leader);
                },
                stage::resume);
    }

    @FaultScenario(value = "S4", grants = 8, handOvers = 4)
    public void clientsOfALeaderThatIsKilledGoOnUnderTheNextOne(Stage stage) throws InterruptedException {
        theNextLeaderIsFollowed(stage, Stage::kill);
    }

    @FaultScenario(value = "S4", grants = 4, handOvers = 2, losses = 1)
    public void aHolderThatReachesNoServerIsToldOfItsLossByItsOwnClock(Stage stage) {
        Cast cast = Cast.together(stage);
        ClientProcess holder = cast.holder();
        cast.loop();
        stage.hold(holder);

        Event cut = stage.isolateClients();
        Event lost = stage.await(Kind.LOST, holder, cut.at());
        // the servers are well, and end its session
        stage.lastUntil(cut, T.multipliedBy(2));
        Event healed = stage.heal();

        assertThat(lost.at()).isLessThan(healed.at());
        Event answer = stage.timeline().await("an answer", lost.at(), event -> event.is(Kind.SAMPLE, holder.name()));
        assertThat(answer.text("held")).isEqualTo(NOT_HELD);
        assertThat(stage.release(holder).text("result")).isEqualTo("lost");
        cast.awaitGrants(healed);
        stage.hold(holder);
        stage.release(holder);
    }

    /** One whose session is at the leader, and that can go on elsewhere. */
    private static ClientProcess clientOf(Stage stage, ServerProcess leader, String name) throws InterruptedException {
        for (int attempt = 1; attempt <= ATTEMPTS; attempt++) {
            ClientProcess client = stage.client(name + "-" + attempt, beginning(stage, leader));
            if (isClientOf(stage, leader, stage.await(Kind.READY, client, 0).text("session"))) {
                return client;
            }
            stage.dismiss(client);
        }
        throw new AssertionError(
                "none of %d clients began at %s, the leader: nothing was tested".formatted(ATTEMPTS, leader.name()));
    }

    /** At the leader, where a client learns of the other servers; or at any of those that it was told of for good. */
    private static String beginning(Stage stage, ServerProcess leader) {
        return stage.variant().surface() == Surface.REGISTRY
                ? leader.connectString()
                : leader.connectString() + "," + stage.ensemble().follower().connectString();
    }

    private static boolean isClientOf(Stage stage, ServerProcess server, String session) {
        return stage.ensemble().connection(server, session).isPresent();
    }

    private static void theNextLeaderIsFollowed(Stage stage, BiFunction<Stage, ServerProcess, Event> fault)
            throws InterruptedException {
        theNextLeaderIsFollowed(stage, fault, leader -> {});
    }

    /** @param meanwhile what happens to the old leader once there is another */
    private static void theNextLeaderIsFollowed(
            Stage stage, BiFunction<Stage, ServerProcess, Event> fault, Consumer<ServerProcess> meanwhile)
            throws InterruptedException {
        Ensemble ensemble = stage.ensemble();
        ServerProcess leader = ensemble.leader();
        Cast cast = new Cast(
                stage,
                clientOf(stage, leader, "holder"),
                clientOf(stage, leader, "first"),
                stage.client("second", ensemble.connectStringWithout(leader)));
        stage.awaitReady();
        cast.loop();
        String session = stage.hold(cast.holder()).text("session");
        assertThat(isClientOf(stage, leader, session))
                .as(
                        "whether %s is still a client of %s, the leader",
                        cast.holder().name(), leader.name())
                .isTrue();

        Event gone = fault.apply(stage, leader);
        Awaitility.await("the next leader")
                .atMost(Stage.PATIENCE)
                .until(() -> ensemble.servers().stream().anyMatch(server -> server != leader && server.leads()));
        meanwhile.accept(leader);
        // kept or lost: the next leader gives its session another T from now on, in which it must have found a server
        stage.release(cast.holder());
        cast.awaitGrants(gone);
        stage.hold(cast.holder());
        Event healed = stage.heal();

        stage.release(cast.holder());
        cast.awaitGrants(healed);
    }
}
