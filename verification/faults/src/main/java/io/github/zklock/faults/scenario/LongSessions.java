package io.github.zklock.faults.scenario;

import static io.github.zklock.faults.stage.Stage.T;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.faults.record.Disruption;
import io.github.zklock.faults.record.Event;
import io.github.zklock.faults.record.Wish;
import io.github.zklock.faults.rig.Wiretap;
import io.github.zklock.faults.stage.ClientProcess;
import io.github.zklock.faults.stage.Equipment;
import io.github.zklock.faults.stage.FaultScenario;
import io.github.zklock.faults.stage.Operator;
import io.github.zklock.faults.stage.Stage;
import io.github.zklock.faults.stage.Variant.Kind;
import io.github.zklock.faults.stage.Variant.Policy;
import io.github.zklock.faults.stage.Variant.Surface;
import java.time.Duration;

/** Processes with a long session: what they do not look at by themselves, no renewal tells them soon. */
public class LongSessions {

    private static final Duration LONG = Duration.ofSeconds(20);
    // up to three quarters of it pass until the first grant of such a client
    private static final Duration LONG_OF_FOREIGN_CLIENT = Duration.ofSeconds(4);
    // a renewal may happen to come just then, and tell what nobody has asked for
    private static final int ATTEMPTS = 6;

    /** The one in front leaves at the same time: that is all that the waiter is told. (M21) */
    @FaultScenario(
            value = "S13",
            grants = 2 * ATTEMPTS,
            handOvers = ATTEMPTS,
            losses = 1,
            faults = ATTEMPTS,
            // readers and permits read the queue before they take a turn
            kinds = Kind.EXCLUSIVE)
    public void aWaiterWhosePlaceWasDeletedDoesNotKeepATurnThatItHasNot(Stage stage) {
        String servers = stage.ensemble().connectStringWithout();
        String wish = stage.variant().kind().alone();
        ClientProcess holder = stage.client("holder", servers);
        ClientProcess waiter = stage.client("waiter", servers, Equipment.USUAL.withSessionTimeout(LONG));
        stage.awaitReady();
        String waiting = stage.await(Event.Kind.READY, waiter, 0).text("session");
        Operator operator = stage.operator();

        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            Event held = stage.hold(holder);
            waiter.order("once 2000 forever " + wish);
            stage.seating().awaitSeats(2);
            operator.deleteSeat(Wish.USUAL_LOCK, waiting);
            stage.note("operator", Event.Kind.DELETED);
            stage.release(holder);
            stage.await(Event.Kind.CLOSED, waiter, held.at());
        }
    }

    /**
     * It is its own process that leaves in front. This process may pass its turn on to a deleted seat before it hears of the
     * deletion, and somebody else is granted the lock then: both hold it for a moment, as docs/failure-model.md says. (M21)
     */
    @FaultScenario(
            value = "S13",
            grants = 9,
            handOvers = 2,
            losses = 1,
            faults = 5,
            kinds = Kind.EXCLUSIVE,
            policies = Policy.STRICT)
    public void aTurnIsPassedOnToNoPlaceThatWasDeletedAndFromOneThatWas(Stage stage) throws Exception {
        String servers = stage.ensemble().connectStringWithout();
        ClientProcess several = stage.client("several", servers, Equipment.USUAL.withSessionTimeout(LONG));
        ClientProcess other = stage.client("other", servers);
        stage.awaitReady();
        Operator operator = stage.operator();
        String wish = stage.variant().kind().alone();

        Event held = stage.hold(several);
        several.order("once 1000 forever " + wish);
        stage.seating().awaitSeats(2);
        other.order("once 1000 forever " + wish);
        stage.seating().awaitSeats(3);
        Event deleted = deleteSeat(stage, operator, 1);
        awaitEndOfNext(stage, several, deleted);
        stage.await(Event.Kind.GRANTED, other, held.at());
        stage.seating().awaitNoSeats();

        holdAndWait(stage, several);
        deleted = deleteSeat(stage, operator, 0);
        awaitTurnOfNext(stage, several, deleted);

        holdAndWait(stage, several);
        deleted = deleteSeat(stage, operator, 1);
        deleteSeat(stage, operator, 0);
        awaitEndOfNext(stage, several, deleted);

        holdAndWait(stage, several);
        deleted = deleteSeat(stage, operator, 0);
        stage.await(Event.Kind.LOST, several, deleted.at());
        awaitTurnOfNext(stage, several, deleted);
    }

    private static void holdAndWait(Stage stage, ClientProcess client) {
        stage.hold(client);
        client.order("once 1000 forever " + stage.variant().kind().alone());
        stage.seating().awaitSeats(2);
    }

    /** What happens by this comes after the event that is returned. */
    private static Event deleteSeat(Stage stage, Operator operator, int place) throws Exception {
        Event begun = stage.note("operator", Event.Kind.NOTED);
        operator.delete(operator.seats(Wish.USUAL_LOCK).get(place));
        stage.note("operator", Event.Kind.DELETED);
        return begun;
    }

    /** It has a turn on a place that is not there, and loses it; or it has noticed, and has its turn on another place. */
    private static void awaitEndOfNext(Stage stage, ClientProcess client, Event deleted) {
        Event granted = awaitTurnOfNext(stage, client, deleted);
        stage.await(Event.Kind.CLOSED, client, granted.at());
    }

    /** It may have its turn before the one in front has said that it has given back. */
    private static Event awaitTurnOfNext(Stage stage, ClientProcess client, Event deleted) {
        Event released = stage.release(client);
        Event granted = stage.await(Event.Kind.GRANTED, client, deleted.at());
        stage.await(Event.Kind.CLOSED, client, released.at());
        return granted;
    }

    /** Its client comes from elsewhere, and tells nobody that it gives up its session. (M24) */
    @FaultScenario(
            value = "S23",
            grants = 5,
            handOvers = 4,
            losses = 2,
            faults = 2,
            surfaces = {Surface.REGISTRY, Surface.ANNOTATION})
    public void aHolderWhoseOwnClientIsResetKnowsBeforeItIsTold(Stage stage) {
        Wiretap tap = stage.wiretap("holder", stage.ensemble().servers());
        ClientProcess holder = stage.client(
                "holder",
                tap.connectString(),
                Equipment.withForeignClient().withSessionTimeout(LONG_OF_FOREIGN_CLIENT));
        ClientProcess other = stage.client("other", stage.ensemble().connectStringWithout());
        stage.awaitReady();

        for (int attempt = 0; attempt < ATTEMPTS - 1; attempt++) {
            stage.hold(holder);
            // without a new connection nothing comes of the reset that could wake anybody
            tap.refuse();
            Event reset = stage.disrupt(holder, Disruption.RESET);
            stage.seating().awaitNoSeats();
            stage.hold(other);
            stage.lastUntil(reset, T);
            tap.heal();

            stage.await(Event.Kind.LOST, holder, reset.at());
            assertThat(stage.release(holder).text("result")).isEqualTo("lost");
            stage.release(other);
        }
        stage.hold(holder);
    }
}
