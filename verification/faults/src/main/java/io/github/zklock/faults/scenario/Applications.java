package io.github.zklock.faults.scenario;

import static io.github.zklock.faults.context.ScenarioContext.T;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.faults.context.ClientProcess;
import io.github.zklock.faults.context.FaultScenario;
import io.github.zklock.faults.context.ScenarioContext;
import io.github.zklock.faults.context.ThreeClients;
import io.github.zklock.faults.context.Variant;
import io.github.zklock.faults.context.Variant.Surface;
import io.github.zklock.faults.timeline.Event;
import io.github.zklock.faults.timeline.Event.Kind;

/** Applications that close, are replaced or have no free thread while they use locks. */
public class Applications {

    private static final int POOL = 4;

    @FaultScenario(value = "S20", grants = 6, handOvers = 1, faults = 2, surfaces = Surface.ANNOTATION)
    public void anApplicationThatClosesWaitsForItsHoldersAndLeavesTheRestToThem(ScenarioContext context) {
        String spec = context.variant().kind().exclusive();
        ThreeClients clients = ThreeClients.together(context);
        context.variant().kind().contending().forEach(common -> clients.second().send("loop 1 20 forever " + common));
        ClientProcess holder = clients.holder();

        ClientProcess brief = clients.first();
        // within the shutdown timeout
        brief.send("once 400 forever " + spec);
        Event held = context.await(Kind.GRANTED, brief, 0);
        Event draining = closing(context, brief, "CLOSE");
        Event drained = context.await(Kind.CHANGED, brief, draining.at());
        Event releasing = context.await(Kind.RELEASING, brief, held.at());
        assertThat(releasing.at())
                .as("the end of a hold that began before the application closed and ended before it was closed")
                .isBetween(draining.at(), drained.at());
        assertThat(context.await(Kind.CLOSED, brief, held.at()).text("result")).isEqualTo("ok");
        brief.send("once 0 forever " + spec);
        context.await(Kind.REFUSED, brief, drained.at());
        assertThat(context.timeline().count(event -> isLoss(event, brief))).isZero();

        context.hold(holder);
        holder.send("once 0 forever " + spec);
        context.await(Kind.REQUESTED, holder, draining.at());
        Event closing = closing(context, holder, "CLOSE");
        context.await(Kind.REFUSED, holder, closing.at());
        context.await(Kind.CHANGED, holder, closing.at());
        Event released = context.release(holder);
        assertThat(released.text("result")).isEqualTo("ok");
        context.await(Kind.GRANTED, clients.second(), released.at());
        assertThat(context.timeline().count(event -> isLoss(event, holder))).isZero();
    }

    @FaultScenario(
            value = "S20",
            grants = 3,
            handOvers = 2,
            surfaces = {Surface.REGISTRY, Surface.FUTURE})
    public void aRegistryThatIsClosedLeavesALockToItsHolder(ScenarioContext context) {
        ThreeClients clients = ThreeClients.together(context);
        ClientProcess holder = clients.holder();
        context.hold(holder);
        clients.first().send("hold " + context.variant().kind().exclusive());
        context.queues().awaitSeats(2);

        Event closing = context.note(holder.name(), Kind.CLOSING);
        holder.send("close");
        context.await(Kind.REGISTRY_CLOSED, holder, closing.at());
        Event released = context.release(holder);
        assertThat(released.text("result")).isEqualTo("ok");
        context.await(Kind.GRANTED, clients.first(), released.at());

        assertThat(context.timeline().count(event -> isLoss(event, holder))).isZero();
        context.release(clients.first());
        context.hold(clients.second());
    }

    @FaultScenario(value = "S20", grants = 6, handOvers = 2, surfaces = Surface.ANNOTATION)
    public void anApplicationThatIsReplacedLeavesItsOldCallsTheirLocks(ScenarioContext context) {
        String spec = context.variant().kind().exclusive();
        ThreeClients clients = ThreeClients.together(context);
        clients.loop();
        ClientProcess holder = clients.holder();
        Event old = context.hold(holder);
        holder.send("once 0 forever " + spec);
        context.await(Kind.REQUESTED, holder, old.at());

        Event closing = closing(context, holder, "REFRESH");
        context.await(Kind.REFUSED, holder, closing.at());
        Event replaced = context.await(Kind.CHANGED, holder, closing.at());
        // by the new application, while the old call has not returned yet
        holder.send("once 20 forever " + spec);
        context.await(Kind.REQUESTED, holder, replaced.at());
        Event released = context.release(holder);
        assertThat(released.text("result")).isEqualTo("ok");
        Event granted = context.await(Kind.GRANTED, holder, released.at());

        assertThat(granted.text("session")).isNotEqualTo(old.text("session"));
        clients.awaitGrants(replaced);
        context.hold(holder);
        assertThat(context.release(holder).text("result")).isEqualTo("ok");
    }

    @FaultScenario(
            value = "S27",
            grants = 6,
            handOvers = 2,
            kinds = {Variant.Kind.EXCLUSIVE, Variant.Kind.READ_WRITE},
            surfaces = Surface.ANNOTATION)
    public void anApplicationWithoutAFreeThreadKeepsItsLocks(ScenarioContext context) {
        String spec = context.variant().kind().exclusive();
        ThreeClients clients = ThreeClients.together(context);
        clients.loop();
        ClientProcess holder = clients.holder();
        context.hold(holder);

        // one holds another lock for a long time, one waits for that lock, and the others wait for the lock that is
        // held
        Event exhausted = context.note("pool-of-" + holder.name(), Kind.BLOCKED);
        holder.send("pool 2 600000 forever exclusive@elsewhere");
        holder.send("pool " + POOL + " 20 forever " + spec);
        context.timeline()
                .await(
                        "a pool without a free thread",
                        exhausted.at(),
                        event -> asked(context, holder, exhausted) == POOL);
        context.lastUntil(context.await(Kind.REQUESTED, holder, exhausted.at()), T.multipliedBy(2));

        assertThat(asked(context, holder, exhausted)).isEqualTo(POOL);
        assertThat(context.timeline().count(event -> isLoss(event, holder))).isZero();
        Event released = context.release(holder);
        assertThat(released.text("result")).isEqualTo("ok");
        context.await(Kind.GRANTED, holder, released.at());
        clients.awaitGrants(released);
    }

    private static Event closing(ScenarioContext context, ClientProcess client, String change) {
        long now = System.nanoTime();
        client.send("change " + change);
        return context.await(Kind.CLOSING, client, now);
    }

    private static long asked(ScenarioContext context, ClientProcess client, Event after) {
        return context.timeline().count(event -> event.is(Kind.REQUESTED, client.name()) && event.at() > after.at());
    }

    private static boolean isLoss(Event event, ClientProcess client) {
        return event.is(Kind.LOST, client.name())
                || (event.is(Kind.CLOSED, client.name()) && event.text("result").equals("lost"));
    }
}
