package io.github.zklock.faults.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.faults.client.Engines;
import io.github.zklock.faults.record.Event;
import io.github.zklock.faults.record.Event.Kind;
import io.github.zklock.faults.record.Timeline;
import io.github.zklock.faults.record.Wish;
import io.github.zklock.faults.rig.Ensemble;
import io.github.zklock.faults.rig.Surgery;
import io.github.zklock.faults.stage.Cast;
import io.github.zklock.faults.stage.ClientProcess;
import io.github.zklock.faults.stage.FaultScenario;
import io.github.zklock.faults.stage.Stage;
import io.github.zklock.faults.stage.Variant.Policy;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import org.awaitility.Awaitility;

/** Queues whose numbers end, or begin anew. */
public class Sequences {

    /** From here on the server gives the same number to every node. */
    private static final int STUCK = Integer.MAX_VALUE;

    /** From here on our locks use no number. */
    private static final int LAST = 2_000_000_000;

    private static final int TURNS_BEFORE = 4;
    private static final int TURNS_OF_EACH = 4;
    private static final int COLLECTIONS = 20;
    private static final Duration BETWEEN_COLLECTIONS = Duration.ofMillis(10);
    private static final List<String> EAGER_COLLECTOR = List.of(
            "-Dznode.container.checkIntervalMs=" + BETWEEN_COLLECTIONS.toMillis(),
            "-Dznode.container.maxPerMinute=60000");

    /*
     * The server's counter does not wrap, as its documentation says, but sticks: whoever trusts in numbers takes all who
     * have the same for the first in the queue. (M7)
     */
    @FaultScenario(value = "S11", grants = 12, handOvers = 4, faults = 3, peers = true)
    public void nobodyIsGrantedTheLockBesideOthersWhereTheNumbersEnd(Stage stage) {
        Cast cast = Cast.together(stage);
        Event moved = moveTo(STUCK - TURNS_BEFORE, cast);

        askInTurns(cast);

        for (ClientProcess client : List.of(cast.holder(), cast.first(), cast.second())) {
            Event last = moved;
            for (int turn = 0; turn < TURNS_OF_EACH; turn++) {
                last = stage.await(Kind.GRANTED, client, last.at());
            }
        }
        assertThat(refusals(stage.timeline())).noneMatch(why -> why.contains("engine_failed"));
    }

    @FaultScenario(value = "S11", grants = 8, handOvers = 4, faults = 3)
    public void aQueueBeginsAnewBeforeItsNumbersEnd(Stage stage) {
        Cast cast = Cast.together(stage);
        moveTo(LAST - TURNS_BEFORE, cast);

        askInTurns(cast);
        Event refused = stage.timeline().await("a refusal", 0, event -> event.is(Kind.UNAVAILABLE));
        cast.awaitGrants(refused);
        stage.await(Kind.GRANTED, cast.holder(), refused.at());

        assertThat(refusals(stage.timeline())).isNotEmpty().allMatch(why -> why.contains("used_up"));
    }

    /** Sequences begin at 0 with each new folder, and tokens must not. (L13) */
    @FaultScenario(value = "S12", grants = 30, handOvers = 15, peers = true)
    public void foldersThatAreCollectedAllTheTimeAreMadeAnew(Stage stage) {
        Ensemble ensemble = stage.ensemble();
        stage.restartWith(EAGER_COLLECTOR);
        Cast cast = Cast.together(stage);
        long before = ensemble.leader().journal().collections();

        cast.loop();
        askAlone(cast, () -> ensemble.leader().journal().collections() - before >= COLLECTIONS);
        Event collected = stage.note("ensemble", Kind.NOTED);
        cast.holder().order("once 1 forever " + alone(stage));
        stage.await(Kind.GRANTED, cast.holder(), collected.at());
        cast.awaitGrants(collected);
        // told as a fault; else the judge does it, and nobody knows what stopped the clients
        stage.restartWith(List.of());
    }

    /** One who asks alone leaves its folder empty each time, for as long as the collector may need to come by. */
    private static void askAlone(Cast cast, Callable<Boolean> enough) {
        String wish = alone(cast.stage());
        // whoever asks sooner finds its seat, and the folder is never empty
        Duration pause = cast.stage().variant().policy() == Policy.LINGER
                ? Engines.LINGER.multipliedBy(3).dividedBy(2)
                : BETWEEN_COLLECTIONS.multipliedBy(3);
        Awaitility.await("folders were collected")
                .atMost(Stage.PATIENCE)
                .pollInterval(pause)
                .until(() -> {
                    cast.holder().order("once 1 forever " + wish);
                    return enough.call();
                });
    }

    private static String alone(Stage stage) {
        return stage.variant().kind().alone() + "@alone";
    }

    /** Lets the next seat of the usual lock have that number. */
    private static Event moveTo(int number, Cast cast) {
        Stage stage = cast.stage();
        // its seat keeps the folder from being collected before the servers are down
        stage.hold(cast.holder());
        stage.ensemble().servers().forEach(stage::kill);
        Surgery.setCreates(stage.ensemble().servers(), stage.seating().folderOf(Wish.USUAL_LOCK), number);
        Event moved = stage.heal();
        stage.release(cast.holder());
        return moved;
    }

    private static void askInTurns(Cast cast) {
        String wish = cast.stage().variant().kind().alone();
        for (ClientProcess client : List.of(cast.holder(), cast.first(), cast.second())) {
            client.order("loop 1 50 acquire-30000 " + wish);
        }
    }

    private static List<String> refusals(Timeline timeline) {
        return timeline.events().stream()
                .filter(event -> event.is(Kind.UNAVAILABLE))
                .map(event -> event.text("message"))
                .toList();
    }
}
