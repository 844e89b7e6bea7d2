package io.github.zklock.faults.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.faults.cluster.Interception.Phase;
import io.github.zklock.faults.context.ClientProcess;
import io.github.zklock.faults.context.FaultScenario;
import io.github.zklock.faults.context.ScenarioContext;
import io.github.zklock.faults.timeline.Event;
import io.github.zklock.faults.timeline.Event.Kind;
import java.util.ArrayList;
import java.util.List;

/** Calls that are interrupted at each step, while a request or its reply is held back. (L11) */
public class Interrupts {

    // more steps than it takes to join a queue: the steps after that are renewals
    private static final int STEPS_INTO_A_QUEUE = 10;
    private static final int FEWEST_STEPS_OF_A_WAIT = 3;

    @FaultScenario(value = "S9", grants = 10, handOvers = 5, faults = 8, peers = true)
    public void anInterruptAtAnyStepEndsAWaitAndNotARelease(ScenarioContext context) {
        StepSweep steps = StepSweep.in(context, Phase.BEFORE_SEND, Phase.BEFORE_REPLY);
        String call = StepSweep.ACROSS_A_RENEWAL + context.variant().kind().exclusive();

        List<Kind> ends = new ArrayList<>();
        int count = steps.onNewLocks().undisturbed(call);
        for (int step = 0; step < count; step++) {
            int number = step;
            steps.onNewLocks()
                    .acquire(call, client -> client.interceptionAt(number).doing(() -> interrupt(context, client)));
            steps.finish(client -> ends.add(endOfInterrupted(context, client).kind()));
        }

        assertThat(ends).filteredOn(Kind.INTERRUPTED::equals).hasSizeGreaterThanOrEqualTo(FEWEST_STEPS_OF_A_WAIT);
        assertThat(ends).contains(Kind.CLOSED);
    }

    @FaultScenario(value = "S9", grants = 20, handOvers = 10, faults = 2 * STEPS_INTO_A_QUEUE - 2, peers = true)
    public void anInterruptAtAnyStepIntoAQueueLetsTheOthersPass(ScenarioContext context) throws InterruptedException {
        ClientProcess holder = context.client("holder", context.ensemble().connectStringWithout());
        StepSweep steps = StepSweep.in(context, Phase.BEFORE_SEND, Phase.BEFORE_REPLY);
        String spec = context.variant().kind().exclusive();

        for (int step = 0; step < STEPS_INTO_A_QUEUE; step++) {
            int number = step;
            String lock = "queue." + step;
            context.hold(holder, spec + "@" + lock);
            steps.on(lock)
                    .acquire(
                            StepSweep.ACROSS_A_RENEWAL + spec,
                            client -> client.interceptionAt(number).doing(() -> interrupt(context, client)));
            for (InterceptedClient client : steps.clients()) {
                if (!client.awaitTriggered()) {
                    // other libraries send nothing while they wait; for ours, the least number of faults shows that the
                    // interception triggered
                    interrupt(context, client);
                }
                Event end = endOfInterrupted(context, client);
                assertThat(end.kind())
                        .as("%s, which was not granted the lock", end)
                        .isEqualTo(Kind.INTERRUPTED);
            }
            context.release(holder);
            steps.finish(client -> {});
        }
    }

    private static void interrupt(ScenarioContext context, InterceptedClient client) {
        long now = System.nanoTime();
        client.process().send("interrupt");
        context.await(Kind.INTERRUPTING, client.process(), now);
    }

    /**
     * Checks the end of an interrupted call: a wait ends with an exception and a cleared flag; a hold ends in the
     * regular way and keeps the flag.
     */
    private static Event endOfInterrupted(ScenarioContext context, InterceptedClient client) {
        Event end = client.awaitEnd();
        if (end.is(Kind.INTERRUPTED)) {
            assertThat(end.text("flag")).as("flag after %s", end).isEqualTo("false");
            return end;
        }
        assertThat(end.kind()).as(end.toString()).isEqualTo(Kind.CLOSED);
        Event releasing = context.await(Kind.RELEASING, client.process(), client.calledAt());
        boolean before = context.timeline()
                        .count(event ->
                                event.is(Kind.INTERRUPTING, client.process().name())
                                        // a renewal before the call may have caused an interrupt of no call
                                        && !event.text("callNumbers").isEmpty()
                                        && event.at() > client.calledAt()
                                        && event.at() < releasing.at())
                > 0;
        if (before) {
            assertThat(end.text("interrupted")).as("flag after %s", end).isEqualTo("true");
        }
        return end;
    }
}
