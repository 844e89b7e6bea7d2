package io.github.zklock.faults.scenario;

import static io.github.zklock.faults.stage.Stage.T;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.faults.record.Event;
import io.github.zklock.faults.record.Event.Kind;
import io.github.zklock.faults.rig.Ensemble;
import io.github.zklock.faults.rig.ServerProcess;
import io.github.zklock.faults.stage.Cast;
import io.github.zklock.faults.stage.ClientProcess;
import io.github.zklock.faults.stage.FaultScenario;
import io.github.zklock.faults.stage.Stage;
import io.github.zklock.faults.stage.Tier;
import java.time.Duration;
import java.util.function.Predicate;
import org.awaitility.Awaitility;

/** Servers that need long to write down what they are told, or cannot. */
public class SlowDisks {

    private static final int ATTEMPTS = 2;
    private static final Duration BRIEF = Duration.ofMillis(300);
    /** Longer than anything takes that is waited for meanwhile: disks are healed before. */
    private static final Duration SLOW = Stage.PATIENCE.multipliedBy(2);

    /** No election is over before those who vote have written down what they were told before. */
    private static final Duration SLOW_FOR_VOTERS = T.dividedBy(6);

    private static final String HELD = "true";

    /*
     * The seat is proposed, and one server knows of it. The client asks another one, which does not yet: whoever takes
     * that for an answer makes a second node and waits behind the first. (L2)
     */
    @FaultScenario(value = "S6", grants = 6, handOvers = 3, faults = 6, peers = true)
    public void anAcquireWhoseFollowerDiesBeforeTheOthersKnowOfItMakesOneSeat(Stage stage) throws InterruptedException {
        acquireWhileItsServerDies(stage, ServerProcess::follows, SLOW);
    }

    @FaultScenario(value = "S6", tier = Tier.ALL, grants = 6, handOvers = 3, faults = 6, peers = true)
    public void anAcquireWhoseLeaderDiesBeforeTheOthersKnowOfItMakesOneSeat(Stage stage) throws InterruptedException {
        acquireWhileItsServerDies(stage, ServerProcess::leads, SLOW_FOR_VOTERS);
    }

    /** Its caller has gone by then: somebody has to take away what becomes of its request. */
    @FaultScenario(value = "S6", grants = 4, handOvers = 3, faults = 6)
    public void anAcquireThatIsGivenUpBeforeTheOthersKnowOfItLeavesNoSeat(Stage stage) throws InterruptedException {
        ClientProcess next = stage.client("next", stage.ensemble().connectStringWithout());
        for (int attempt = 1; attempt <= ATTEMPTS; attempt++) {
            SlowSeat seat = SlowSeat.of(stage, "holder-" + attempt, ServerProcess::follows);
            seat.acquireWithin(BRIEF, SLOW);
            stage.await(Kind.UNAVAILABLE, seat.holder(), seat.asked());
            seat.killItsServer();
            stage.heal();

            stage.hold(next);
            stage.release(next);
        }
    }

    @FaultScenario(value = "S28", grants = 5, handOvers = 3)
    public void aFollowerWhoseDiskIsFullTakesNobodysLock(Stage stage) {
        Ensemble ensemble = stage.ensemble();
        // of the two that its holder knows, one is left to it
        Cast cast = Cast.of(stage, ensemble.connectStringWithout(ensemble.leader()), ensemble.connectStringWithout());
        ClientProcess holder = cast.holder();
        cast.loop();
        String session = stage.hold(holder).text("session");
        ServerProcess follower = ensemble.serverOf(session)
                .filter(ServerProcess::follows)
                .orElseThrow(() -> new AssertionError("The holder is no client of a follower: nothing was tested"));

        Event full = fillTheDisk(stage, follower);
        // what was proven there has run out by then: its client has to find another, and to prove what it holds there
        long later = System.nanoTime() + T.toNanos();
        stage.timeline()
                .await(
                        "the word of the " + holder.name() + " that it has the lock",
                        later,
                        event -> event.is(Kind.SAMPLE, holder.name())
                                && event.text("held").equals(HELD));
        assertThat(stage.release(holder).text("result")).isEqualTo("ok");
        cast.awaitGrants(full);
        cast.awaitGrants(stage.heal());

        assertThat(stage.timeline().events())
                .filteredOn(event -> event.is(Kind.LOST))
                .isEmpty();
    }

    @FaultScenario(value = "S28", grants = 5, handOvers = 3)
    public void theLockGoesOnWhileTheDiskOfTheLeaderIsFull(Stage stage) {
        Cast cast = Cast.together(stage);
        cast.loop();
        stage.hold(cast.holder());

        Event full = fillTheDisk(stage, stage.ensemble().leader());
        stage.lastUntil(full, T.dividedBy(2));
        // kept or lost: an election may outlast the patience of the holder's client, and K6 judges what it is told
        stage.release(cast.holder());
        cast.awaitGrants(full);
        cast.awaitGrants(stage.heal());
    }

    private static void acquireWhileItsServerDies(Stage stage, Predicate<ServerProcess> choice, Duration slow)
            throws InterruptedException {
        ClientProcess next = stage.client("next", stage.ensemble().connectStringWithout());
        for (int attempt = 1; attempt <= ATTEMPTS; attempt++) {
            SlowSeat seat = SlowSeat.of(stage, "holder-" + attempt, choice);
            seat.acquire(slow);
            seat.killItsServer();
            stage.heal();

            Awaitility.await("a grant or a second seat")
                    .atMost(Stage.PATIENCE)
                    .until(() -> seat.isGranted() || stage.seating().seats() > 1);
            assertThat(seat.made())
                    .as("seats made by one acquire in one session")
                    .isLessThanOrEqualTo(1);
            assertThat(stage.seating().seats()).as("seats of one holder").isEqualTo(1);
            stage.release(seat.holder());
            stage.hold(next);
            stage.release(next);
        }
    }

    private static Event fillTheDisk(Stage stage, ServerProcess server) {
        Event full = stage.fullDisk(server);
        // whoever waits writes as well: its process asks the servers for proofs that it may go on waiting
        Awaitility.await(server.name() + " has given up").atMost(Stage.PATIENCE).until(server::hasGivenUp);
        return full;
    }
}
