package io.github.zklock.faults.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.faults.record.Event;
import io.github.zklock.faults.record.Event.Kind;
import io.github.zklock.faults.rig.Trap;
import io.github.zklock.faults.rig.Trap.Phase;
import io.github.zklock.faults.rig.Trap.What;
import io.github.zklock.faults.stage.ClientProcess;
import io.github.zklock.faults.stage.FaultScenario;
import io.github.zklock.faults.stage.Stage;
import java.util.List;

/** Seats of which their own client does not know, or no longer knows, whether they exist. */
public class Orphans {

    private static final String HELD_SHORTLY = "50 forever ";

    /** A session that its client gave up lives on for a while where nobody asked the servers: with its seat. (M2, L21) */
    @FaultScenario(value = "S5", grants = 3, handOvers = 1, losses = 1, faults = 4, peers = true)
    public void aSeatOfAnEarlierSessionIsNotTakenForTheOneWhoseCreateWasLost(Stage stage) {
        ClientProcess judge = stage.client("judge", stage.ensemble().connectStringWithout());
        Trial trial = new Trial(stage, Phase.BEFORE_REPLY, stage.ensemble().servers());
        stage.awaitReady();
        String wish = stage.variant().kind().alone();
        Event held = stage.hold(trial.client(), wish + "@" + trial.lock());

        stage.ensemble().servers().forEach(stage::kill);
        stage.await(Kind.LOST, trial.client(), held.at());
        stage.release(trial.client());
        trial.lay(List.of(Trap.at(Phase.BEFORE_REPLY, What.CREATE).since("/" + trial.lock())));
        trial.ask(HELD_SHORTLY + wish);
        stage.heal();

        assertThat(trial.awaitEnd().kind()).isEqualTo(Kind.CLOSED);
        trial.assertFree(judge);
        trial.lift();
    }
}
