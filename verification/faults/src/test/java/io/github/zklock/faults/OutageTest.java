package io.github.zklock.faults;

import static io.github.zklock.faults.Scenario.T;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.faults.Event.Kind;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

class OutageTest {

    private static final Duration WAIT = Duration.ofSeconds(1);
    private static final Duration LATE = Duration.ofMillis(500);
    private static final Set<Kind> ANSWERS =
            EnumSet.of(Kind.GRANTED, Kind.EMPTY, Kind.TIMEOUT, Kind.UNAVAILABLE, Kind.FAILED);

    @FaultScenario(value = "S5", grants = 4, handOvers = 3, faults = 3)
    void aWaiterThatOutlivesAnOutageIsNotGrantedTheLockOnItsOldSeat(Scenario scenario) {
        Cast cast = Cast.together(scenario);
        ClientProcess holder = cast.holder();
        scenario.hold(holder);
        cast.loop("1 20 exclusive");
        scenario.awaitSeats(3);

        scenario.ensemble().servers().forEach(scenario::kill);
        Event down = scenario.timeline().await("the outage", 0, event -> event.is(Kind.KILLED));
        scenario.lastUntil(down, T.multipliedBy(3).dividedBy(2));
        Event healed = scenario.heal();

        // lost or not: the servers kept the session in their logs, the client may have given it up
        scenario.release(holder);
        cast.awaitGrants(healed);
        scenario.hold(holder);
        scenario.release(holder);
    }

    @FaultScenario(value = "S19", grants = 3, faults = 6)
    void aTimedAcquireWithoutServersEndsAtItsDeadlineAndSaysWhy(Scenario scenario) {
        String servers = scenario.ensemble().connectStringWithout();
        ClientProcess holder = scenario.client("holder", servers);
        ClientProcess acquiring = scenario.client("acquiring", servers);
        ClientProcess trying = scenario.client("trying", servers);
        scenario.awaitReady();
        scenario.hold(holder);

        scenario.ensemble().servers().forEach(scenario::pause);
        assertUnavailable(scenario, acquiring, trying);
        scenario.ensemble().servers().forEach(scenario::kill);
        assertUnavailable(scenario, acquiring, trying);
        Event healed = scenario.heal();

        scenario.release(holder);
        acquiring.order("acquire 60000");
        trying.order("try 60000");
        scenario.await(Kind.GRANTED, acquiring, healed.at());
        scenario.await(Kind.GRANTED, trying, healed.at());
    }

    private static void assertUnavailable(Scenario scenario, ClientProcess acquiring, ClientProcess trying) {
        long now = System.nanoTime();
        acquiring.order("acquire " + WAIT.toMillis());
        trying.order("try " + WAIT.toMillis());
        for (ClientProcess client : List.of(acquiring, trying)) {
            Event asked = scenario.await(Kind.ASKED, client, now);
            Event answer = scenario.timeline()
                    .await(
                            "an answer to " + client.name(),
                            asked.at(),
                            event -> event.source().equals(client.name()) && ANSWERS.contains(event.kind()));

            assertThat(answer.kind()).as(answer.toString()).isEqualTo(Kind.UNAVAILABLE);
            assertThat(Duration.ofNanos(answer.at() - asked.at())).isBetween(WAIT, WAIT.plus(LATE));
        }
    }
}
