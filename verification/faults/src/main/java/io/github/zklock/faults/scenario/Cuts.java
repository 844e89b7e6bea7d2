package io.github.zklock.faults.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.faults.record.Event.Kind;
import io.github.zklock.faults.record.Timeline;
import io.github.zklock.faults.rig.Trap;
import io.github.zklock.faults.rig.Trap.Phase;
import io.github.zklock.faults.rig.Trap.What;
import io.github.zklock.faults.stage.ClientProcess;
import io.github.zklock.faults.stage.FaultScenario;
import io.github.zklock.faults.stage.Stage;
import io.github.zklock.faults.stage.Tier;
import io.github.zklock.faults.stage.Variant;
import io.github.zklock.faults.stage.Wires;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** Connections that are cut at an exact step of taking a lock, holding it and giving it back. */
public class Cuts {

    private static final String HELD_SHORTLY = "50 forever ";
    private static final int STEPS_OF_A_LOOKUP = 4;
    private static final int CUTS_IN_A_ROW = 3;
    private static final int ATTEMPTS = 10;

    @FaultScenario(value = "S7", tier = Tier.SMOKE, grants = 20, handOvers = 10, faults = 12, peers = true)
    public void aCutAtAnyStepLeavesNoSeatAndGrantsNothingTwice(Stage stage) {
        Steps steps = Steps.in(stage, Phase.values());
        String call = Steps.ACROSS_A_RENEWAL + stage.variant().kind().alone();

        int count = steps.onNewLocks().undisturbed(call);
        for (int step = 0; step < count; step++) {
            int number = step;
            steps.onNewLocks().ask(call, trial -> trial.trap(number));
            steps.finish(Cuts::assertClosed);
        }
        // the number of renewals varies, and with it the step at which this comes
        steps.onNewLocks().ask(call, trial -> Trap.at(trial.phase(), What.DELETE));
        steps.finish(Cuts::assertClosed);

        assertCutFromFirstToLast(stage, steps);
        if (isOurs(stage)) {
            // which of the steps above is a renewal varies, too
            steps.onNewLocks().ask(call, trial -> Trap.at(trial.phase(), What.CHECK));
            steps.finish(Cuts::assertClosed);
            assertThat(steps.trials())
                    .allSatisfy(
                            trial -> assertThat(cutOff(stage, trial)).anyMatch(request -> request.startsWith("multi")));
        }
    }

    @FaultScenario(value = "S7", grants = 60, handOvers = 20, faults = 12, peers = true)
    public void aCutAtAnyStepAmongContendersLeavesNoSeatAndGrantsNothingTwice(Stage stage) {
        ClientProcess rival = stage.client("rival", stage.ensemble().connectStringWithout());
        Steps steps = Steps.in(stage, Phase.values()).onNewLocks();
        List<String> wishes = stage.variant().kind().common();
        for (Trial trial : steps.trials()) {
            wishes.forEach(wish -> rival.order("loop 1 150 forever " + wish + "@" + trial.lock()));
        }

        int count = steps.undisturbed(Steps.ACROSS_A_RENEWAL + wishes.get(0));
        for (int step = 0; step < count; step++) {
            int number = step;
            String wish = wishes.get(step % wishes.size());
            steps.ask(Steps.ACROSS_A_RENEWAL + wish, trial -> trial.trap(number));
            steps.finish(Cuts::assertClosed);
        }
        // whoever waits for permits watches the folder, and reads no seat
        if (stage.variant().kind() != Variant.Kind.SEMAPHORE) {
            cutAllAt(stage, steps, What.READ);
        }
        cutAllAt(stage, steps, What.EVENT);
        cutAllAt(stage, steps, What.DELETE);

        assertCutFromFirstToLast(stage, steps);
    }

