package io.github.zklock.faults.scenario;

import static io.github.zklock.faults.context.ScenarioContext.T;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.faults.context.ClientProcess;
import io.github.zklock.faults.context.FaultScenario;
import io.github.zklock.faults.context.ScenarioContext;
import io.github.zklock.faults.context.ThreeClients;
import io.github.zklock.faults.context.Tier;
import io.github.zklock.faults.timeline.Event;
import io.github.zklock.faults.timeline.Event.Kind;
import java.time.Duration;
import java.util.List;

/** Outages of all servers while clients hold, wait and call. */
public class Outages {

    private static final Duration WAIT = Duration.ofSeconds(1);

    @FaultScenario(value = "S5", peers = true, tier = Tier.SMOKE, grants = 4, handOvers = 3, faults = 3)
    public void aWaiterThatOutlivesAnOutageIsNotGrantedTheLockOnItsOldSeat(ScenarioContext context) {
        ThreeClients clients = ThreeClients.together(context);
        ClientProcess holder = clients.holder();
        context.hold(holder);
        clients.loop();
        context.queues().awaitSeats(3);

        context.ensemble().servers().forEach(context::kill);
        Event down = context.timeline().await("the outage", 0, event -> event.is(Kind.KILLED));
        context.lastUntil(down, T.multipliedBy(3).dividedBy(2));
        Event healed = context.heal();

        // lost or not: the servers have kept the session in their logs, the client may have given it up
        context.release(holder);
        clients.awaitGrants(healed);
        context.hold(holder);
        context.release(holder);
    }

    @FaultScenario(value = "S19", tier = Tier.SMOKE, grants = 3, faults = 6, peers = true)
    public void aTimedAcquireWithoutServersEndsAtItsDeadlineAndSaysWhy(ScenarioContext context) {
        String spec = context.variant().kind().exclusive();
        String servers = context.ensemble().connectStringWithout();
        ClientProcess holder = context.client("holder", servers);
        ClientProcess acquiring = context.client("acquiring", servers);
        ClientProcess trying = context.client("trying", servers);
        context.awaitReady();
        context.hold(holder);

        context.ensemble().servers().forEach(context::pause);
        assertUnavailable(context, acquiring, trying);
        context.ensemble().servers().forEach(context::kill);
        assertUnavailable(context, acquiring, trying);
        Event healed = context.heal();

        context.release(holder);
        acquiring.send("once 0 acquire-60000 " + spec);
        trying.send("once 0 try-60000 " + spec);
        context.await(Kind.GRANTED, acquiring, healed.at());
        context.await(Kind.GRANTED, trying, healed.at());
    }

    private static void assertUnavailable(ScenarioContext context, ClientProcess acquiring, ClientProcess trying) {
        String spec = context.variant().kind().exclusive();
        long now = System.nanoTime();
        acquiring.send("once 0 acquire-" + WAIT.toMillis() + " " + spec);
        trying.send("once 0 try-" + WAIT.toMillis() + " " + spec);
        for (ClientProcess client : List.of(acquiring, trying)) {
            Event asked = context.await(Kind.REQUESTED, client, now);
            Event answer = context.awaitAnswer(asked);

            assertThat(answer.kind()).as(answer.toString()).isEqualTo(Kind.UNAVAILABLE);
            // K9 judges how late the answer may be
            assertThat(Duration.ofNanos(answer.at() - asked.at())).isGreaterThanOrEqualTo(WAIT);
        }
    }
}
