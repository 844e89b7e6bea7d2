package io.github.zklock.faults.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.faults.cluster.Interception;
import io.github.zklock.faults.cluster.Interception.Phase;
import io.github.zklock.faults.cluster.Interception.Target;
import io.github.zklock.faults.context.ClientProcess;
import io.github.zklock.faults.context.FaultScenario;
import io.github.zklock.faults.context.ScenarioContext;
import io.github.zklock.faults.timeline.Event;
import io.github.zklock.faults.timeline.Event.Kind;
import java.util.List;

/** Seats whose client does not know whether they exist. */
public class OrphanedSeats {

    private static final String HELD_SHORTLY = "50 forever ";

    /** A session that its client gave up during an outage continues for a while, with its seat. (M2, L21) */
    @FaultScenario(value = "S5", grants = 3, handOvers = 1, losses = 1, faults = 4, peers = true)
    public void aSeatOfAnEarlierSessionIsNotTakenForTheOneWhoseCreateWasLost(ScenarioContext context) {
        ClientProcess verifier = context.client("verifier", context.ensemble().connectStringWithout());
        InterceptedClient client = new InterceptedClient(
                context, Phase.BEFORE_REPLY, context.ensemble().servers());
        context.awaitReady();
        String spec = context.variant().kind().exclusive();
        Event held = context.hold(client.process(), spec + "@" + client.lock());

        context.ensemble().servers().forEach(context::kill);
        context.await(Kind.LOST, client.process(), held.at());
        context.release(client.process());
        client.install(
                List.of(Interception.at(Phase.BEFORE_REPLY, Target.CREATE).since("/" + client.lock())));
        client.acquire(HELD_SHORTLY + spec);
        context.heal();

        assertThat(client.awaitEnd().kind()).isEqualTo(Kind.CLOSED);
        client.assertFree(verifier);
        client.removeInterceptions();
    }
}
