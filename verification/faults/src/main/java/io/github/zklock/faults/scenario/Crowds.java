package io.github.zklock.faults.scenario;

import static io.github.zklock.faults.stage.Stage.T;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.faults.record.Event;
import io.github.zklock.faults.record.Event.Kind;
import io.github.zklock.faults.record.Hold;
import io.github.zklock.faults.record.Pulse;
import io.github.zklock.faults.stage.Cast;
import io.github.zklock.faults.stage.ClientProcess;
import io.github.zklock.faults.stage.FaultScenario;
import io.github.zklock.faults.stage.Operator;
import io.github.zklock.faults.stage.Stage;
import io.github.zklock.faults.stage.Tier;
import io.github.zklock.faults.stage.Variant.Surface;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.awaitility.Awaitility;

/** Many locks, threads or sessions at once. */
public class Crowds {

    private static final int LOCKS = 200;
    private static final int DELETIONS = 10;
    private static final int PROCESSES = 5;
    private static final int SESSIONS = 100;
    private static final Duration LONG = Duration.ofMinutes(3);

    @FaultScenario(value = "S15", grants = 2 * LOCKS, handOvers = 1, faults = DELETIONS, surfaces = Surface.REGISTRY)
    public void troubleWithOneLockDoesNotHoldUpTheOthersOfTheClient(Stage stage) {
        String many = stage.variant().kind().alone() + "@many";
        String servers = stage.ensemble().connectStringWithout();
        ClientProcess keeping = stage.client("keeping", servers);
        ClientProcess troubled = stage.client("troubled", servers);
        stage.awaitReady();
        String session = stage.await(Kind.READY, troubled, 0).text("session");
        keeping.order("keep " + LOCKS + " " + many);
        awaitCount(stage, LOCKS, event -> event.is(Kind.GRANTED, "keeping") && isOneOfMany(event));
        keeping.order("hold " + stage.variant().kind().alone() + "@trouble");
        stage.awaitGrantOf(stage.variant().kind().alone() + "@trouble", 0);
        for (int lock = 0; lock < LOCKS; lock++) {
            troubled.order("once 0 forever " + many + "-" + lock);
        }
        troubled.order("once 0 forever " + stage.variant().kind().alone() + "@trouble");
        stage.seating().awaitSeats(2 * LOCKS + 2);

        Operator operator = stage.operator();
        keeping.order("disband");
        // until all others have been granted
        long end = System.nanoTime() + LONG.toNanos();
        do {
            operator.deleteSeat("trouble", session);
            stage.note("operator", Kind.DELETED);
        } while ((granted(stage, troubled) < LOCKS || deletions(stage) < DELETIONS) && System.nanoTime() - end < 0);
        assertThat(handOvers(stage, keeping, troubled))
                .hasSize(LOCKS)
                .allSatisfy((lock, time) -> assertThat(time).as(lock).isLessThan(T));
        keeping.order("release");
        stage.timeline()
                .await(
                        "the lock with the trouble",
                        0,
                        event -> event.is(Kind.GRANTED, troubled.name())
                                && event.text("wish").endsWith("@trouble"));
    }

    @FaultScenario(value = "S17", grants = 40, handOvers = 4)
    public void manyThreadsAndNestedNamesStayApart(Stage stage) throws InterruptedException {
        List<String> names = List.of("@a", "@a/b", "@a/b/c", "@a/b/c/d");
        List<String> common = stage.variant().kind().common();
        int threads = 64 / (names.size() * common.size());
        Cast cast = Cast.together(stage);
        for (ClientProcess client : List.of(cast.holder(), cast.first(), cast.second())) {
            names.forEach(name ->
                    common.forEach(wish -> client.order("loop-virtual " + threads + " 5 forever " + wish + name)));
        }
        Event begun = stage.await(Kind.GRANTED, cast.holder(), 0);
        for (ClientProcess client : List.of(cast.holder(), cast.first(), cast.second())) {
            names.forEach(name -> awaitGrant(stage, client, name, begun.at()));
        }

        Event killed = stage.kill(cast.second());

        for (ClientProcess living : List.of(cast.holder(), cast.first())) {
            names.forEach(name -> awaitGrant(stage, living, name, killed.at() + T.toNanos()));
        }
    }

