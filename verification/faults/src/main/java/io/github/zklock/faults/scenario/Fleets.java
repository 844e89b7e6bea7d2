package io.github.zklock.faults.scenario;

import static io.github.zklock.faults.context.ScenarioContext.T;
import static io.github.zklock.faults.context.Variant.Kind.EXCLUSIVE;
import static io.github.zklock.faults.context.Variant.Kind.READ_WRITE;
import static io.github.zklock.faults.context.Variant.Surface.ANNOTATION;
import static io.github.zklock.faults.context.Variant.Surface.REGISTRY;

import io.github.zklock.faults.context.ClientOptions;
import io.github.zklock.faults.context.ClientProcess;
import io.github.zklock.faults.context.FaultScenario;
import io.github.zklock.faults.context.ScenarioContext;
import io.github.zklock.faults.context.ThreeClients;
import io.github.zklock.faults.context.Variants;
import io.github.zklock.faults.timeline.Disruption;
import io.github.zklock.faults.timeline.Event;
import io.github.zklock.faults.timeline.Event.Kind;
import io.github.zklock.faults.timeline.LockSpec;
import java.util.List;

/** Several processes on one lock, some of which are killed, are disrupted, or use the locks of other libraries. */
public class Fleets {

    @FaultScenario(value = "S2", grants = 4, handOvers = 3, faults = 4)
    public void theLockGoesOnToTheNextThatLivesWhoeverInTheQueueWasKilled(ScenarioContext context) {
        List<ClientProcess> queue = context.clients(ClientOptions.DEFAULT, "holder", "next", "middle", "later", "last");
        context.hold(queue.get(0));
        for (int waiting = 1; waiting < queue.size(); waiting++) {
            context.queue(queue.get(waiting), waiting + 1);
        }

        context.kill(queue.get(2));
        Event dead = context.kill(queue.get(0));
        Event next = context.awaitTurn(queue.get(1), dead.at());
        context.await(Kind.GRANTED, queue.get(3), next.at());
        Event alsoDead = context.kill(queue.get(3));
        context.await(Kind.GRANTED, queue.get(4), alsoDead.at());

        // a waiter behind the last one of the first queue
        context.queue(queue.get(1), 2);
        Event last = context.kill(queue.get(4));
        context.awaitTurn(queue.get(1), last.at());
    }

    @FaultScenario(value = "S13", grants = 4, handOvers = 2, losses = 1, faults = 2)
    public void anOperatorTakesTheLockFromItsHolderAndOnlyItsPlaceFromAWaiter(ScenarioContext context) {
        ThreeClients clients = ThreeClients.together(context);
        ClientProcess holder = clients.holder();
        ClientProcess waiter = clients.first();
        String waiting = context.await(Kind.READY, waiter, 0).text("session");
        context.hold(holder);
        context.queue(waiter, 2);

        Event displaced = context.deleteSeat(LockSpec.USUAL_LOCK, waiting);
        context.queues().awaitSeats(2);
        context.release(holder);
        context.await(Kind.GRANTED, waiter, displaced.at());

        // nobody else waits: after a deletion, the next waiter would be granted before the loss can be reported
        long before = System.nanoTime();
        context.deleteSeat(LockSpec.USUAL_LOCK, waiting);
        context.await(Kind.LOST, waiter, before);
        context.hold(holder);
        context.release(waiter, "lost");
        context.queue(waiter, 2);
        long stillHeld = System.nanoTime();
        context.release(holder);
        context.awaitTurn(waiter, stillHeld);
    }

    @FaultScenario(value = "S23", grants = 6, handOvers = 3, losses = 1)
    @Variants(surfaces = {REGISTRY, ANNOTATION})
    public void aHolderWhoseClientIsResetIsToldAndDoesNotBelieveWhenAnybodyElseIsGranted(ScenarioContext context) {
        ThreeClients clients = ThreeClients.together(context);
        clients.loop();
        context.hold(clients.holder());

        Event reset = context.disrupt(clients.holder(), Disruption.RESET);
        context.await(Kind.LOST, clients.holder(), reset.at());

        context.release(clients.holder(), "lost");
        clients.awaitGrants(reset);
        context.holdInTurn(clients.holder());
    }

