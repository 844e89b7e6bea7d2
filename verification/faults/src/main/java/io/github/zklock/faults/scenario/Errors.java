package io.github.zklock.faults.scenario;

import static io.github.zklock.faults.stage.Stage.T;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.faults.record.Event;
import io.github.zklock.faults.record.Event.Kind;
import io.github.zklock.faults.rig.Trap.Phase;
import io.github.zklock.faults.stage.Cast;
import io.github.zklock.faults.stage.ClientProcess;
import io.github.zklock.faults.stage.FaultScenario;
import io.github.zklock.faults.stage.Stage;
import java.util.List;

/** Work that throws an Error under its lock: its caller gets that one, and nothing of the lock is left. (L19) */
public class Errors {

    private static final String FAILED = "error";
    private static final List<String> WAYS = List.of("forever", "acquire-30000", "try-30000");

    /** Neither the way in nor the way out is spared: the client is cut off at each step of both. */
    @FaultScenario(value = "S9", grants = 10, handOvers = 5, faults = 8)
    public void anErrorUnderALockReachesItsCallerAtWhateverStepTheClientIsCutOff(Stage stage) {
        Steps steps = Steps.in(stage, Phase.BEFORE_SEND, Phase.BEFORE_REPLY).withErrors();
        String call = "100 forever " + stage.variant().kind().alone();

        int count = steps.onNewLocks().undisturbed(call);
        for (int step = 0; step < count; step++) {
            int number = step;
            steps.onNewLocks().ask(call, trial -> trial.trap(number));
            steps.finish(trial -> {
                Event end = trial.awaitEnd();
                assertThat(end.kind()).as(end.toString()).isEqualTo(Kind.CLOSED);
                assertThat(end.text("result")).as(end.toString()).isEqualTo(FAILED);
            });
        }
    }

    @FaultScenario(value = "S9", grants = 9, handOvers = 3, faults = 0)
    public void anErrorUnderALockLetsThoseBehindItPass(Stage stage) {
        Cast cast = Cast.together(stage);
        ClientProcess holder = cast.holder();
        String alone = stage.variant().kind().alone();

        for (String how : WAYS) {
            Event granted = fail(stage, holder, "500 " + how + " " + alone);
            // of its own process, which has the seat, and of another
            holder.order("once 0 forever " + alone);
            cast.first().order("once 0 forever " + alone);

            assertThat(stage.awaitEndOf(granted).text("result")).isEqualTo(FAILED);
            stage.await(Kind.GRANTED, holder, granted.at());
            stage.await(Kind.GRANTED, cast.first(), granted.at());
        }
        stage.seating().awaitNoSeats();
    }

    @FaultScenario(value = "S9", grants = 5, handOvers = 2, losses = 1)
    public void anErrorAfterALossIsNotHiddenByItAndHidesItNot(Stage stage) {
        Cast cast = Cast.together(stage);
        cast.loop();
        ClientProcess holder = cast.holder();
        Event granted =
                fail(stage, holder, "600000 forever " + stage.variant().kind().alone());

        stage.lastUntil(stage.pause(holder), T.multipliedBy(2));
        Event resumed = stage.resume(holder);
        stage.await(Kind.LOST, holder, resumed.at());
        holder.order("interrupt");
        Event end = stage.awaitEndOf(granted);

        assertThat(end.text("result")).isEqualTo("lost");
        assertThat(end.text("message")).isEqualTo("made_by_the_work");
        cast.awaitGrants(resumed);
        stage.hold(holder);
        assertThat(stage.release(holder).text("result")).isEqualTo("ok");
    }

    private static Event fail(Stage stage, ClientProcess client, String call) {
        long now = System.nanoTime();
        client.order("once-failing " + call);
        return stage.await(Kind.GRANTED, client, now);
    }
}
