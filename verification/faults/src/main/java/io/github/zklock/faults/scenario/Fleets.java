package io.github.zklock.faults.scenario;

import static io.github.zklock.faults.stage.Stage.T;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.faults.record.Disruption;
import io.github.zklock.faults.record.Event;
import io.github.zklock.faults.record.Wish;
import io.github.zklock.faults.stage.Cast;
import io.github.zklock.faults.stage.ClientProcess;
import io.github.zklock.faults.stage.Equipment;
import io.github.zklock.faults.stage.FaultScenario;
import io.github.zklock.faults.stage.Operator;
import io.github.zklock.faults.stage.Stage;
import io.github.zklock.faults.stage.Variant.Kind;
import io.github.zklock.faults.stage.Variant.Surface;
import java.util.ArrayList;
import java.util.List;

/** Several processes around one lock, some of which die, are disturbed, or use the locks of others. */
public class Fleets {

    @FaultScenario(value = "S2", grants = 4, handOvers = 3, faults = 4)
    public void theLockGoesOnToTheNextThatLivesWhoeverInTheQueueWasKilled(Stage stage) throws InterruptedException {
        List<ClientProcess> queue = new ArrayList<>();
        for (String name : List.of("holder", "next", "middle", "later", "last")) {
            queue.add(stage.client(name, stage.ensemble().connectStringWithout()));
        }
        stage.awaitReady();
        stage.hold(queue.get(0));
        for (int waiting = 1; waiting < queue.size(); waiting++) {
            queue.get(waiting).order("hold " + stage.variant().kind().alone());
            stage.seating().awaitSeats(waiting + 1);
        }

        stage.kill(queue.get(2));
        Event dead = stage.kill(queue.get(0));
        Event next = stage.await(Event.Kind.GRANTED, queue.get(1), dead.at());
        stage.release(queue.get(1));
        stage.await(Event.Kind.GRANTED, queue.get(3), next.at());
        Event alsoDead = stage.kill(queue.get(3));
        stage.await(Event.Kind.GRANTED, queue.get(4), alsoDead.at());

        // whoever comes behind the last one of the first queue
        queue.get(1).order("hold " + stage.variant().kind().alone());
        stage.seating().awaitSeats(2);
        Event last = stage.kill(queue.get(4));
        stage.await(Event.Kind.GRANTED, queue.get(1), last.at());
        stage.release(queue.get(1));
    }

    @FaultScenario(value = "S13", grants = 4, handOvers = 2, losses = 1, faults = 2)
    public void anOperatorTakesTheLockFromItsHolderAndOnlyItsPlaceFromAWaiter(Stage stage) {
        Cast cast = Cast.together(stage);
        ClientProcess holder = cast.holder();
        ClientProcess waiter = cast.first();
        String waiting = stage.await(Event.Kind.READY, waiter, 0).text("session");
        stage.hold(holder);
        waiter.order("hold " + stage.variant().kind().alone());
        stage.seating().awaitSeats(2);

        Operator operator = stage.operator();
        operator.deleteSeat(Wish.USUAL_LOCK, waiting);
        Event displaced = stage.note("operator", Event.Kind.DELETED);
        stage.seating().awaitSeats(2);
        stage.release(holder);
        stage.await(Event.Kind.GRANTED, waiter, displaced.at());

        // nobody waits: who is next after a deletion is granted before anybody can be told
        long before = System.nanoTime();
        operator.deleteSeat(Wish.USUAL_LOCK, waiting);
        stage.note("operator", Event.Kind.DELETED);
        stage.await(Event.Kind.LOST, waiter, before);
        stage.hold(holder);
        assertThat(stage.release(waiter).text("result")).isEqualTo("lost");
        waiter.order("hold " + stage.variant().kind().alone());
        stage.seating().awaitSeats(2);
        long stillHeld = System.nanoTime();
        stage.release(holder);
        stage.await(Event.Kind.GRANTED, waiter, stillHeld);
        stage.release(waiter);
    }

    @FaultScenario(
            value = "S23",
            grants = 6,
            handOvers = 3,
            losses = 1,
            surfaces = {Surface.REGISTRY, Surface.ANNOTATION})
    public void aHolderWhoseClientIsResetIsToldAndDoesNotBelieveWhenAnybodyElseIsGranted(Stage stage) {
        Cast cast = Cast.together(stage);
        cast.loop();
        stage.hold(cast.holder());

        Event reset = stage.disrupt(cast.holder(), Disruption.RESET);
        stage.await(Event.Kind.LOST, cast.holder(), reset.at());

        assertThat(stage.release(cast.holder()).text("result")).isEqualTo("lost");
        cast.awaitGrants(reset);
        stage.hold(cast.holder());
        stage.release(cast.holder());
    }

