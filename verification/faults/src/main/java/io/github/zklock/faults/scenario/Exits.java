package io.github.zklock.faults.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.faults.record.Event;
import io.github.zklock.faults.record.Event.Kind;
import io.github.zklock.faults.record.Wish;
import io.github.zklock.faults.stage.ClientProcess;
import io.github.zklock.faults.stage.Equipment;
import io.github.zklock.faults.stage.FaultScenario;
import io.github.zklock.faults.stage.Stage;
import java.util.List;
import java.util.OptionalLong;

/** Processes that are asked to end, as by an operator or a container, while their threads work under locks. */
public class Exits {

    private static final List<String> LOCKS = List.of(Wish.USUAL_LOCK, "second", "third");
    private static final int LONG_MILLIS = 60_000;

    /** How long another shutdown hook of the process takes: threads go on until the last hook has ended. */
    private static final int HOOK_MILLIS = 1_500;

    /** The threads of a JVM go on while its shutdown hooks run, so a lock that such a hook releases is in use. (M31) */
    @FaultScenario(value = "M31", grants = 6, handOvers = 3, faults = 1)
    public void aProcessThatIsAskedToEndKeepsTheLocksOfThreadsThatGoOn(Stage stage) throws InterruptedException {
        askToEnd(stage, Equipment.withOptions("-Dfaults.slow-exit=" + HOOK_MILLIS));
    }

    private static void askToEnd(Stage stage, Equipment equipment) throws InterruptedException {
        String servers = stage.ensemble().connectStringWithout();
        String alone = stage.variant().kind().alone();
        ClientProcess working = stage.client("working", servers, equipment);
        ClientProcess other = stage.client("other", servers);
        stage.awaitReady();
        for (String lock : LOCKS) {
            working.order("once " + LONG_MILLIS + " forever " + alone + "@" + lock);
        }
        stage.seating().awaitSeats(LOCKS.size());
        for (String lock : LOCKS) {
            awaitGrant(stage, working, lock, 0);
            other.order("once 50 forever " + alone + "@" + lock);
        }
        stage.seating().awaitSeats(2 * LOCKS.size());

        Event ended = stage.terminate(working);

        for (String lock : LOCKS) {
            Event granted = awaitGrant(stage, other, lock, ended.at());
            lastWork(stage, working, lock)
                    .ifPresent(last -> assertThat((granted.at() - last) / 1_000_000)
                            .as(
                                    "K1: milliseconds from the last work of a thread of %s under %s to the next grant, %s",
                                    working.name(), lock, granted)
                            .isNotNegative());
        }
    }

    private static Event awaitGrant(Stage stage, ClientProcess client, String lock, long after) {
        return stage.timeline()
                .await(
                        "a grant of " + lock + " to " + client.name(),
                        after,
                        event -> event.is(Kind.GRANTED, client.name())
                                && Wish.parse(event.text("wish")).lock().equals(lock));
    }

    /** When a thread was last seen at work under a lock, by its questions to the handle, and had not released the lock. */
    private static OptionalLong lastWork(Stage stage, ClientProcess client, String lock) {
        return stage.timeline().holds().stream()
                .filter(hold -> hold.source().equals(client.name())
                        && hold.wish().lock().equals(lock)
                        && hold.releasingAt().isEmpty())
                .flatMapToLong(hold -> hold.samples().stream().mapToLong(sample -> sample.before()))
                .max();
    }
}
