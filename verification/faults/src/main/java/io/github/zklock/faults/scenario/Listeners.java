package io.github.zklock.faults.scenario;

import static io.github.zklock.faults.context.ScenarioContext.T;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.faults.context.ClientProcess;
import io.github.zklock.faults.context.FaultScenario;
import io.github.zklock.faults.context.ScenarioContext;
import io.github.zklock.faults.context.ThreeClients;
import io.github.zklock.faults.context.Tier;
import io.github.zklock.faults.context.Variant;
import io.github.zklock.faults.context.Variant.Surface;
import io.github.zklock.faults.timeline.Event;
import io.github.zklock.faults.timeline.Event.Kind;

/** Listeners that block or throw: of the registry, of a handle, and of the application. */
public class Listeners {

    private static final String ELSEWHERE = "exclusive@elsewhere";

    @FaultScenario(
            value = "S14",
            grants = 10,
            handOvers = 3,
            losses = 2,
            faults = 2,
            kinds = {Variant.Kind.EXCLUSIVE, Variant.Kind.READ_WRITE},
            surfaces = Surface.ANNOTATION)
    public void listenersThatBlockForEverKeepNoOtherFromBeingTold(ScenarioContext context) {
        loseTwoLocks(context, "BLOCK_LISTENERS");
    }

    @FaultScenario(
            value = "S14",
            tier = Tier.ALL,
            grants = 10,
            handOvers = 3,
            losses = 2,
            faults = 2,
            kinds = {Variant.Kind.EXCLUSIVE, Variant.Kind.READ_WRITE},
            surfaces = Surface.ANNOTATION)
    public void listenersThatThrowKeepNoOtherFromBeingTold(ScenarioContext context) {
        loseTwoLocks(context, "BREAK_LISTENERS");
    }

    @FaultScenario(
            value = "S14",
            tier = Tier.ALL,
            grants = 10,
            handOvers = 3,
            losses = 2,
            faults = 2,
            kinds = {Variant.Kind.EXCLUSIVE, Variant.Kind.READ_WRITE},
            surfaces = Surface.ANNOTATION)
    public void listenersThatThrowAnErrorKeepNoOtherFromBeingTold(ScenarioContext context) {
        loseTwoLocks(context, "BREAK_LISTENERS_BY_ERROR");
    }

    private static void loseTwoLocks(ScenarioContext context, String change) {
        ThreeClients clients = ThreeClients.together(context);
        clients.loop();
        ClientProcess holder = clients.holder();
        holder.send("change " + change);
        context.await(Kind.CHANGED, holder, 0);
        Event elsewhere = context.hold(holder, ELSEWHERE);
        Event usual = context.hold(holder);

        context.lastUntil(context.pause(holder), T.multipliedBy(2));
        Event resumed = context.resume(holder);

        // reported to the harness's own listener, which is registered after the broken one
        context.awaitLossOf(elsewhere);
        context.awaitLossOf(usual);
        assertThat(context.release(holder).text("result")).isEqualTo("lost");
        clients.awaitGrants(resumed);
        context.hold(holder);
        assertThat(context.release(holder).text("result")).isEqualTo("ok");
    }
}