    @FaultScenario(value = "S23", grants = 3, handOvers = 2, losses = 1)
    @Variants(surfaces = {REGISTRY, ANNOTATION})
    public void aHolderWhoseSessionIsClosedFromElsewhereIsTold(ScenarioContext context) {
        ThreeClients clients = ThreeClients.together(context);
        context.hold(clients.holder());

        // nobody else waits: after a foreign close, the next waiter would be granted before the loss can be reported
        Event closed = context.disrupt(clients.holder(), Disruption.FOREIGN_CLOSE);
        context.await(Kind.LOST, clients.holder(), closed.at());
        context.hold(clients.first());

        context.release(clients.holder(), "lost");
        context.queue(clients.holder(), 2);
        context.release(clients.first());
        context.awaitTurn(clients.holder(), closed.at());
    }

    @FaultScenario(value = "S24", grants = 30, handOvers = 10, losses = 1, faults = 2)
    @Variants(kinds = {EXCLUSIVE, READ_WRITE})
    public void aFleetHalfOfWhichUsesCuratorKeepsOneOrder(ScenarioContext context) {
        ClientProcess paused = context.client("ours-paused");
        ClientProcess ours = context.client("ours");
        ClientProcess theirs = context.client("theirs", ClientOptions.withEngine("curator"));
        ClientProcess killed = context.client("theirs-killed", ClientOptions.withEngine("curator"));
        context.awaitReady();
        loop(context, ours);
        loop(context, theirs);
        awaitBoth(context, context.hold(paused), ours, theirs, paused);

        Event stopped = context.pause(paused);
        context.await(Kind.GRANTED, theirs, stopped.at());
        context.lastUntil(stopped, T.multipliedBy(2));
        Event resumed = context.resume(paused);
        context.await(Kind.LOST, paused, resumed.at());
        context.release(paused);

        context.hold(killed);
        Event dead = context.kill(killed);
        context.await(Kind.GRANTED, ours, dead.at());
        context.await(Kind.GRANTED, theirs, dead.at());
        context.holdInTurn(paused);
    }

    @FaultScenario(value = "S24", grants = 40, handOvers = 15)
    @Variants(kinds = READ_WRITE, surfaces = REGISTRY)
    public void aFleetHalfOfWhichUsesCuratorKeepsOneOrderWhereWritersBecomeReaders(ScenarioContext context) {
        ClientProcess ours = context.client("ours");
        ClientProcess theirs = context.client("theirs", ClientOptions.withEngine("curator"));
        ClientProcess killed = context.client("theirs-killed", ClientOptions.withEngine("curator"));
        context.awaitReady();
        for (ClientProcess client : List.of(ours, theirs, killed)) {
            client.send("loop-downgrading 20 " + LockSpec.USUAL_LOCK);
            client.send("loop 1 20 forever write");
        }
        ours.send("loop 1 20 forever read");
        Event reading = context.awaitGrantOf(
                "read", context.await(Kind.GRANTED, killed, 0).at());
        context.await(Kind.GRANTED, ours, reading.at());
        context.lastUntil(context.await(Kind.GRANTED, theirs, reading.at()), T);

        Event dead = context.kill(killed);
        context.await(Kind.GRANTED, ours, dead.at());
        context.await(Kind.GRANTED, theirs, dead.at());
        context.awaitGrantOf("read", context.awaitGrantOf("write", dead.at()).at());
    }

    private static void loop(ScenarioContext context, ClientProcess client) {
        context.contending().forEach(spec -> client.send("loop 2 20 forever " + spec));
    }

    /** Waits until both processes have been granted the lock, and then lets the holder acquire it. */
    private static void awaitBoth(
            ScenarioContext context, Event held, ClientProcess ours, ClientProcess theirs, ClientProcess holder) {
        Event released = context.release(holder);
        context.await(Kind.GRANTED, ours, Math.max(held.at(), released.at()));
        context.await(Kind.GRANTED, theirs, released.at());
        context.hold(holder);
    }
}
