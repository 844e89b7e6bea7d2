package io.github.zklock.faults.scenario;

import static io.github.zklock.faults.stage.Stage.T;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.faults.record.Event;
import io.github.zklock.faults.record.Event.Kind;
import io.github.zklock.faults.stage.Cast;
import io.github.zklock.faults.stage.ClientProcess;
import io.github.zklock.faults.stage.FaultScenario;
import io.github.zklock.faults.stage.Stage;
import io.github.zklock.faults.stage.Tier;
import java.time.Duration;
import java.util.List;

/** All servers are away, and those who hold, wait and ask meanwhile. */
public class Outages {

    private static final Duration WAIT = Duration.ofSeconds(1);

    @FaultScenario(value = "S5", peers = true, tier = Tier.SMOKE, grants = 4, handOvers = 3, faults = 3)
    public void aWaiterThatOutlivesAnOutageIsNotGrantedTheLockOnItsOldSeat(Stage stage) {
        Cast cast = Cast.together(stage);
        ClientProcess holder = cast.holder();
        stage.hold(holder);
        cast.loop();
        stage.seating().awaitSeats(3);

        stage.ensemble().servers().forEach(stage::kill);
        Event down = stage.timeline().await("the outage", 0, event -> event.is(Kind.KILLED));
        stage.lastUntil(down, T.multipliedBy(3).dividedBy(2));
        Event healed = stage.heal();

        // lost or not: the servers kept the session in their logs, the client may have given it up
        stage.release(holder);
        cast.awaitGrants(healed);
        stage.hold(holder);
        stage.release(holder);
    }

    @FaultScenario(value = "S19", tier = Tier.SMOKE, grants = 3, faults = 6, peers = true)
    public void aTimedAcquireWithoutServersEndsAtItsDeadlineAndSaysWhy(Stage stage) {
        String wish = stage.variant().kind().alone();
        String servers = stage.ensemble().connectStringWithout();
        ClientProcess holder = stage.client("holder", servers);
        ClientProcess acquiring = stage.client("acquiring", servers);
        ClientProcess trying = stage.client("trying", servers);
        stage.awaitReady();
        stage.hold(holder);

        stage.ensemble().servers().forEach(stage::pause);
        assertUnavailable(stage, acquiring, trying);
        stage.ensemble().servers().forEach(stage::kill);
        assertUnavailable(stage, acquiring, trying);
        Event healed = stage.heal();

        stage.release(holder);
        acquiring.order("once 0 acquire-60000 " + wish);
        trying.order("once 0 try-60000 " + wish);
        stage.await(Kind.GRANTED, acquiring, healed.at());
        stage.await(Kind.GRANTED, trying, healed.at());
    }

    private static void assertUnavailable(Stage stage, ClientProcess acquiring, ClientProcess trying) {
        String wish = stage.variant().kind().alone();
        long now = System.nanoTime();
        acquiring.order("once 0 acquire-" + WAIT.toMillis() + " " + wish);
        trying.order("once 0 try-" + WAIT.toMillis() + " " + wish);
        for (ClientProcess client : List.of(acquiring, trying)) {
            Event asked = stage.await(Kind.ASKED, client, now);
            Event answer = stage.awaitAnswer(asked);

            assertThat(answer.kind()).as(answer.toString()).isEqualTo(Kind.UNAVAILABLE);
            // K9 judges how late it may be
            assertThat(Duration.ofNanos(answer.at() - asked.at())).isGreaterThanOrEqualTo(WAIT);
        }
    }
}
