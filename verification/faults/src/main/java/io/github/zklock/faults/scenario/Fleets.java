package io.github.zklock.faults.scenario;

import static io.github.zklock.faults.context.ScenarioContext.T;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.faults.context.ClientOptions;
import io.github.zklock.faults.context.ClientProcess;
import io.github.zklock.faults.context.FaultScenario;
import io.github.zklock.faults.context.Operator;
import io.github.zklock.faults.context.ScenarioContext;
import io.github.zklock.faults.context.ThreeClients;
import io.github.zklock.faults.context.Variant.Kind;
import io.github.zklock.faults.context.Variant.Surface;
import io.github.zklock.faults.timeline.Disruption;
import io.github.zklock.faults.timeline.Event;
import io.github.zklock.faults.timeline.LockSpec;
import java.util.ArrayList;
import java.util.List;

/** Several processes on one lock, some of which are killed, are disrupted, or use the locks of other libraries. */
public class Fleets {

    @FaultScenario(value = "S2", grants = 4, handOvers = 3, faults = 4)
    public void theLockGoesOnToTheNextThatLivesWhoeverInTheQueueWasKilled(ScenarioContext context)
            throws InterruptedException {
        List<ClientProcess> queue = new ArrayList<>();
        for (String name : List.of("holder", "next", "middle", "later", "last")) {
            queue.add(context.client(name, context.ensemble().connectStringWithout()));
        }
        context.awaitReady();
        context.hold(queue.get(0));
        for (int waiting = 1; waiting < queue.size(); waiting++) {
            queue.get(waiting).send("hold " + context.variant().kind().exclusive());
            context.queues().awaitSeats(waiting + 1);
        }

        context.kill(queue.get(2));
        Event dead = context.kill(queue.get(0));
        Event next = context.await(Event.Kind.GRANTED, queue.get(1), dead.at());
        context.release(queue.get(1));
        context.await(Event.Kind.GRANTED, queue.get(3), next.at());
        Event alsoDead = context.kill(queue.get(3));
        context.await(Event.Kind.GRANTED, queue.get(4), alsoDead.at());

        // a waiter behind the last one of the first queue
        queue.get(1).send("hold " + context.variant().kind().exclusive());
        context.queues().awaitSeats(2);
        Event last = context.kill(queue.get(4));
        context.await(Event.Kind.GRANTED, queue.get(1), last.at());
        context.release(queue.get(1));
    }

    @FaultScenario(value = "S13", grants = 4, handOvers = 2, losses = 1, faults = 2)
    public void anOperatorTakesTheLockFromItsHolderAndOnlyItsPlaceFromAWaiter(ScenarioContext context) {
        ThreeClients clients = ThreeClients.together(context);
        ClientProcess holder = clients.holder();
        ClientProcess waiter = clients.first();
        String waiting = context.await(Event.Kind.READY, waiter, 0).text("session");
        context.hold(holder);
        waiter.send("hold " + context.variant().kind().exclusive());
        context.queues().awaitSeats(2);

        Operator operator = context.operator();
        String seat = operator.deleteSeat(LockSpec.USUAL_LOCK, waiting);
        Event displaced = context.note("operator", Event.Kind.DELETED, "node", seat);
        context.queues().awaitSeats(2);
        context.release(holder);
        context.await(Event.Kind.GRANTED, waiter, displaced.at());

        // nobody else waits: after a deletion, the next waiter would be granted before the loss can be reported
        long before = System.nanoTime();
        seat = operator.deleteSeat(LockSpec.USUAL_LOCK, waiting);
        context.note("operator", Event.Kind.DELETED, "node", seat);
        context.await(Event.Kind.LOST, waiter, before);
        context.hold(holder);
        assertThat(context.release(waiter).text("result")).isEqualTo("lost");
        waiter.send("hold " + context.variant().kind().exclusive());
        context.queues().awaitSeats(2);
        long stillHeld = System.nanoTime();
        context.release(holder);
        context.await(Event.Kind.GRANTED, waiter, stillHeld);
        context.release(waiter);
    }

    @FaultScenario(
            value = "S23",
            grants = 6,
            handOvers = 3,
            losses = 1,
            surfaces = {Surface.REGISTRY, Surface.ANNOTATION})
    public void aHolderWhoseClientIsResetIsToldAndDoesNotBelieveWhenAnybodyElseIsGranted(ScenarioContext context) {
        ThreeClients clients = ThreeClients.together(context);
        clients.loop();
        context.hold(clients.holder());

        Event reset = context.disrupt(clients.holder(), Disruption.RESET);
        context.await(Event.Kind.LOST, clients.holder(), reset.at());

        assertThat(context.release(clients.holder()).text("result")).isEqualTo("lost");
        clients.awaitGrants(reset);
        context.hold(clients.holder());
        context.release(clients.holder());
    }

