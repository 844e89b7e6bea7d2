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
import java.time.Duration;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;

/** The follower of a holder stops, or is cut off from the other servers. */
public class FollowerFaults {

    private static final int ATTEMPTS = 5;
    private static final Pattern LAST_REQUEST = Pattern.compile("lcxid=0x([0-9a-f]+)");

    @FaultScenario(value = "S3", grants = 4, handOvers = 3, peers = true)
    public void aHolderWhoseFollowerStopsKeepsItsLockOrIsTold(Stage stage) {
        Ensemble ensemble = stage.ensemble();
        Cast cast = Cast.of(stage, ensemble.connectStringWithout(ensemble.leader()), ensemble.connectStringWithout());
        cast.loop();
        ClientProcess holder = cast.holder();
        String session = stage.hold(holder).text("session");
        ServerProcess follower = ensemble.serverOf(session).orElseThrow();

        Event paused = stage.pause(follower);
        stage.lastUntil(paused, T.multipliedBy(4).dividedBy(3));
        Event healed = stage.heal();

        stage.release(holder);
        cast.awaitGrants(healed);
        stage.hold(holder);
        stage.release(holder);
    }

    @FaultScenario(value = "S3", tier = Tier.SMOKE, grants = 8, handOvers = 2, losses = 1, peers = true)
    public void aHolderWhoseFollowerIsCutOffDoesNotBelieveWhatItReads(Stage stage) {
        aHolderIsOutBeforeTheNextOneIsIn(stage, Direction.BOTH);
    }

    @FaultScenario(value = "S3", tier = Tier.ALL, grants = 8, handOvers = 2, losses = 1)
    public void aHolderWhoseFollowerHearsNothingDoesNotBelieveWhatItReads(Stage stage) {
        aHolderIsOutBeforeTheNextOneIsIn(stage, Direction.IN);
    }

    @FaultScenario(value = "S3", tier = Tier.ALL, grants = 8, handOvers = 2, losses = 1)
    public void aHolderWhoseFollowerIsNotHeardDoesNotBelieveWhatItReads(Stage stage) {
        aHolderIsOutBeforeTheNextOneIsIn(stage, Direction.OUT);
    }

    private static void aHolderIsOutBeforeTheNextOneIsIn(Stage stage, Direction direction) {
        ServerProcess follower = stage.ensemble().follower();
        Cast cast = Cast.apart(stage, follower);
        cast.loop();
        ClientProcess holder = cast.holder();
        stage.hold(holder);

        Event cut = stage.isolate(follower, direction);
        Event next = stage.awaitGrantToOthers(holder, cut.at());
        // long enough for a holder that trusts its follower to be caught
        stage.lastUntil(next, T.dividedBy(4));
        stage.heal();

        stage.await(Kind.LOST, holder, cut.at());
        // K1 and K6 judge what it believed and what its release said
        stage.release(holder);
        stage.hold(holder);
    }

    /*
     * The leader hears of a client only in its follower's next answer to a ping, half a tick later at most: a follower
     * that stops before that takes the client's sign of life with it, whatever it had committed. (M22)
     */
    @FaultScenario(value = "S22", tier = Tier.SMOKE, grants = 8, handOvers = 3, losses = 1, faults = 2)
    public void aCommitThroughAFollowerThatThenStopsProlongsNothing(Stage stage) {
        Ensemble ensemble = stage.ensemble();
        ServerProcess follower = ensemble.follower();
        Cast cast = Cast.apart(stage, follower);
        cast.loop();

        Duration shortest = T;
        for (int attempt = 0;
                attempt < ATTEMPTS && shortest.compareTo(T.multipliedBy(3).dividedBy(4)) >= 0;
                attempt++) {
            // a client learns of the other servers from its first one, so only its first session must be on that one
            ClientProcess holder =
                    attempt == 0 ? cast.holder() : stage.client("holder-" + attempt, follower.connectString());
            stage.awaitReady();
            String session = stage.hold(holder).text("session");
            stage.lastUntil(stage.pause(holder), T.multipliedBy(6).dividedBy(10));
            String before = lastRequest(ensemble, follower, session).orElse("none");
            stage.resume(holder);
            Awaitility.await("a commit")
                    .atMost(Stage.PATIENCE)
                    .pollDelay(Duration.ZERO)
                    .pollInterval(Duration.ofMillis(1))
                    .until(() -> lastRequest(ensemble, follower, session)
                            .filter(now -> !now.equals(before))
                            .isPresent());
            Event stopped = stage.pause(follower);

            Event next = stage.awaitGrantToOthers(holder, stopped.at());
            Duration survived = Duration.ofNanos(next.at() - stopped.at());
            shortest = survived.compareTo(shortest) < 0 ? survived : shortest;
            stage.heal();
            stage.await(Kind.LOST, holder, stopped.at());
            assertThat(stage.release(holder).text("result")).isEqualTo("lost");
        }

        assertThat(shortest)
                .as("the commit told the leader of the client in each of %d attempts: nothing was tested", ATTEMPTS)
                .isLessThan(T.multipliedBy(3).dividedBy(4));
    }

    private static Optional<String> lastRequest(Ensemble ensemble, ServerProcess server, String session) {
        return ensemble.connection(server, session)
                .map(LAST_REQUEST::matcher)
                .filter(Matcher::find)
                .map(matcher -> matcher.group(1));
    }
}
