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
import io.github.zklock.faults.stage.Variant;
import io.github.zklock.faults.stage.Variant.Surface;

/** Those whom a process tells of its locks, and who do not behave: of the registry, of a handle, of the application. */
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
    public void listenersThatBlockForEverKeepNoOtherFromBeingTold(Stage stage) {
        loseTwoLocks(stage, "BLOCK_LISTENERS");
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
    public void listenersThatThrowKeepNoOtherFromBeingTold(Stage stage) {
        loseTwoLocks(stage, "BREAK_LISTENERS");
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
    public void listenersThatThrowAnErrorKeepNoOtherFromBeingTold(Stage stage) {
        loseTwoLocks(stage, "BREAK_LISTENERS_BY_ERROR");
    }

    private static void loseTwoLocks(Stage stage, String change) {
        Cast cast = Cast.together(stage);
        cast.loop();
        ClientProcess holder = cast.holder();
        holder.order("change " + change);
        stage.await(Kind.CHANGED, holder, 0);
        Event elsewhere = stage.hold(holder, ELSEWHERE);
        Event usual = stage.hold(holder);

        stage.lastUntil(stage.pause(holder), T.multipliedBy(2));
        Event resumed = stage.resume(holder);

        // told to a listener of the harness's own, which comes after the one that does not behave
        stage.awaitLossOf(elsewhere);
        stage.awaitLossOf(usual);
        assertThat(stage.release(holder).text("result")).isEqualTo("lost");
        cast.awaitGrants(resumed);
        stage.hold(holder);
        assertThat(stage.release(holder).text("result")).isEqualTo("ok");
    }
}
