package io.github.zklock.faults.scenario;

import static io.github.zklock.faults.context.ScenarioContext.T;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.faults.context.ClientProcess;
import io.github.zklock.faults.context.FaultScenario;
import io.github.zklock.faults.context.Operator;
import io.github.zklock.faults.context.ScenarioContext;
import io.github.zklock.faults.context.ThreeClients;
import io.github.zklock.faults.context.Tier;
import io.github.zklock.faults.context.Variant.Surface;
import io.github.zklock.faults.timeline.Event;
import io.github.zklock.faults.timeline.Event.Kind;
import io.github.zklock.faults.timeline.Hold;
import io.github.zklock.faults.timeline.Stalls;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.awaitility.Awaitility;

/** Many locks, threads or sessions at once. */
public class ManyLocks {

    private static final int LOCKS = 200;
    private static final int DELETIONS = 10;
    private static final int PROCESSES = 5;
    private static final int SESSIONS = 100;
    private static final Duration LONG = Duration.ofMinutes(3);

    @FaultScenario(value = "S15", grants = 2 * LOCKS, handOvers = 1, faults = DELETIONS, surfaces = Surface.REGISTRY)
    public void troubleWithOneLockDoesNotHoldUpTheOthersOfTheClient(ScenarioContext context) {
        String many = context.variant().kind().exclusive() + "@many";
        String servers = context.ensemble().connectStringWithout();
        ClientProcess keeping = context.client("keeping", servers);
        ClientProcess troubled = context.client("troubled", servers);
        context.awaitReady();
        String session = context.await(Kind.READY, troubled, 0).text("session");
        keeping.send("hold-many " + LOCKS + " " + many);
        awaitCount(context, LOCKS, event -> event.is(Kind.GRANTED, "keeping") && isOneOfMany(event));
        keeping.send("hold " + context.variant().kind().exclusive() + "@trouble");
        context.awaitGrantOf(context.variant().kind().exclusive() + "@trouble", 0);
        for (int lock = 0; lock < LOCKS; lock++) {
            troubled.send("once 0 forever " + many + "-" + lock);
        }
        troubled.send("once 0 forever " + context.variant().kind().exclusive() + "@trouble");
        context.queues().awaitSeats(2 * LOCKS + 2);

        Operator operator = context.operator();
        keeping.send("release-many");
        // until all others have been granted
        long end = System.nanoTime() + LONG.toNanos();
        do {
            String deleted = operator.deleteSeat("trouble", session);
            context.note("operator", Kind.DELETED, "node", deleted);
        } while ((granted(context, troubled) < LOCKS || deletions(context) < DELETIONS) && System.nanoTime() - end < 0);
        assertThat(handOvers(context, keeping, troubled))
                .hasSize(LOCKS)
                .allSatisfy((lock, time) -> assertThat(time).as(lock).isLessThan(T));
        keeping.send("release");
        context.timeline()
                .await(
                        "a grant of the disturbed lock",
                        0,
                        event -> event.is(Kind.GRANTED, troubled.name())
                                && event.text("spec").endsWith("@trouble"));
    }

    @FaultScenario(value = "S17", grants = 40, handOvers = 4)
    public void manyThreadsAndNestedNamesStayApart(ScenarioContext context) throws InterruptedException {
        List<String> names = List.of("@a", "@a/b", "@a/b/c", "@a/b/c/d");
        List<String> common = context.variant().kind().contending();
        int threads = 64 / (names.size() * common.size());
        ThreeClients clients = ThreeClients.together(context);
        for (ClientProcess client : List.of(clients.holder(), clients.first(), clients.second())) {
            names.forEach(name ->
                    common.forEach(spec -> client.send("loop-virtual " + threads + " 5 forever " + spec + name)));
        }
        Event begun = context.await(Kind.GRANTED, clients.holder(), 0);
        for (ClientProcess client : List.of(clients.holder(), clients.first(), clients.second())) {
            names.forEach(name -> awaitGrant(context, client, name, begun.at()));
        }

        Event killed = context.kill(clients.second());

        for (ClientProcess living : List.of(clients.holder(), clients.first())) {
            names.forEach(name -> awaitGrant(context, living, name, killed.at() + T.toNanos()));
        }
    }