    @FaultScenario(
            value = "S23",
            grants = 3,
            handOvers = 2,
            losses = 1,
            surfaces = {Surface.REGISTRY, Surface.ANNOTATION})
    public void aHolderWhoseSessionIsClosedFromElsewhereIsTold(Stage stage) {
        Cast cast = Cast.together(stage);
        stage.hold(cast.holder());

        // nobody waits: who is next after a foreign close is granted before anybody can be told
        Event closed = stage.disrupt(cast.holder(), Disruption.FOREIGN_CLOSE);
        stage.await(Event.Kind.LOST, cast.holder(), closed.at());
        stage.hold(cast.first());

        assertThat(stage.release(cast.holder()).text("result")).isEqualTo("lost");
        cast.holder().order("hold " + stage.variant().kind().alone());
        stage.seating().awaitSeats(2);
        stage.release(cast.first());
        stage.await(Event.Kind.GRANTED, cast.holder(), closed.at());
        stage.release(cast.holder());
    }

    @FaultScenario(
            value = "S24",
            grants = 30,
            handOvers = 10,
            losses = 1,
            faults = 2,
            kinds = {Kind.EXCLUSIVE, Kind.READ_WRITE})
    public void aFleetHalfOfWhichUsesCuratorKeepsOneOrder(Stage stage) throws InterruptedException {
        String servers = stage.ensemble().connectStringWithout();
        ClientProcess paused = stage.client("ours-paused", servers);
        ClientProcess ours = stage.client("ours", servers);
        ClientProcess theirs = stage.client("theirs", servers, Equipment.withEngine("curator"));
        ClientProcess killed = stage.client("theirs-killed", servers, Equipment.withEngine("curator"));
        stage.awaitReady();
        loop(stage, ours);
        loop(stage, theirs);
        awaitBoth(stage, stage.hold(paused), ours, theirs, paused);

        Event stopped = stage.pause(paused);
        stage.await(Event.Kind.GRANTED, theirs, stopped.at());
        stage.lastUntil(stopped, T.multipliedBy(2));
        Event resumed = stage.resume(paused);
        stage.await(Event.Kind.LOST, paused, resumed.at());
        stage.release(paused);

        stage.hold(killed);
        Event dead = stage.kill(killed);
        stage.await(Event.Kind.GRANTED, ours, dead.at());
        stage.await(Event.Kind.GRANTED, theirs, dead.at());
        stage.hold(paused);
        stage.release(paused);
    }

    @FaultScenario(value = "S24", grants = 40, handOvers = 15, kinds = Kind.READ_WRITE, surfaces = Surface.REGISTRY)
    public void aFleetHalfOfWhichUsesCuratorKeepsOneOrderWhereWritersBecomeReaders(Stage stage)
            throws InterruptedException {
        String servers = stage.ensemble().connectStringWithout();
        ClientProcess ours = stage.client("ours", servers);
        ClientProcess theirs = stage.client("theirs", servers, Equipment.withEngine("curator"));
        ClientProcess killed = stage.client("theirs-killed", servers, Equipment.withEngine("curator"));
        stage.awaitReady();
        for (ClientProcess client : List.of(ours, theirs, killed)) {
            client.order("loop-downgrading 20 " + Wish.USUAL_LOCK);
            client.order("loop 1 20 forever write");
        }
        ours.order("loop 1 20 forever read");
        Event reading = stage.awaitGrantOf(
                "read", stage.await(Event.Kind.GRANTED, killed, 0).at());
        stage.await(Event.Kind.GRANTED, ours, reading.at());
        stage.lastUntil(stage.await(Event.Kind.GRANTED, theirs, reading.at()), T);

        Event dead = stage.kill(killed);
        stage.await(Event.Kind.GRANTED, ours, dead.at());
        stage.await(Event.Kind.GRANTED, theirs, dead.at());
        stage.awaitGrantOf("read", stage.awaitGrantOf("write", dead.at()).at());
    }

    private static void loop(Stage stage, ClientProcess client) {
        stage.variant().kind().common().forEach(wish -> client.order("loop 2 20 forever " + wish));
    }

    /** Lets it all go round once before anything happens. */
    private static void awaitBoth(
            Stage stage, Event held, ClientProcess ours, ClientProcess theirs, ClientProcess holder) {
        Event released = stage.release(holder);
        stage.await(Event.Kind.GRANTED, ours, Math.max(held.at(), released.at()));
        stage.await(Event.Kind.GRANTED, theirs, released.at());
        stage.hold(holder);
    }
}
