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
            operator.deleteSeat(LockSpec.USUAL_LOCK, waiting);
            context.note("operator", Event.Kind.DELETED);
            context.release(holder);
            context.await(Event.Kind.CLOSED, waiter, held.at());
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

    /** What happens by this comes after the event that is returned. */
    private static Event deleteSeat(ScenarioContext context, Operator operator, int place) throws Exception {
        Event begun = context.note("operator", Event.Kind.NOTED);
        operator.delete(operator.seats(LockSpec.USUAL_LOCK).get(place));
        context.note("operator", Event.Kind.DELETED);
        return begun;
    }

    /** It has a turn on a place that is not there, and loses it; or it has noticed, and has its turn on another place. */
    private static void awaitEndOfNext(ScenarioContext context, ClientProcess client, Event deleted) {
        Event granted = awaitTurnOfNext(context, client, deleted);
        context.await(Event.Kind.CLOSED, client, granted.at());
    }

    /** It may have its turn before the one in front has said that it has given back. */
    private static Event awaitTurnOfNext(ScenarioContext context, ClientProcess client, Event deleted) {
        Event released = context.release(client);
        Event granted = context.await(Event.Kind.GRANTED, client, deleted.at());
        context.await(Event.Kind.CLOSED, client, released.at());
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
            // without a new connection nothing comes of the reset that could wake anybody
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
