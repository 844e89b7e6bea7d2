package io.github.zklock.faults.scenario;

import static io.github.zklock.faults.context.ScenarioContext.T;
import static io.github.zklock.faults.context.Variant.Kind.EXCLUSIVE;
import static io.github.zklock.faults.context.Variant.Kind.READ_WRITE;
import static io.github.zklock.faults.context.Variant.Surface.ANNOTATION;
import static io.github.zklock.faults.context.Variant.Surface.FUTURE;
import static io.github.zklock.faults.context.Variant.Surface.REGISTRY;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.faults.context.ClientProcess;
import io.github.zklock.faults.context.FaultScenario;
import io.github.zklock.faults.context.FaultScenario.Tier;
import io.github.zklock.faults.context.ScenarioContext;
import io.github.zklock.faults.context.ThreeClients;
import io.github.zklock.faults.context.Variants;
import io.github.zklock.faults.scenario.DatabaseProcess.Count;
import io.github.zklock.faults.timeline.Event;
import io.github.zklock.faults.timeline.Event.Kind;
import io.github.zklock.faults.timeline.Stalls;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Spring Boot applications that close, are replaced, have no free thread, broken listeners or a broken database. */
@Variants(
        kinds = {EXCLUSIVE, READ_WRITE},
        surfaces = ANNOTATION)
public class Applications {

    private static final int POOL = 4;
    private static final int INSTANCES = 5;
    private static final String ELSEWHERE = "exclusive@elsewhere";

    @FaultScenario(value = "S20", grants = 6, handOvers = 1, faults = 2)
    @Variants(surfaces = ANNOTATION)
    public void anApplicationThatClosesWaitsForItsHoldersAndLeavesTheRestToThem(ScenarioContext context) {
        String spec = context.exclusive();
        ThreeClients clients = ThreeClients.together(context);
        context.contending().forEach(common -> clients.second().send("loop 1 20 forever " + common));
        ClientProcess holder = clients.holder();

        ClientProcess brief = clients.first();
        // within the shutdown timeout
        brief.send("once 400 forever " + spec);
        Event held = context.await(Kind.GRANTED, brief, 0);
        Event draining = context.send(brief, "change CLOSE", Kind.CLOSING);
        Event drained = context.await(Kind.CHANGED, brief, draining.at());
        Event releasing = context.await(Kind.RELEASING, brief, held.at());
        assertThat(releasing.at())
                .as("the end of a hold that began before the application closed and ended before it was closed")
                .isBetween(draining.at(), drained.at());
        assertThat(context.await(Kind.CLOSED, brief, held.at()).text("result")).isEqualTo("ok");
        brief.send("once 0 forever " + spec);
        context.await(Kind.REFUSED, brief, drained.at());
        assertThat(context.count(event -> isLoss(event, brief))).isZero();

        context.hold(holder);
        holder.send("once 0 forever " + spec);
        context.await(Kind.REQUESTED, holder, draining.at());
        Event closing = context.send(holder, "change CLOSE", Kind.CLOSING);
        context.await(Kind.REFUSED, holder, closing.at());
        context.await(Kind.CHANGED, holder, closing.at());
        Event released = context.release(holder, "ok");
        context.await(Kind.GRANTED, clients.second(), released.at());
        assertThat(context.count(event -> isLoss(event, holder))).isZero();
    }

    @FaultScenario(value = "S20", grants = 3, handOvers = 2)
    @Variants(surfaces = {REGISTRY, FUTURE})
    public void aRegistryThatIsClosedLeavesALockToItsHolder(ScenarioContext context) {
        ThreeClients clients = ThreeClients.together(context);
        ClientProcess holder = clients.holder();
        context.hold(holder);
        context.queue(clients.first(), 2);

        Event closing = context.note(holder.name(), Kind.CLOSING);
        holder.send("close");
        context.await(Kind.REGISTRY_CLOSED, holder, closing.at());
        Event released = context.release(holder, "ok");
        context.await(Kind.GRANTED, clients.first(), released.at());

        assertThat(context.count(event -> isLoss(event, holder))).isZero();
        context.release(clients.first());
        context.hold(clients.second());
    }

