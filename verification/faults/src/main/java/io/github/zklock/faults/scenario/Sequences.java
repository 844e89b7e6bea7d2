package io.github.zklock.faults.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.faults.client.Engine;
import io.github.zklock.faults.cluster.Ensemble;
import io.github.zklock.faults.cluster.StoreEditor;
import io.github.zklock.faults.context.ClientProcess;
import io.github.zklock.faults.context.FaultScenario;
import io.github.zklock.faults.context.ScenarioContext;
import io.github.zklock.faults.context.ThreeClients;
import io.github.zklock.faults.context.Variant.Policy;
import io.github.zklock.faults.timeline.Event;
import io.github.zklock.faults.timeline.Event.Kind;
import io.github.zklock.faults.timeline.LockSpec;
import io.github.zklock.faults.timeline.Timeline;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;

/** Queues whose sequence numbers run out, or start again. */
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
     * Unlike its documentation, the server's counter does not wrap: it sticks. A client that relies on unique numbers
     * mistakes each seat with the same number for the first one. (M7)
     */
    @FaultScenario(value = "S11", grants = 12, handOvers = 4, faults = 3, peers = true)
    public void nobodyIsGrantedTheLockBesideOthersWhereTheNumbersEnd(ScenarioContext context) {
        ThreeClients clients = ThreeClients.together(context);
        Event moved = moveTo(STUCK - TURNS_BEFORE, clients);

        askInTurns(clients);

        for (ClientProcess client : clients.all()) {
            Event last = moved;
            for (int turn = 0; turn < TURNS_OF_EACH; turn++) {
                last = context.await(Kind.GRANTED, client, last.at());
            }
        }
        assertThat(refusals(context.timeline())).noneMatch(why -> why.contains("engine_failed"));
    }

    @FaultScenario(value = "S11", grants = 8, handOvers = 4, faults = 3)
    public void aQueueBeginsAnewBeforeItsNumbersEnd(ScenarioContext context) {
        ThreeClients clients = ThreeClients.together(context);
        moveTo(LAST - TURNS_BEFORE, clients);

        askInTurns(clients);
        Event refused = context.await("a refusal", 0, event -> event.is(Kind.UNAVAILABLE));
        clients.awaitGrants(refused);
        context.await(Kind.GRANTED, clients.holder(), refused.at());

        assertThat(refusals(context.timeline())).isNotEmpty().allMatch(why -> why.contains("used_up"));
    }

    /** Sequences begin at 0 in each new folder, and tokens must not. (L13) */
    @FaultScenario(value = "S12", grants = 30, handOvers = 15, peers = true)
    public void foldersThatAreCollectedAllTheTimeAreMadeAnew(ScenarioContext context) {
        Ensemble ensemble = context.ensemble();
        context.restartWith(EAGER_COLLECTOR);
        ThreeClients clients = ThreeClients.together(context);
        long before = ensemble.leader().transactionLog().deletedContainers();

        clients.loop();
        askAlone(clients, () -> ensemble.leader().transactionLog().deletedContainers() - before >= COLLECTIONS);
        Event collected = context.note("ensemble", Kind.NOTED);
        clients.holder().send("once 1 forever " + loneSpec(context));
        context.await(Kind.GRANTED, clients.holder(), collected.at());
        clients.awaitGrants(collected);
        // restarts as a fault of the scenario: the final healing would restart the servers outside of any fault
        context.restartWith(List.of());
    }

    /** Acquires a lock alone, and leaves its folder empty for as long as the collector may need. */
    private static void askAlone(ThreeClients clients, Callable<Boolean> enough) {
        String spec = loneSpec(clients.context());
        // a sooner call would find the lingering seat, and the folder would never be empty
        Duration pause = clients.context().variant().policy() == Policy.LINGER
                ? Engine.LINGER.multipliedBy(3).dividedBy(2)
                : BETWEEN_COLLECTIONS.multipliedBy(3);
        ScenarioContext.until("folders were collected", pause, () -> {
            clients.holder().send("once 1 forever " + spec);
            return enough.call();
        });
    }

    private static String loneSpec(ScenarioContext context) {
        return context.exclusive() + "@alone";
    }

    /** Sets the number of the next seat of the usual lock. */
    private static Event moveTo(int number, ThreeClients clients) {
        ScenarioContext context = clients.context();
        // the seat keeps the folder from being collected before the servers are down
        context.hold(clients.holder());
        context.ensemble().servers().forEach(context::kill);
        StoreEditor.setSequence(context.ensemble().servers(), context.queues().folderOf(LockSpec.USUAL_LOCK), number);
        Event moved = context.heal();
        context.release(clients.holder());
        return moved;
    }

    private static void askInTurns(ThreeClients clients) {
        String spec = clients.context().exclusive();
        for (ClientProcess client : clients.all()) {
            client.send("loop 1 50 acquire-30000 " + spec);
        }
    }

    private static List<String> refusals(Timeline timeline) {
        return timeline.events(Kind.UNAVAILABLE).stream()
                .map(event -> event.text("message"))
                .toList();
    }
}
