package io.github.zklock.faults.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.faults.record.Event;
import io.github.zklock.faults.record.Event.Kind;
import io.github.zklock.faults.rig.Trap.Phase;
import io.github.zklock.faults.stage.FaultScenario;
import io.github.zklock.faults.stage.Stage;
import io.github.zklock.faults.stage.Variant.Surface;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Calls whose time is over, or whose registry is closed, while a request or the answer to it is held back. */
public class Deadlines {

    private static final Duration WAIT = Duration.ofMillis(700);
    private static final String HELD_SHORTLY = "50 ";
    // all that comes before a grant, and a little more
    private static final int STEPS = 10;
    private static final int FEWEST_STEPS_OF_A_WAIT = 3;

    /** Nobody else has the lock: that the servers could not be asked is the only honest answer but the lock. */
    @FaultScenario(value = "S9", grants = 8, handOvers = 4, faults = 8, peers = true)
    public void aDeadlineIsKeptAtAnyStepAndNoSeatIsLeft(Stage stage) {
        Steps steps = Steps.in(stage, Phase.BEFORE_SEND, Phase.BEFORE_REPLY);
        String wish = stage.variant().kind().alone();

        List<Kind> ends = new ArrayList<>();
        for (int step = 0; step < STEPS; step++) {
            int number = step;
            String how = (step % 2 == 0 ? "acquire-" : "try-") + WAIT.toMillis() + " ";
            steps.onNewLocks()
                    .ask(HELD_SHORTLY + how + wish, trial -> trial.trap(number).doing(() -> trial.awaitAnswer()));
            steps.finish(trial -> ends.add(endOf(trial)));
            // a link that stood still for long delays the next grant
            steps.onNewLocks().undisturbed(HELD_SHORTLY + "forever " + wish);
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
    public void aRegistryThatIsClosedAtAnyStepRefusesThoseWhoWait(Stage stage) {
        Steps steps = Steps.in(stage, Phase.BEFORE_SEND, Phase.BEFORE_REPLY);
        String wish = stage.variant().kind().alone();

        Set<Event> refusals = ConcurrentHashMap.newKeySet();
        for (int step = 0; step < STEPS; step++) {
            int number = step;
            Set<Trial> closing = ConcurrentHashMap.newKeySet();
            steps.onNewLocks()
                    .ask(
                            HELD_SHORTLY + "forever " + wish,
                            trial -> trial.trap(number).doing(() -> closeUnder(stage, trial, closing)));
            steps.finish(trial -> {
                Event end = trial.awaitEnd();
                if (closing.contains(trial)) {
                    assertThat(end.kind()).as(end.toString()).isEqualTo(Kind.REFUSED);
                    refusals.add(end);
                }
            });
            closing.forEach(trial -> reopen(stage, trial));
        }

        assertThat(refusals).hasSizeGreaterThanOrEqualTo(FEWEST_STEPS_OF_A_WAIT);
    }

    /** K9 judges how late it may be. */
    private static Kind endOf(Trial trial) {
        Event end = trial.awaitAnswer();
        if (end.is(Kind.GRANTED)) {
            trial.awaitEnd();
        } else {
            assertThat(end.kind()).as(end.toString()).isEqualTo(Kind.UNAVAILABLE);
        }
        return end.kind();
    }

    /** Unless it has the lock already: what becomes of holders is another story. */
    private static void closeUnder(Stage stage, Trial trial, Set<Trial> closing) {
        boolean granted = stage.timeline()
                        .count(event -> event.is(Kind.GRANTED, trial.client().name()) && event.at() > trial.asked())
                > 0;
        if (!granted) {
            closing.add(trial);
            trial.client().order("close");
            trial.awaitAnswer();
        }
    }

    private static void reopen(Stage stage, Trial trial) {
        Event shut = stage.await(Kind.SHUT, trial.client(), trial.asked());
        trial.client().order("open");
        stage.await(Kind.READY, trial.client(), shut.at());
    }
}