    @FaultScenario(value = "S20", grants = 6, handOvers = 2)
    @Variants(surfaces = ANNOTATION)
    public void anApplicationThatIsReplacedLeavesItsOldCallsTheirLocks(ScenarioContext context) {
        String spec = context.exclusive();
        ThreeClients clients = ThreeClients.together(context);
        clients.loop();
        ClientProcess holder = clients.holder();
        Event old = context.hold(holder);
        holder.send("once 0 forever " + spec);
        context.await(Kind.REQUESTED, holder, old.at());

        Event closing = context.send(holder, "change REFRESH", Kind.CLOSING);
        context.await(Kind.REFUSED, holder, closing.at());
        Event replaced = context.await(Kind.CHANGED, holder, closing.at());
        // by the new application, while the old call has not returned yet
        holder.send("once 20 forever " + spec);
        context.await(Kind.REQUESTED, holder, replaced.at());
        Event released = context.release(holder, "ok");
        Event granted = context.await(Kind.GRANTED, holder, released.at());

        assertThat(granted.text("session")).isNotEqualTo(old.text("session"));
        clients.awaitGrants(replaced);
        context.hold(holder);
        context.release(holder, "ok");
    }

    @FaultScenario(value = "S27", grants = 6, handOvers = 2)
    public void anApplicationWithoutAFreeThreadKeepsItsLocks(ScenarioContext context) {
        String spec = context.exclusive();
        ThreeClients clients = ThreeClients.together(context);
        clients.loop();
        ClientProcess holder = clients.holder();
        context.hold(holder);

        // one holds another lock for a long time, one waits for that lock, and the others wait for the lock that is
        // held
        Event exhausted = context.note("pool-of-" + holder.name(), Kind.BLOCKED);
        holder.send("pool 2 600000 forever exclusive@elsewhere");
        holder.send("pool " + POOL + " 20 forever " + spec);
        context.await(
                "a pool without a free thread", exhausted.at(), event -> asked(context, holder, exhausted) == POOL);
        context.lastUntil(context.await(Kind.REQUESTED, holder, exhausted.at()), T.multipliedBy(2));

        assertThat(asked(context, holder, exhausted)).isEqualTo(POOL);
        assertThat(context.count(event -> isLoss(event, holder))).isZero();
        Event released = context.release(holder, "ok");
        context.await(Kind.GRANTED, holder, released.at());
        clients.awaitGrants(released);
    }

    private static long asked(ScenarioContext context, ClientProcess client, Event after) {
        return context.count(event -> event.is(Kind.REQUESTED, client.name()) && event.at() > after.at());
    }

    private static boolean isLoss(Event event, ClientProcess client) {
        return event.is(Kind.LOST, client.name())
                || (event.is(Kind.CLOSED, client.name()) && event.text("result").equals("lost"));
    }

    @FaultScenario(value = "S25", grants = 100, handOvers = 20, faults = INSTANCES)
    public void aRollingRestartLosesNoUpdateAndStopsNobody(ScenarioContext context) throws SQLException {
        try (DatabaseProcess database = new DatabaseProcess(context)) {
            List<ClientProcess> instances = new ArrayList<>();
            for (int i = 1; i <= INSTANCES; i++) {
                instances.add(database.client("instance-" + i));
                // one by one: a small machine takes too long to start all at once
                context.awaitReady();
            }
            instances.forEach(instance -> load(context, instance));
            instances.forEach(instance -> context.await(Kind.GRANTED, instance, 0));

            long begun = System.nanoTime();
            for (ClientProcess former : instances) {
                context.terminate(former);
                ClientProcess successor = database.client(former.name() + "-again");
                context.awaitReady();
                load(context, successor);
                context.await(Kind.GRANTED, successor, 0);
            }

            assertThat(longestGapSince(context, begun))
                    .as("time without a grant")
                    .isLessThan(T);
            assertThat(context.timeline().events())
                    .as("losses and failed releases")
                    .noneMatch(event -> event.is(Kind.LOST)
                            || (event.is(Kind.CLOSED) && !event.text("result").equals("ok")));
            assertNoUpdateLost(context, database);
        }
    }