    /** The second cut comes while the first is made good, the third as soon as that goes on. (L3) */
    @FaultScenario(value = "S8", tier = Tier.ALL, grants = 100, handOvers = 50, faults = 100, peers = true)
    public void severalCutsInARowLeaveNoSeatAndGrantNothingTwice(Stage stage) {
        Steps steps = Steps.in(stage, Phase.values()).onNewLocks();
        // a folder that is there: its first create is the one that counts
        steps.undisturbed(HELD_SHORTLY + stage.variant().kind().alone());

        for (What first : List.of(What.CREATE, What.DELETE)) {
            // after what is sent no more is heard: for the client that is as before the answer to it
            for (Phase next : List.of(Phase.BEFORE_SEND, Phase.BEFORE_REPLY)) {
                for (int step = 0; step < (first == What.CREATE ? STEPS_OF_A_LOOKUP : 1); step++) {
                    int number = step;
                    cut(stage, steps, first, () -> List.of(Trap.at(next, What.ANY, number)));
                }
                cut(stage, steps, first, () -> List.of(Trap.at(next, What.ANY), Trap.at(next, What.ANY)));
                cut(stage, steps, first, () -> List.of(Trap.at(next, What.CONNECT), Trap.at(next, What.ANY)));
            }
        }

        assertThat(steps.trials())
                .allSatisfy(trial -> assertThat(trial.mostSprung())
                        .as("cuts in a row, the first of them %s", trial.phase())
                        .isEqualTo(CUTS_IN_A_ROW));
    }

    /** The first cut in the phase that each client is there for, the others alike. */
    private static void cut(Stage stage, Steps steps, What first, Supplier<List<Trap>> others) {
        steps.askAll(HELD_SHORTLY + stage.variant().kind().alone(), trial -> {
            List<Trap> traps = new ArrayList<>(List.of(Trap.at(trial.phase(), first)));
            traps.addAll(others.get());
            return traps;
        });
        steps.finish(Cuts::assertClosed);
    }

    /**
     * Where this comes depends on the others, and whether it does: whoever finds nobody in front waits for nothing. So
     * all ask until each was cut off there, in its own phase if there is more than one.
     */
    private static void cutAllAt(Stage stage, Steps steps, What what) {
        List<String> wishes = stage.variant().kind().common();
        long begun = System.nanoTime();
        for (int attempt = 0; attempt < ATTEMPTS && !areCutOff(stage, steps, begun); attempt++) {
            steps.ask(
                    HELD_SHORTLY + wishes.get(attempt % wishes.size()),
                    trial -> Trap.at(what == What.EVENT ? Phase.BEFORE_REPLY : trial.phase(), what));
            steps.finish(Cuts::assertClosed);
        }
        assertThat(areCutOff(stage, steps, begun))
                .as("whether all were cut off at %s within %d attempts", what, ATTEMPTS)
                .isTrue();
    }

    private static boolean areCutOff(Stage stage, Steps steps, long since) {
        return steps.trials().stream()
                .noneMatch(trial -> cutOff(stage, trial, since).isEmpty());
    }

    private static void assertClosed(Trial trial) {
        assertThat(trial.awaitEnd().kind()).isEqualTo(Kind.CLOSED);
    }

    private static void assertCutFromFirstToLast(Stage stage, Steps steps) {
        for (Trial trial : steps.trials()) {
            assertThat(cutOff(stage, trial))
                    .as("what was cut off %s", trial.phase())
                    .anyMatch(request -> request.startsWith("create"))
                    .contains("delete");
        }
    }

    /** The requests at which the client was cut off. */
    private static Set<String> cutOff(Stage stage, Trial trial) {
        return cutOff(stage, trial, 0);
    }

    /** The same after an instant. */
    private static Set<String> cutOff(Stage stage, Trial trial, long since) {
        return stage.timeline().events().stream()
                .filter(event -> event.is(Kind.SEVERED, Wires.of(trial.client())) && event.at() > since)
                .map(event -> event.text("request"))
                .collect(Collectors.toSet());
    }

    private static boolean isOurs(Stage stage) {
        return Timeline.OURS.equals(stage.variant().engine());
    }
}
