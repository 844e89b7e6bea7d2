package io.github.zklock.faults.scenario;

import static io.github.zklock.faults.context.ScenarioContext.T;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.faults.context.ClientProcess;
import io.github.zklock.faults.context.FaultScenario;
import io.github.zklock.faults.context.ScenarioContext;
import io.github.zklock.faults.context.Variant;
import io.github.zklock.faults.context.Variant.Surface;
import io.github.zklock.faults.scenario.DatabaseProcess.Count;
import io.github.zklock.faults.timeline.Event;
import io.github.zklock.faults.timeline.Event.Kind;
import io.github.zklock.faults.timeline.Stalls;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Applications that change a database under the lock. */
public class Databases {

    private static final int INSTANCES = 5;

    @FaultScenario(
            value = "S25",
            grants = 100,
            handOvers = 20,
            faults = INSTANCES,
            kinds = {Variant.Kind.EXCLUSIVE, Variant.Kind.READ_WRITE},
            surfaces = Surface.ANNOTATION)
    public void aRollingRestartLosesNoUpdateAndStopsNobody(ScenarioContext context)
            throws InterruptedException, SQLException {
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
            assertNothingWentWrong(context);
            assertNoUpdateLost(context, database);
        }
    }

    @FaultScenario(
            value = "S26",
            grants = 10,
            handOvers = 4,
            faults = 2,
            kinds = {Variant.Kind.EXCLUSIVE, Variant.Kind.READ_WRITE},
            surfaces = Surface.ANNOTATION)
    public void theFailureOfADatabaseReachesTheCallerAndGivesTheLockBack(ScenarioContext context) throws SQLException {
        try (DatabaseProcess database = new DatabaseProcess(context)) {
            ClientProcess holder = database.client("holder");
            ClientProcess other = context.client("other", context.ensemble().connectStringWithout());
            context.awaitReady();
            load(context, other);

            context.hold(holder);
            database.kill();
            context.note("database", Kind.KILLED);
            Event failed = context.release(holder);
            assertThat(failed.text("result")).as(failed.toString()).isEqualTo("threw");
            context.await(Kind.GRANTED, other, failed.at());
            database.restart();
            context.note("database", Kind.RESUMED);
            context.hold(holder);
            assertThat(context.release(holder).text("result")).isEqualTo("ok");

            // the database hangs for longer than a session timeout, and the lock stays with the holder that waits for
            // the database
            Event held = context.hold(holder);
            database.pause();
            Event hangs = context.note("database", Kind.PAUSED);
            holder.send("release");
            context.lastUntil(hangs, T.multipliedBy(3).dividedBy(2));
            Event goesOn = context.note("database", Kind.RESUMED);
            database.resume();
            Event done = context.await(Kind.CLOSED, holder, hangs.at());
            assertThat(done.text("result")).isEqualTo("ok");
            assertThat(grantsBetween(context, held.at(), goesOn.at())).isZero();
            context.await(Kind.GRANTED, other, done.at());
            assertThat(database.count()).isEqualTo(new Count(2, 2));
        }
    }

    private static void load(ScenarioContext context, ClientProcess client) {
        client.send("loop 2 5 forever " + context.variant().kind().exclusive());
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

    private static void assertNothingWentWrong(ScenarioContext context) {
        assertThat(context.timeline().events())
                .filteredOn(event -> event.is(Kind.LOST)
                        || (event.is(Kind.CLOSED) && !event.text("result").equals("ok")))
                .isEmpty();
    }

    /**
     * Checks that no increment was lost: each call writes one more than it has read. The instances continue meanwhile.
     */
    private static void assertNoUpdateLost(ScenarioContext context, DatabaseProcess database) throws SQLException {
        long calls = context.timeline().count(event -> event.is(Kind.CLOSED));
        Count count = database.count();

        assertThat(count.value()).isEqualTo(count.steps());
        assertThat(count.steps()).isGreaterThanOrEqualTo(calls);
    }

    private static long grantsBetween(ScenarioContext context, long from, long until) {
        return context.timeline().count(event -> event.is(Kind.GRANTED) && event.at() > from && event.at() < until);
    }
}