    @FaultScenario(value = "S26", grants = 10, handOvers = 4, faults = 2)
    public void theFailureOfADatabaseReachesTheCallerAndGivesTheLockBack(ScenarioContext context) throws SQLException {
        try (DatabaseProcess database = new DatabaseProcess(context)) {
            ClientProcess holder = database.client("holder");
            ClientProcess other = context.client("other");
            context.awaitReady();
            load(context, other);

            context.hold(holder);
            database.server().close();
            context.note("database", Kind.KILLED);
            Event failed = context.release(holder);
            assertThat(failed.text("result")).as(failed.toString()).isEqualTo("threw");
            context.await(Kind.GRANTED, other, failed.at());
            database.restart();
            context.note("database", Kind.RESUMED);
            context.hold(holder);
            context.release(holder, "ok");

            // the database hangs for longer than a session timeout, and the lock stays with the holder that waits for
            // the database
            Event held = context.hold(holder);
            database.server().pause();
            Event hangs = context.note("database", Kind.PAUSED);
            holder.send("release");
            context.lastUntil(hangs, T.multipliedBy(3).dividedBy(2));
            Event goesOn = context.note("database", Kind.RESUMED);
            database.server().resume();
            Event done = context.await(Kind.CLOSED, holder, hangs.at());
            assertThat(done.text("result")).isEqualTo("ok");
            assertThat(context.grantsToOthers(holder, held.at(), goesOn.at())).isZero();
            context.await(Kind.GRANTED, other, done.at());
            assertThat(database.count()).isEqualTo(new Count(2, 2));
        }
    }

    private static void load(ScenarioContext context, ClientProcess client) {
        client.send("loop 2 5 forever " + context.exclusive());
    }

    /**
     * Returns the longest time without a grant since an instant, less the stalls of the machine, such as those at the
     * start of an application.
     */
    private static Duration longestGapSince(ScenarioContext context, long instant) {
        Stalls stalls = Stalls.on(context.timeline());
        long longest = 0;
        long before = instant;
        for (Event event : context.timeline().events()) {
            if (event.is(Kind.GRANTED) && event.at() > before) {
                longest = Math.max(longest, event.at() - before - stalls.longest(before, event.at()));
                before = event.at();
            }
        }
        return Duration.ofNanos(longest);
    }

    /**
     * Checks that no increment was lost: each call writes one more than it has read. The instances continue meanwhile.
     */
    private static void assertNoUpdateLost(ScenarioContext context, DatabaseProcess database) throws SQLException {
        long calls = context.count(event -> event.is(Kind.CLOSED));
        Count count = database.count();

        assertThat(count.value()).isEqualTo(count.steps());
        assertThat(count.steps()).isGreaterThanOrEqualTo(calls);
    }

    @FaultScenario(value = "S14", grants = 10, handOvers = 3, losses = 2, faults = 2)
    public void listenersThatBlockForEverKeepNoOtherFromBeingTold(ScenarioContext context) {
        loseTwoLocks(context, "BLOCK_LISTENERS");
    }

    @FaultScenario(value = "S14", tier = Tier.ALL, grants = 10, handOvers = 3, losses = 2, faults = 2)
    public void listenersThatThrowKeepNoOtherFromBeingTold(ScenarioContext context) {
        loseTwoLocks(context, "BREAK_LISTENERS");
    }

    @FaultScenario(value = "S14", tier = Tier.ALL, grants = 10, handOvers = 3, losses = 2, faults = 2)
    public void listenersThatThrowAnErrorKeepNoOtherFromBeingTold(ScenarioContext context) {
        loseTwoLocks(context, "BREAK_LISTENERS_BY_ERROR");
    }

    private static void loseTwoLocks(ScenarioContext context, String change) {
        ThreeClients clients = ThreeClients.together(context);
        clients.loop();
        ClientProcess holder = clients.holder();
        holder.send("change " + change);
        context.await(Kind.CHANGED, holder, 0);
        Event elsewhere = context.hold(holder, ELSEWHERE);
        Event usual = context.hold(holder);

        Event resumed = context.pauseFor(holder, T.multipliedBy(2));

        // reported to the harness's own listener, which is registered after the broken one
        context.awaitLossOf(elsewhere);
        context.awaitLossOf(usual);
        context.release(holder, "lost");
        clients.awaitGrants(resumed);
        context.hold(holder);
        context.release(holder, "ok");
    }
}