    @FaultScenario(
            value = "S18",
            tier = Tier.ALL,
            grants = 2 * PROCESSES * SESSIONS,
            handOvers = 1,
            // unsampled holds have no held intervals, and therefore no simultaneous holders
            together = 0,
            faults = PROCESSES,
            surfaces = Surface.REGISTRY)
    public void manySessionsThatDieAtOnceLeaveAllTheirLocksToWhoWaits(ScenarioContext context)
            throws InterruptedException {
        String servers = context.ensemble().connectStringWithout();
        String exclusive = context.variant().kind().exclusive();
        ClientProcess successor = context.client("successor", servers);
        List<ClientProcess> holders = new ArrayList<>();
        for (int process = 0; process < PROCESSES; process++) {
            holders.add(context.client("holder-of-" + process, servers));
        }
        context.awaitReady();
        for (int process = 0; process < PROCESSES; process++) {
            holders.get(process).send("hold-sessions " + SESSIONS + " " + exclusive + "@of-" + process);
        }
        awaitCount(context, PROCESSES * SESSIONS, ManyLocks::isOfManySessions);
        for (int process = 0; process < PROCESSES; process++) {
            successor.send("hold-many " + SESSIONS + " " + exclusive + "@of-" + process);
        }
        context.queues().awaitSeats(2 * PROCESSES * SESSIONS);

        for (ClientProcess holder : holders) {
            context.kill(holder);
        }

        awaitCount(
                context,
                PROCESSES * SESSIONS,
                event -> event.is(Kind.GRANTED, "successor")
                        && event.text("spec").contains("@of-"));
    }

    private static boolean isOfManySessions(Event event) {
        return event.is(Kind.GRANTED) && event.text("spec").contains("@of-");
    }

    private static boolean isOneOfMany(Event event) {
        return event.text("spec").contains("@many-");
    }

    private static long granted(ScenarioContext context, ClientProcess client) {
        return context.timeline().count(event -> event.is(Kind.GRANTED, client.name()) && isOneOfMany(event));
    }

    /**
     * Returns for each of the many locks the time from its release to the next grant, less the stalls of the machine.
     */
    private static Map<String, Duration> handOvers(ScenarioContext context, ClientProcess from, ClientProcess to) {
        Stalls stalls = Stalls.on(context.timeline());
        Map<String, Long> released = new HashMap<>();
        Map<String, Duration> times = new TreeMap<>();
        for (Hold hold : context.timeline().holds()) {
            String lock = hold.spec().lock();
            if (hold.source().equals(from.name())) {
                hold.releasingAt().ifPresent(at -> released.put(lock, at));
            } else if (hold.source().equals(to.name()) && released.containsKey(lock)) {
                long releasing = released.get(lock);
                long stalled = stalls.longest(releasing, hold.grantedAt());
                times.put(lock, Duration.ofNanos(hold.grantedAt() - releasing - stalled));
            }
        }
        return times;
    }

    private static long deletions(ScenarioContext context) {
        return context.timeline().count(event -> event.is(Kind.DELETED));
    }

    private static void awaitGrant(ScenarioContext context, ClientProcess client, String name, long after) {
        context.timeline()
                .await(
                        "a grant of " + name + " to " + client.name(),
                        after,
                        event -> event.is(Kind.GRANTED, client.name())
                                && event.text("spec").endsWith(name));
    }

    private static void awaitCount(ScenarioContext context, int count, Predicate<Event> like) {
        Awaitility.await(count + " events")
                .atMost(LONG)
                .pollInterval(Duration.ofMillis(200))
                .until(() -> context.timeline().count(like) >= count);
    }
}
