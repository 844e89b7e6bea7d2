package io.github.zklock.faults.scenario;

import static io.github.zklock.faults.context.ScenarioContext.T;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.faults.cluster.InterceptingProxy;
import io.github.zklock.faults.context.ClientOptions;
import io.github.zklock.faults.context.ClientProcess;
import io.github.zklock.faults.context.FaultScenario;
import io.github.zklock.faults.context.Operator;
import io.github.zklock.faults.context.ScenarioContext;
import io.github.zklock.faults.context.Variant.Kind;
import io.github.zklock.faults.context.Variant.Policy;
import io.github.zklock.faults.context.Variant.Surface;
import io.github.zklock.faults.timeline.Disruption;
import io.github.zklock.faults.timeline.Event;
import io.github.zklock.faults.timeline.LockSpec;
import java.time.Duration;

/** Processes with a long session timeout: their renewals are too rare to detect a deletion soon. */
public class LongSessions {

    private static final Duration LONG = Duration.ofSeconds(20);
    // up to three quarters of it pass until the first grant of such a client
    private static final Duration LONG_OF_FOREIGN_CLIENT = Duration.ofSeconds(4);
    // a renewal may come at that moment, and report the deletion
    private static final int ATTEMPTS = 6;

    /** The predecessor leaves at the same time: that is all that the waiter is notified of. (M21) */
    @FaultScenario(
            value = "S13",
            grants = 2 * ATTEMPTS,
            handOvers = ATTEMPTS,
            losses = 1,
            faults = ATTEMPTS,
            // readers and waiters for permits read the queue before their turn
            kinds = Kind.EXCLUSIVE)
    public void aWaiterWhosePlaceWasDeletedDoesNotKeepATurnThatItHasNot(ScenarioContext context) {
        String servers = context.ensemble().connectStringWithout();
        String spec = context.variant().kind().exclusive();
        ClientProcess holder = context.client("holder", servers);
        ClientProcess waiter = context.client("waiter", servers, ClientOptions.DEFAULT.withSessionTimeout(LONG));
        context.awaitReady();
        String waiting = context.await(Event.Kind.READY, waiter, 0).text("session");
        Operator operator = context.operator();

        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            Event held = context.hold(holder);
            waiter.send("once 2000 forever " + spec);
            context.queues().awaitSeats(2);
            String deleted = operator.deleteSeat(LockSpec.USUAL_LOCK, waiting);
            context.note("operator", Event.Kind.DELETED, "node", deleted);
            context.release(holder);
            context.await(Event.Kind.CLOSED, waiter, held.at());
        }
    }

    /**
     * The predecessor is of the same process, which may pass the turn on to a deleted seat before it learns of the
     * deletion. Meanwhile another client is granted the lock: both hold it for a moment, as docs/failure-model.md
     * states. (M21)
     */
    @FaultScenario(
            value = "S13",
            grants = 9,
            handOvers = 2,
            losses = 1,
            faults = 5,
            kinds = Kind.EXCLUSIVE,
            policies = Policy.STRICT)
    public void aTurnIsPassedOnToNoPlaceThatWasDeletedAndFromOneThatWas(ScenarioContext context) throws Exception {
        String servers = context.ensemble().connectStringWithout();
        ClientProcess several = context.client("several", servers, ClientOptions.DEFAULT.withSessionTimeout(LONG));
        ClientProcess other = context.client("other", servers);
        context.awaitReady();
        Operator operator = context.operator();
        String spec = context.variant().kind().exclusive();

        Event held = context.hold(several);
        several.send("once 1000 forever " + spec);
        context.queues().awaitSeats(2);
        other.send("once 1000 forever " + spec);
        context.queues().awaitSeats(3);
        Event deleted = deleteSeat(context, operator, 1);
        awaitEndOfNext(context, several, deleted);
        context.await(Event.Kind.GRANTED, other, held.at());
        context.queues().awaitNoSeats();

        holdAndWait(context, several);
        deleted = deleteSeat(context, operator, 0);
        awaitTurnOfNext(context, several, deleted);

        holdAndWait(context, several);
        deleted = deleteSeat(context, operator, 1);
        deleteSeat(context, operator, 0);
        awaitEndOfNext(context, several, deleted);

        holdAndWait(context, several);
        deleted = deleteSeat(context, operator, 0);
        context.await(Event.Kind.LOST, several, deleted.at());
        awaitTurnOfNext(context, several, deleted);
    }

    private static void holdAndWait(ScenarioContext context, ClientProcess client) {
        context.hold(client);
        client.send("once 1000 forever " + context.variant().kind().exclusive());
        context.queues().awaitSeats(2);
    }

    /** Deletes a seat; all consequences are later than the returned event. */
    private static Event deleteSeat(ScenarioContext context, Operator operator, int place) throws Exception {
        Event begun = context.note("operator", Event.Kind.NOTED);
        String seat = operator.seats(LockSpec.USUAL_LOCK).get(place);
        operator.delete(seat);
        context.note("operator", Event.Kind.DELETED, "node", seat);
        return begun;
    }

    /**
     * Waits for the end of the next turn: on a seat that has ended, with a loss, or on a new seat, if the process has
     * noticed the deletion.
     */
    private static void awaitEndOfNext(ScenarioContext context, ClientProcess client, Event deleted) {
        Event granted = awaitTurnOfNext(context, client, deleted);
        context.await(Event.Kind.CLOSED, client, granted.at());
    }

    /** Waits for the next turn, which may begin before the release of the holder has been reported. */
    private static Event awaitTurnOfNext(ScenarioContext context, ClientProcess client, Event deleted) {
        Event released = context.release(client);
        Event granted = context.await(Event.Kind.GRANTED, client, deleted.at());
        context.await(Event.Kind.CLOSED, client, released.at());
        return granted;
    }

    /** Our library did not build the client, so the client does not announce that it gives up its session. (M24) */
    @FaultScenario(
            value = "S23",
            grants = 5,
            handOvers = 4,
            losses = 2,
            faults = 2,
            surfaces = {Surface.REGISTRY, Surface.ANNOTATION})
    public void aHolderWhoseOwnClientIsResetKnowsBeforeItIsTold(ScenarioContext context) {
        InterceptingProxy proxy = context.proxy("holder", context.ensemble().servers());
        ClientProcess holder = context.client(
                "holder",
                proxy.connectString(),
                ClientOptions.withForeignClient().withSessionTimeout(LONG_OF_FOREIGN_CLIENT));
        ClientProcess other = context.client("other", context.ensemble().connectStringWithout());
        context.awaitReady();

        for (int attempt = 0; attempt < ATTEMPTS - 1; attempt++) {
            context.hold(holder);
            // without a new connection the reset causes no event that could notify the registry
            proxy.refuseConnections();
            Event reset = context.disrupt(holder, Disruption.RESET);
            context.queues().awaitNoSeats();
            context.hold(other);
            context.lastUntil(reset, T);
            proxy.heal();

            context.await(Event.Kind.LOST, holder, reset.at());
            assertThat(context.release(holder).text("result")).isEqualTo("lost");
            context.release(other);
        }
        context.hold(holder);
    }
}