    @FaultScenario(
            value = "S23",
            grants = 3,
            handOvers = 2,
            losses = 1,
            surfaces = {Surface.REGISTRY, Surface.ANNOTATION})
    public void aHolderWhoseSessionIsClosedFromElsewhereIsTold(ScenarioContext context) {
        ThreeClients clients = ThreeClients.together(context);
        context.hold(clients.holder());

        // nobody else waits: after a foreign close, the next waiter would be granted before the loss can be reported
        Event closed = context.disrupt(clients.holder(), Disruption.FOREIGN_CLOSE);
        context.await(Event.Kind.LOST, clients.holder(), closed.at());
        context.hold(clients.first());

        assertThat(context.release(clients.holder()).text("result")).isEqualTo("lost");
        clients.holder().send("hold " + context.variant().kind().exclusive());
        context.queues().awaitSeats(2);
        context.release(clients.first());
        context.await(Event.Kind.GRANTED, clients.holder(), closed.at());
        context.release(clients.holder());
    }

    @FaultScenario(
            value = "S24",
            grants = 30,
            handOvers = 10,
            losses = 1,
            faults = 2,
            kinds = {Kind.EXCLUSIVE, Kind.READ_WRITE})
    public void aFleetHalfOfWhichUsesCuratorKeepsOneOrder(ScenarioContext context) throws InterruptedException {
        String servers = context.ensemble().connectStringWithout();
        ClientProcess paused = context.client("ours-paused", servers);
        ClientProcess ours = context.client("ours", servers);
        ClientProcess theirs = context.client("theirs", servers, ClientOptions.withEngine("curator"));
        ClientProcess killed = context.client("theirs-killed", servers, ClientOptions.withEngine("curator"));
        context.awaitReady();
        loop(context, ours);
        loop(context, theirs);
        awaitBoth(context, context.hold(paused), ours, theirs, paused);

        Event stopped = context.pause(paused);
        context.await(Event.Kind.GRANTED, theirs, stopped.at());
        context.lastUntil(stopped, T.multipliedBy(2));
        Event resumed = context.resume(paused);
        context.await(Event.Kind.LOST, paused, resumed.at());
        context.release(paused);

        context.hold(killed);
        Event dead = context.kill(killed);
        context.await(Event.Kind.GRANTED, ours, dead.at());
        context.await(Event.Kind.GRANTED, theirs, dead.at());
        context.hold(paused);
        context.release(paused);
    }

    @FaultScenario(value = "S24", grants = 40, handOvers = 15, kinds = Kind.READ_WRITE, surfaces = Surface.REGISTRY)
    public void aFleetHalfOfWhichUsesCuratorKeepsOneOrderWhereWritersBecomeReaders(ScenarioContext context)
            throws InterruptedException {
        String servers = context.ensemble().connectStringWithout();
        ClientProcess ours = context.client("ours", servers);
        ClientProcess theirs = context.client("theirs", servers, ClientOptions.withEngine("curator"));
        ClientProcess killed = context.client("theirs-killed", servers, ClientOptions.withEngine("curator"));
        context.awaitReady();
        for (ClientProcess client : List.of(ours, theirs, killed)) {
            client.send("loop-downgrading 20 " + LockSpec.USUAL_LOCK);
            client.send("loop 1 20 forever write");
        }
        ours.send("loop 1 20 forever read");
        Event reading = context.awaitGrantOf(
                "read", context.await(Event.Kind.GRANTED, killed, 0).at());
        context.await(Event.Kind.GRANTED, ours, reading.at());
        context.lastUntil(context.await(Event.Kind.GRANTED, theirs, reading.at()), T);

        Event dead = context.kill(killed);
        context.await(Event.Kind.GRANTED, ours, dead.at());
        context.await(Event.Kind.GRANTED, theirs, dead.at());
        context.awaitGrantOf("read", context.awaitGrantOf("write", dead.at()).at());
    }

    private static void loop(ScenarioContext context, ClientProcess client) {
        context.variant().kind().contending().forEach(spec -> client.send("loop 2 20 forever " + spec));
    }

    /** Waits until both processes have been granted the lock, and then lets the holder acquire it. */
    private static void awaitBoth(
            ScenarioContext context, Event held, ClientProcess ours, ClientProcess theirs, ClientProcess holder) {
        Event released = context.release(holder);
        context.await(Event.Kind.GRANTED, ours, Math.max(held.at(), released.at()));
        context.await(Event.Kind.GRANTED, theirs, released.at());
        context.hold(holder);
    }
}
