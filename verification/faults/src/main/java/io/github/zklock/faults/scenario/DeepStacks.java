package io.github.zklock.faults.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.faults.record.Event;
import io.github.zklock.faults.record.Event.Kind;
import io.github.zklock.faults.stage.ClientProcess;
import io.github.zklock.faults.stage.FaultScenario;
import io.github.zklock.faults.stage.Stage;
import io.github.zklock.faults.stage.Variant;
import io.github.zklock.faults.stage.Variant.Surface;

/** Callers whose stacks end in the middle of a call. */
public class DeepStacks {

    private static final int LOCKS = 12;

    /** A {@code StackOverflowError} may come at any call inside the library, which must not lose a lock by it. (L26) */
    @FaultScenario(
            value = "L26",
            grants = LOCKS,
            faults = 1,
            kinds = Variant.Kind.EXCLUSIVE,
            surfaces = {Surface.REGISTRY, Surface.FUTURE})
    public void callsNearTheEndOfTheStackLoseNoLock(Stage stage) {
        String servers = stage.ensemble().connectStringWithout();
        ClientProcess deep = stage.client("deep", servers);
        ClientProcess judge = stage.client("judge", servers);
        stage.awaitReady();
        Event begun = stage.note(deep.name(), Kind.DISRUPTED, "how", "deep_stacks");
        deep.order("sweep " + LOCKS);
        Event swept =
                stage.timeline().await("the end of the calls", begun.at(), event -> event.is(Kind.NOTED, deep.name()));

        assertThat(swept.number("overflows"))
                .as("calls that met the end of the stack: %s", swept)
                .isGreaterThan(10);

        for (int lock = 0; lock < LOCKS; lock++) {
            long now = System.nanoTime();
            judge.order("once 0 acquire-5000 exclusive@deep-" + lock);
            Event asked = stage.await(Kind.ASKED, judge, now);
            assertThat(stage.awaitAnswer(asked).kind())
                    .as("K7: the answer to a call for deep-%d, which nobody holds", lock)
                    .isEqualTo(Kind.GRANTED);
        }
        // the same process can use them, too
        for (int lock = 0; lock < LOCKS; lock++) {
            long now = System.nanoTime();
            deep.order("once 0 acquire-5000 exclusive@deep-" + lock);
            Event asked = stage.await(Kind.ASKED, deep, now);
            assertThat(stage.awaitAnswer(asked).kind())
                    .as("K7: the answer to a call for deep-%d by the process that met the end of its stack", lock)
                    .isEqualTo(Kind.GRANTED);
        }
    }
}
