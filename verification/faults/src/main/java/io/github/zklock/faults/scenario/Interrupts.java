package io.github.zklock.faults.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.faults.record.Event;
import io.github.zklock.faults.record.Event.Kind;
import io.github.zklock.faults.rig.Trap.Phase;
import io.github.zklock.faults.stage.ClientProcess;
import io.github.zklock.faults.stage.FaultScenario;
import io.github.zklock.faults.stage.Stage;
import java.util.ArrayList;
import java.util.List;

/** Calls that are interrupted while a request of theirs, or the answer to it, is held back: at each step of them. (L11) */
public class Interrupts {

    // more than it takes to stand in a queue: those after that are renewals
    private static final int STEPS_INTO_A_QUEUE = 10;
    private static final int FEWEST_STEPS_OF_A_WAIT = 3;

    @FaultScenario(value = "S9", grants = 10, handOvers = 5, faults = 8, peers = true)
    public void anInterruptAtAnyStepEndsAWaitAndNotARelease(Stage stage) {
        Steps steps = Steps.in(stage, Phase.BEFORE_SEND, Phase.BEFORE_REPLY);
        String call = Steps.ACROSS_A_RENEWAL + stage.variant().kind().alone();

        List<Kind> ends = new ArrayList<>();
        int count = steps.onNewLocks().undisturbed(call);
        for (int step = 0; step < count; step++) {
            int number = step;
            steps.onNewLocks().ask(call, trial -> trial.trap(number).doing(() -> interrupt(stage, trial)));
            steps.finish(trial -> ends.add(endOfInterrupted(stage, trial).kind()));
        }

        assertThat(ends).filteredOn(Kind.INTERRUPTED::equals).hasSizeGreaterThanOrEqualTo(FEWEST_STEPS_OF_A_WAIT);
        assertThat(ends).contains(Kind.CLOSED);
    }

    @FaultScenario(value = "S9", grants = 20, handOvers = 10, faults = 2 * STEPS_INTO_A_QUEUE - 2, peers = true)
    public void anInterruptAtAnyStepIntoAQueueLetsTheOthersPass(Stage stage) throws InterruptedException {
        ClientProcess holder = stage.client("holder", stage.ensemble().connectStringWithout());
        Steps steps = Steps.in(stage, Phase.BEFORE_SEND, Phase.BEFORE_REPLY);
        String wish = stage.variant().kind().alone();

        for (int step = 0; step < STEPS_INTO_A_QUEUE; step++) {
            int number = step;
            String lock = "queue." + step;
            stage.hold(holder, wish + "@" + lock);
            steps.on(lock)
                    .ask(
                            Steps.ACROSS_A_RENEWAL + wish,
                            trial -> trial.trap(number).doing(() -> interrupt(stage, trial)));
            for (Trial trial : steps.trials()) {
                if (!trial.awaitSprung()) {
                    // that of a peer, which has nothing to say while it waits: the floor of faults says whether it was
                    // ours
                    interrupt(stage, trial);
                }
                Event end = endOfInterrupted(stage, trial);
                assertThat(end.kind())
                        .as("%s, to whom nobody gave the lock", end)
                        .isEqualTo(Kind.INTERRUPTED);
            }
            stage.release(holder);
            steps.finish(trial -> {});
        }
    }

    private static void interrupt(Stage stage, Trial trial) {
        long now = System.nanoTime();
        trial.client().order("interrupt");
        stage.await(Kind.INTERRUPTING, trial.client(), now);
    }

    /** A wait ends with an exception, which takes the flag with it; a hold ends as it should, and leaves the flag. */
    private static Event endOfInterrupted(Stage stage, Trial trial) {
        Event end = trial.awaitEnd();
        if (end.is(Kind.INTERRUPTED)) {
            assertThat(end.text("flag")).as("flag after %s", end).isEqualTo("false");
            return end;
        }
        assertThat(end.kind()).as(end.toString()).isEqualTo(Kind.CLOSED);
        Event releasing = stage.await(Kind.RELEASING, trial.client(), trial.asked());
        boolean before = stage.timeline()
                        .count(event ->
                                event.is(Kind.INTERRUPTING, trial.client().name())
                                        && event.at() > trial.asked()
                                        && event.at() < releasing.at())
                > 0;
        if (before) {
            assertThat(end.text("interrupted")).as("flag after %s", end).isEqualTo("true");
        }
        return end;
    }
}