    @FaultScenario(
            value = "S18",
            tier = Tier.ALL,
            grants = 2 * PROCESSES * SESSIONS,
            handOvers = 1,
            // a crowd never looks at its locks: no belief, and no company
            together = 0,
            faults = PROCESSES,
            surfaces = Surface.REGISTRY)
    public void manySessionsThatDieAtOnceLeaveAllTheirLocksToWhoWaits(Stage stage) throws InterruptedException {
        String servers = stage.ensemble().connectStringWithout();
        String alone = stage.variant().kind().alone();
        ClientProcess heir = stage.client("heir", servers);
        List<ClientProcess> crowds = new ArrayList<>();
        for (int process = 0; process < PROCESSES; process++) {
            crowds.add(stage.client("crowd-" + process, servers));
        }
        stage.awaitReady();
        for (int process = 0; process < PROCESSES; process++) {
            crowds.get(process).order("gather " + SESSIONS + " " + alone + "@of-" + process);
        }
        awaitCount(stage, PROCESSES * SESSIONS, Crowds::isOfACrowd);
        for (int process = 0; process < PROCESSES; process++) {
            heir.order("keep " + SESSIONS + " " + alone + "@of-" + process);
        }
        stage.seating().awaitSeats(2 * PROCESSES * SESSIONS);

        for (ClientProcess crowd : crowds) {
            stage.kill(crowd);
        }

        awaitCount(
                stage,
                PROCESSES * SESSIONS,
                event -> event.is(Kind.GRANTED, "heir") && event.text("wish").contains("@of-"));
    }

    private static boolean isOfACrowd(Event event) {
        return event.is(Kind.GRANTED) && event.text("wish").contains("@of-");
    }

    private static boolean isOneOfMany(Event event) {
        return event.text("wish").contains("@many-");
    }

    private static long granted(Stage stage, ClientProcess client) {
        return stage.timeline().count(event -> event.is(Kind.GRANTED, client.name()) && isOneOfMany(event));
    }

    /**
     * How long each of the many locks took from its holder, before that gave it back, to the next one; less by how long
     * the machine stood still meanwhile.
     */
    private static Map<String, Duration> handOvers(Stage stage, ClientProcess from, ClientProcess to) {
        Pulse pulse = Pulse.on(stage.timeline());
        Map<String, Long> released = new HashMap<>();
        Map<String, Duration> times = new TreeMap<>();
        for (Hold hold : stage.timeline().holds()) {
            String lock = hold.wish().lock();
            if (hold.source().equals(from.name())) {
                hold.releasingAt().ifPresent(at -> released.put(lock, at));
            } else if (hold.source().equals(to.name()) && released.containsKey(lock)) {
                long releasing = released.get(lock);
                long stalled = pulse.slowest(releasing, hold.grantedAt());
                times.put(lock, Duration.ofNanos(hold.grantedAt() - releasing - stalled));
            }
        }
        return times;
    }

    private static long deletions(Stage stage) {
        return stage.timeline().count(event -> event.is(Kind.DELETED));
    }

    private static void awaitGrant(Stage stage, ClientProcess client, String name, long after) {
        stage.timeline()
                .await(
                        "a grant of " + name + " to " + client.name(),
                        after,
                        event -> event.is(Kind.GRANTED, client.name())
                                && event.text("wish").endsWith(name));
    }

    private static void awaitCount(Stage stage, int count, Predicate<Event> like) {
        Awaitility.await(count + " events")
                .atMost(LONG)
                .pollInterval(Duration.ofMillis(200))
                .until(() -> stage.timeline().count(like) >= count);
    }
}
