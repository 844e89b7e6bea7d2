package io.github.zklock.faults.scenario;

import static io.github.zklock.faults.stage.Stage.T;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.faults.record.Event;
import io.github.zklock.faults.record.Event.Kind;
import io.github.zklock.faults.record.Pulse;
import io.github.zklock.faults.scenario.Database.Count;
import io.github.zklock.faults.stage.ClientProcess;
import io.github.zklock.faults.stage.FaultScenario;
import io.github.zklock.faults.stage.Stage;
import io.github.zklock.faults.stage.Variant;
import io.github.zklock.faults.stage.Variant.Surface;
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
    public void aRollingRestartLosesNoUpdateAndStopsNobody(Stage stage) throws InterruptedException, SQLException {
        try (Database database = new Database(stage)) {
            List<ClientProcess> instances = new ArrayList<>();
            for (int i = 1; i <= INSTANCES; i++) {
                instances.add(database.client("instance-" + i));
                // not all at once, which would take a small machine too long for any of them
                stage.awaitReady();
            }
            instances.forEach(instance -> load(stage, instance));
            instances.forEach(instance -> stage.await(Kind.GRANTED, instance, 0));

            long begun = System.nanoTime();
            for (ClientProcess former : instances) {
                stage.terminate(former);
                ClientProcess successor = database.client(former.name() + "-again");
                stage.awaitReady();
                load(stage, successor);
                stage.await(Kind.GRANTED, successor, 0);
            }

            assertThat(longestGapSince(stage, begun))
                    .as("time without a grant to anybody")
                    .isLessThan(T);
            assertNothingWentWrong(stage);
            assertNoUpdateLost(stage, database);
        }
    }

    @FaultScenario(
            value = "S26",
            grants = 10,
            handOvers = 4,
            faults = 2,
            kinds = {Variant.Kind.EXCLUSIVE, Variant.Kind.READ_WRITE},
            surfaces = Surface.ANNOTATION)
    public void theFailureOfADatabaseReachesTheCallerAndGivesTheLockBack(Stage stage) throws SQLException {
        try (Database database = new Database(stage)) {
            ClientProcess holder = database.client("holder");
            ClientProcess other = stage.client("other", stage.ensemble().connectStringWithout());
            stage.awaitReady();
            load(stage, other);

            stage.hold(holder);
            database.kill();
            stage.note("database", Kind.KILLED);
            Event failed = stage.release(holder);
            assertThat(failed.text("result")).as(failed.toString()).isEqualTo("threw");
            stage.await(Kind.GRANTED, other, failed.at());
            database.restart();
            stage.note("database", Kind.RESUMED);
            stage.hold(holder);
            assertThat(stage.release(holder).text("result")).isEqualTo("ok");

            // it hangs for longer than a session lasts, and nobody gets the lock of who waits for it
            Event held = stage.hold(holder);
            database.pause();
            Event hangs = stage.note("database", Kind.PAUSED);
            holder.order("release");
            stage.lastUntil(hangs, T.multipliedBy(3).dividedBy(2));
            Event goesOn = stage.note("database", Kind.RESUMED);
            database.resume();
            Event done = stage.await(Kind.CLOSED, holder, hangs.at());
            assertThat(done.text("result")).isEqualTo("ok");
            assertThat(grantsBetween(stage, held.at(), goesOn.at())).isZero();
            stage.await(Kind.GRANTED, other, done.at());
            assertThat(database.count()).isEqualTo(new Count(2, 2));
        }
    }

    private static void load(Stage stage, ClientProcess client) {
        client.order("loop 2 5 forever " + stage.variant().kind().alone());
    }

    /**
     * The longest time from an instant to a grant, or from one grant to the next; less by how long the machine stood
     * still meanwhile, as a small one does when an application starts.
     */
    private static Duration longestGapSince(Stage stage, long instant) {
        Pulse pulse = Pulse.on(stage.timeline());
        long longest = 0;
        long before = instant;
        for (Event event : stage.timeline().events()) {
            if (event.is(Kind.GRANTED) && event.at() > before) {
                longest = Math.max(longest, event.at() - before - pulse.slowest(before, event.at()));
                before = event.at();
            }
        }
        return Duration.ofNanos(longest);
    }

    private static void assertNothingWentWrong(Stage stage) {
        assertThat(stage.timeline().events())
                .filteredOn(event -> event.is(Kind.LOST)
                        || (event.is(Kind.CLOSED) && !event.text("result").equals("ok")))
                .isEmpty();
    }

    /** Each call writes what it has read, and one more, whatever others wrote meanwhile. The instances go on. */
    private static void assertNoUpdateLost(Stage stage, Database database) throws SQLException {
        long calls = stage.timeline().count(event -> event.is(Kind.CLOSED));
        Count count = database.count();

        assertThat(count.value()).isEqualTo(count.steps());
        assertThat(count.steps()).isGreaterThanOrEqualTo(calls);
    }

    private static long grantsBetween(Stage stage, long from, long until) {
        return stage.timeline().count(event -> event.is(Kind.GRANTED) && event.at() > from && event.at() < until);
    }
}
