package io.github.zklock.faults.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.faults.cluster.Interception.Phase;
import io.github.zklock.faults.context.FaultScenario;
import io.github.zklock.faults.context.ScenarioContext;
import io.github.zklock.faults.context.Variant.Surface;
import io.github.zklock.faults.timeline.Event;
import io.github.zklock.faults.timeline.Event.Kind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Calls whose deadline passes, or whose registry is closed, while a request or its reply is held back. */
public class Deadlines {

    private static final Duration WAIT = Duration.ofMillis(700);
    private static final String HELD_SHORTLY = "50 ";
    // all steps before a grant, and a few more
    private static final int STEPS = 10;
    private static final int FEWEST_STEPS_OF_A_WAIT = 3;

    /** The lock is free: the call must end with the lock, or report that the servers were unavailable. */
    @FaultScenario(value = "S9", grants = 8, handOvers = 4, faults = 8, peers = true)
    public void aDeadlineIsKeptAtAnyStepAndNoSeatIsLeft(ScenarioContext context) {
        StepSweep steps = StepSweep.in(context, Phase.BEFORE_SEND, Phase.BEFORE_REPLY);
        String spec = context.variant().kind().exclusive();

        List<Kind> ends = new ArrayList<>();
        for (int step = 0; step < STEPS; step++) {
            int number = step;
            String how = (step % 2 == 0 ? "acquire-" : "try-") + WAIT.toMillis() + " ";
            steps.onNewLocks()
                    .acquire(
                            HELD_SHORTLY + how + spec,
                            client -> client.interceptionAt(number).doing(() -> client.awaitAnswer()));
            steps.finish(client -> ends.add(endOf(client)));
            // a connection that was held back for long delays the next grant
            steps.onNewLocks().undisturbed(HELD_SHORTLY + "forever " + spec);
        }

        assertThat(ends)
                .as("ends of waits that the servers did not answer")
                .filteredOn(Kind.UNAVAILABLE::equals)
                .hasSizeGreaterThanOrEqualTo(FEWEST_STEPS_OF_A_WAIT);
    }

    @FaultScenario(
            value = "S9",
            grants = 8,
            handOvers = 4,
            faults = 8,
            surfaces = {Surface.REGISTRY, Surface.FUTURE})
    public void aRegistryThatIsClosedAtAnyStepRefusesThoseWhoWait(ScenarioContext context) {
        StepSweep steps = StepSweep.in(context, Phase.BEFORE_SEND, Phase.BEFORE_REPLY);
        String spec = context.variant().kind().exclusive();

        Set<Event> refusals = ConcurrentHashMap.newKeySet();
        for (int step = 0; step < STEPS; step++) {
            int number = step;
            Set<InterceptedClient> closing = ConcurrentHashMap.newKeySet();
            steps.onNewLocks()
                    .acquire(
                            HELD_SHORTLY + "forever " + spec,
                            client -> client.interceptionAt(number).doing(() -> closeUnder(context, client, closing)));
            steps.finish(client -> {
                Event end = client.awaitEnd();
                if (closing.contains(client)) {
                    assertThat(end.kind()).as(end.toString()).isEqualTo(Kind.REFUSED);
                    refusals.add(end);
                }
            });
            closing.forEach(client -> reopen(context, client));
        }

        assertThat(refusals).hasSizeGreaterThanOrEqualTo(FEWEST_STEPS_OF_A_WAIT);
    }

    /** K9 judges how late the answer may be. */
    private static Kind endOf(InterceptedClient client) {
        Event end = client.awaitAnswer();
        if (end.is(Kind.GRANTED)) {
            client.awaitEnd();
        } else {
            assertThat(end.kind()).as(end.toString()).isEqualTo(Kind.UNAVAILABLE);
        }
        return end.kind();
    }

    /** Closes the registry unless the lock is granted already: closes under holders have scenarios of their own. */
    private static void closeUnder(ScenarioContext context, InterceptedClient client, Set<InterceptedClient> closing) {
        boolean granted = context.timeline()
                        .count(event ->
                                event.is(Kind.GRANTED, client.process().name()) && event.at() > client.calledAt())
                > 0;
        if (!granted) {
            closing.add(client);
            client.process().send("close");
            client.awaitAnswer();
        }
    }

    private static void reopen(ScenarioContext context, InterceptedClient client) {
        Event shut = context.await(Kind.REGISTRY_CLOSED, client.process(), client.calledAt());
        client.process().send("open");
        context.await(Kind.READY, client.process(), shut.at());
    }
}
