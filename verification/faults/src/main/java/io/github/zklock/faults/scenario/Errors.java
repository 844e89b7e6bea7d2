package io.github.zklock.faults.scenario;

import static io.github.zklock.faults.context.ScenarioContext.T;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.faults.cluster.Interception.Phase;
import io.github.zklock.faults.context.ClientProcess;
import io.github.zklock.faults.context.FaultScenario;
import io.github.zklock.faults.context.ScenarioContext;
import io.github.zklock.faults.context.ThreeClients;
import io.github.zklock.faults.timeline.Event;
import io.github.zklock.faults.timeline.Event.Kind;
import java.util.List;

/** Work that throws an Error under its lock: the caller receives this Error, and the lock is released. (L19) */
public class Errors {

    private static final String FAILED = "error";
    private static final List<String> WAYS = List.of("forever", "acquire-30000", "try-30000");

    /** The client is cut off at each step of the acquisition and of the release. */
    @FaultScenario(value = "S9", grants = 10, handOvers = 5, faults = 8)
    public void anErrorUnderALockReachesItsCallerAtWhateverStepTheClientIsCutOff(ScenarioContext context) {
        StepSweep steps =
                StepSweep.in(context, Phase.BEFORE_SEND, Phase.BEFORE_REPLY).withErrors();
        String call = "100 forever " + context.variant().kind().exclusive();

        int count = steps.onNewLocks().undisturbed(call);
        for (int step = 0; step < count; step++) {
            int number = step;
            steps.onNewLocks().acquire(call, client -> client.interceptionAt(number));
            steps.finish(client -> {
                Event end = client.awaitEnd();
                assertThat(end.kind()).as(end.toString()).isEqualTo(Kind.CLOSED);
                assertThat(end.text("result")).as(end.toString()).isEqualTo(FAILED);
            });
        }
    }

    @FaultScenario(value = "S9", grants = 9, handOvers = 3, faults = 0)
    public void anErrorUnderALockLetsThoseBehindItPass(ScenarioContext context) {
        ThreeClients clients = ThreeClients.together(context);
        ClientProcess holder = clients.holder();
        String exclusive = context.variant().kind().exclusive();

        for (String how : WAYS) {
            Event granted = fail(context, holder, "500 " + how + " " + exclusive);
            // a waiter of the same process, which has the seat, and one of another process
            holder.send("once 0 forever " + exclusive);
            clients.first().send("once 0 forever " + exclusive);

            assertThat(context.awaitEndOf(granted).text("result")).isEqualTo(FAILED);
            context.await(Kind.GRANTED, holder, granted.at());
            context.await(Kind.GRANTED, clients.first(), granted.at());
        }
        context.queues().awaitNoSeats();
    }

    @FaultScenario(value = "S9", grants = 5, handOvers = 2, losses = 1)
    public void anErrorAfterALossIsNotHiddenByItAndHidesItNot(ScenarioContext context) {
        ThreeClients clients = ThreeClients.together(context);
        clients.loop();
        ClientProcess holder = clients.holder();
        Event granted = fail(
                context, holder, "600000 forever " + context.variant().kind().exclusive());

        context.lastUntil(context.pause(holder), T.multipliedBy(2));
        Event resumed = context.resume(holder);
        context.await(Kind.LOST, holder, resumed.at());
        holder.send("interrupt");
        Event end = context.awaitEndOf(granted);

        assertThat(end.text("result")).isEqualTo("lost");
        assertThat(end.text("message")).isEqualTo("made_by_the_work");
        clients.awaitGrants(resumed);
        context.hold(holder);
        assertThat(context.release(holder).text("result")).isEqualTo("ok");
    }

    private static Event fail(ScenarioContext context, ClientProcess client, String call) {
        long now = System.nanoTime();
        client.send("once-failing " + call);
        return context.await(Kind.GRANTED, client, now);
    }
}
