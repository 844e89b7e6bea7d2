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
import io.github.zklock.faults.timeline.Event;
import io.github.zklock.faults.timeline.Event.Kind;
import java.time.Duration;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;

/** The follower of a holder stops, or is isolated from the other servers. */
public class FollowerFaults {

    private static final int ATTEMPTS = 5;
    private static final Pattern LAST_REQUEST = Pattern.compile("lcxid=0x([0-9a-f]+)");

    @FaultScenario(value = "S3", grants = 4, handOvers = 3, peers = true)
    public void aHolderWhoseFollowerStopsKeepsItsLockOrIsTold(ScenarioContext context) {
        Ensemble ensemble = context.ensemble();
        ThreeClients clients = ThreeClients.of(
                context, ensemble.connectStringWithout(ensemble.leader()), ensemble.connectStringWithout());
        clients.loop();
        ClientProcess holder = clients.holder();
        String session = context.hold(holder).text("session");
        ServerProcess follower = ensemble.serverOf(session).orElseThrow();

        Event paused = context.pause(follower);
        context.lastUntil(paused, T.multipliedBy(4).dividedBy(3));
        Event healed = context.heal();

        context.release(holder);
        clients.awaitGrants(healed);
        context.hold(holder);
        context.release(holder);
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
            Awaitility.await("a commit")
                    .atMost(ScenarioContext.MAX_WAIT)
                    .pollDelay(Duration.ZERO)
                    .pollInterval(Duration.ofMillis(1))
                    .until(() -> lastRequest(ensemble, follower, session)
                            .filter(now -> !now.equals(before))
                            .isPresent());
            Event stopped = context.pause(follower);

            Event next = context.awaitGrantToOthers(holder, stopped.at());
            Duration survived = Duration.ofNanos(next.at() - stopped.at());
            shortest = survived.compareTo(shortest) < 0 ? survived : shortest;
            context.heal();
            context.await(Kind.LOST, holder, stopped.at());
            assertThat(context.release(holder).text("result")).isEqualTo("lost");
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
}
