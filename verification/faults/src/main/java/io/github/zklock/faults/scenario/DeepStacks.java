package io.github.zklock.faults.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.faults.context.ClientProcess;
import io.github.zklock.faults.context.FaultScenario;
import io.github.zklock.faults.context.ScenarioContext;
import io.github.zklock.faults.context.Variant;
import io.github.zklock.faults.context.Variant.Surface;
import io.github.zklock.faults.timeline.Event;
import io.github.zklock.faults.timeline.Event.Kind;

/** Callers whose stack overflows during a call. */
public class DeepStacks {

    private static final int LOCKS = 12;

    /** A {@code StackOverflowError} may occur at any call inside the library, and must not lose a lock. (L26) */
    @FaultScenario(
            value = "L26",
            grants = LOCKS,
            faults = 1,
            kinds = Variant.Kind.EXCLUSIVE,
            surfaces = {Surface.REGISTRY, Surface.FUTURE})
    public void callsNearTheEndOfTheStackLoseNoLock(ScenarioContext context) {
        String servers = context.ensemble().connectStringWithout();
        ClientProcess deep = context.client("deep", servers);
        ClientProcess verifier = context.client("verifier", servers);
        context.awaitReady();
        Event begun = context.note(deep.name(), Kind.DISRUPTED, "how", "deep_stacks");
        deep.send("sweep " + LOCKS);
        Event swept = context.timeline()
                .await("the end of the calls", begun.at(), event -> event.is(Kind.NOTED, deep.name()));

        assertThat(swept.number("overflows"))
                .as("calls whose stack overflowed: %s", swept)
                .isGreaterThan(10);

        for (int lock = 0; lock < LOCKS; lock++) {
            long now = System.nanoTime();
            verifier.send("once 0 acquire-5000 exclusive@deep-" + lock);
            Event asked = context.await(Kind.REQUESTED, verifier, now);
            assertThat(context.awaitAnswer(asked).kind())
                    .as("K7: the answer to a call for the free lock deep-%d", lock)
                    .isEqualTo(Kind.GRANTED);
        }
        // the same process can still use the locks
        for (int lock = 0; lock < LOCKS; lock++) {
            long now = System.nanoTime();
            deep.send("once 0 acquire-5000 exclusive@deep-" + lock);
            Event asked = context.await(Kind.REQUESTED, deep, now);
            assertThat(context.awaitAnswer(asked).kind())
                    .as("K7: the answer to a call for deep-%d by the process whose stack overflowed", lock)
                    .isEqualTo(Kind.GRANTED);
        }
    }
}
