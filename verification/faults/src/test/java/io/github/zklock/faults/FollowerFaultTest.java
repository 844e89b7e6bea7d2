package io.github.zklock.faults;

import static io.github.zklock.faults.Scenario.T;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.faults.Event.Kind;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;

class FollowerFaultTest {

    private static final int ATTEMPTS = 5;
    private static final Pattern LAST_REQUEST = Pattern.compile("lcxid=0x([0-9a-f]+)");

    @FaultScenario(value = "S3", grants = 4, handOvers = 3)
    void aHolderWhoseFollowerStopsKeepsItsLockOrIsTold(Scenario scenario) {
        Ensemble ensemble = scenario.ensemble();
        Cast cast =
                Cast.of(scenario, ensemble.connectStringWithout(ensemble.leader()), ensemble.connectStringWithout());
        cast.loop("2 20 exclusive");
        ClientProcess holder = cast.holder();
        String session = scenario.hold(holder).text("session");
        ServerProcess follower = ensemble.servers().stream()
                .filter(server -> ensemble.connection(server, session).isPresent())
                .findFirst()
                .orElseThrow();

        Event paused = scenario.pause(follower);
        scenario.lastUntil(paused, T.multipliedBy(4).dividedBy(3));
        Event healed = scenario.heal();

        scenario.release(holder);
        cast.awaitGrants(healed);
        scenario.hold(holder);
        scenario.release(holder);
    }

    @FaultScenario(value = "S3", grants = 8, handOvers = 2, losses = 1)
    void aHolderWhoseFollowerIsCutOffDoesNotBelieveWhatItReads(Scenario scenario) {
        Ensemble ensemble = scenario.ensemble();
        ServerProcess follower = ensemble.follower();
        Cast cast = Cast.apart(scenario, follower);
        cast.loop("2 20 exclusive");
        ClientProcess holder = cast.holder();
        scenario.hold(holder);

        Event cut = scenario.isolate(follower);
        Event next = scenario.awaitGrantToOthers(holder, cut.at());
        // long enough for a holder that trusts its follower to be caught
        scenario.lastUntil(next, T.dividedBy(4));
        scenario.heal();

        scenario.await(Kind.LOST, holder, cut.at());
        assertThat(scenario.release(holder).text("result")).isEqualTo("lost");
        scenario.hold(holder);
    }

    /*
     * The leader hears of a client only in its follower's next answer to a ping, half a tick later at most: a follower
     * that stops before that takes the client's sign of life with it, whatever it had committed. (M22)
     */
    @FaultScenario(value = "S22", grants = 8, handOvers = 3, losses = 1, faults = 2)
    void aCommitThroughAFollowerThatThenStopsProlongsNothing(Scenario scenario) {
        Ensemble ensemble = scenario.ensemble();
        ServerProcess follower = ensemble.follower();
        Cast cast = Cast.apart(scenario, follower);
        cast.loop("2 20 exclusive");

        Duration shortest = T;
        for (int attempt = 0;
                attempt < ATTEMPTS && shortest.compareTo(T.multipliedBy(3).dividedBy(4)) >= 0;
                attempt++) {
            // a client learns of the other servers from its first one, so only its first session must be on that one
            ClientProcess holder =
                    attempt == 0 ? cast.holder() : scenario.client("holder-" + attempt, follower.connectString());
            scenario.awaitReady();
            String session = scenario.hold(holder).text("session");
            scenario.lastUntil(scenario.pause(holder), T.multipliedBy(6).dividedBy(10));
            String before = lastRequest(ensemble, follower, session);
            scenario.resume(holder);
            Awaitility.await("a commit")
                    .pollDelay(Duration.ZERO)
                    .pollInterval(Duration.ofMillis(1))
                    .until(() -> !lastRequest(ensemble, follower, session).equals(before));
            Event stopped = scenario.pause(follower);

            Event next = scenario.awaitGrantToOthers(holder, stopped.at());
            Duration survived = Duration.ofNanos(next.at() - stopped.at());
            shortest = survived.compareTo(shortest) < 0 ? survived : shortest;
            scenario.heal();
            scenario.await(Kind.LOST, holder, stopped.at());
            assertThat(scenario.release(holder).text("result")).isEqualTo("lost");
        }

        assertThat(shortest)
                .as("the commit told the leader of the client in each of %d attempts: nothing was tested", ATTEMPTS)
                .isLessThan(T.multipliedBy(3).dividedBy(4));
    }

    private static String lastRequest(Ensemble ensemble, ServerProcess server, String session) {
        Matcher matcher =
                LAST_REQUEST.matcher(ensemble.connection(server, session).orElse(""));
        return matcher.find() ? matcher.group(1) : "";
    }
}
