package io.github.zklock.faults.scenario;

import static io.github.zklock.faults.context.ScenarioContext.T;
import static io.github.zklock.faults.context.Variant.Kind.EXCLUSIVE;
import static io.github.zklock.faults.context.Variant.Surface.FUTURE;
import static io.github.zklock.faults.context.Variant.Surface.REGISTRY;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.faults.cluster.ServerProcess;
import io.github.zklock.faults.context.ClientOptions;
import io.github.zklock.faults.context.ClientProcess;
import io.github.zklock.faults.context.FaultScenario;
import io.github.zklock.faults.context.FaultScenario.Tier;
import io.github.zklock.faults.context.ScenarioContext;
import io.github.zklock.faults.context.ThreeClients;
import io.github.zklock.faults.context.Variants;
import io.github.zklock.faults.timeline.Event;
import io.github.zklock.faults.timeline.Event.Kind;
import io.github.zklock.faults.timeline.Hold;
import io.github.zklock.faults.timeline.Stalls;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.apache.commons.io.function.Uncheck;
import org.awaitility.Awaitility;

/** Many locks, threads or sessions at once, and callers whose stack overflows. */
public class ManyLocks {

    private static final int LOCKS = 200;
    private static final int DELETIONS = 10;
    private static final int PROCESSES = 5;
    private static final int SESSIONS = 100;
    private static final Duration LONG = Duration.ofMinutes(3);
    private static final Duration MINUTES = Duration.ofMinutes(5);

    /** What a server logs if it cannot read a transaction. */
    private static final List<String> LAST_WORDS = List.of("Unreasonable length", "Unable to load database on disk");

    /** A rejection contains the budget and its use. */
    private static final String NUMBERS = ".*\\d.*\\d.*";

    private static final String LARGE_HEAP = "-Xmx320m";
    private static final int DEEP_LOCKS = 12;

    @FaultScenario(value = "S15", grants = 2 * LOCKS, handOvers = 1, faults = DELETIONS)
    @Variants(surfaces = REGISTRY)
    public void troubleWithOneLockDoesNotHoldUpTheOthersOfTheClient(ScenarioContext context) {
        String many = context.exclusive() + "@many";
        ClientProcess keeping = context.client("keeping");
        ClientProcess troubled = context.client("troubled");
        context.awaitReady();
        String session = context.await(Kind.READY, troubled, 0).text("session");
        keeping.send("hold-many " + LOCKS + " " + many);
        awaitCount(context, LOCKS, event -> event.is(Kind.GRANTED, "keeping") && isOneOfMany(event));
        keeping.send("hold " + context.exclusive() + "@trouble");
        context.awaitGrantOf(context.exclusive() + "@trouble", 0);
        for (int lock = 0; lock < LOCKS; lock++) {
            troubled.send("once 0 forever " + many + "-" + lock);
        }
        troubled.send("once 0 forever " + context.exclusive() + "@trouble");
        context.queues().awaitSeats(2 * LOCKS + 2);

        keeping.send("release-many");
        // until all others have been granted
        long end = System.nanoTime() + LONG.toNanos();
        do {
            context.deleteSeat("trouble", session);
        } while ((granted(context, troubled) < LOCKS
                        || context.timeline().events(Kind.DELETED).size() < DELETIONS)
                && System.nanoTime() - end < 0);
        assertThat(handOvers(context, keeping, troubled))
                .hasSize(LOCKS)
                .allSatisfy((lock, time) -> assertThat(time).as(lock).isLessThan(T));
        keeping.send("release");
        context.awaitGrantOf("@trouble", troubled, 0);
    }

    @FaultScenario(value = "S17", grants = 40, handOvers = 4)
    public void manyThreadsAndNestedNamesStayApart(ScenarioContext context) {
        List<String> names = List.of("@a", "@a/b", "@a/b/c", "@a/b/c/d");
        List<String> common = context.contending();
        int threads = 64 / (names.size() * common.size());
        ThreeClients clients = ThreeClients.together(context);
        for (ClientProcess client : clients.all()) {
            names.forEach(name ->
                    common.forEach(spec -> client.send("loop-virtual " + threads + " 5 forever " + spec + name)));
        }
        Event begun = context.await(Kind.GRANTED, clients.holder(), 0);
        for (ClientProcess client : clients.all()) {
            names.forEach(name -> context.awaitGrantOf(name, client, begun.at()));
        }

        Event killed = context.kill(clients.second());

        for (ClientProcess living : List.of(clients.holder(), clients.first())) {
            names.forEach(name -> context.awaitGrantOf(name, living, killed.at() + T.toNanos()));
        }
    }

    // unsampled holds have no held intervals, and therefore no simultaneous holders
    @FaultScenario(
            value = "S18",
            tier = Tier.ALL,
            grants = 2 * PROCESSES * SESSIONS,
            handOvers = 1,
            together = 0,
            faults = PROCESSES)
    @Variants(surfaces = REGISTRY)
    public void manySessionsThatDieAtOnceLeaveAllTheirLocksToWhoWaits(ScenarioContext context) {
        String exclusive = context.exclusive();
        ClientProcess successor = context.client("successor");
        List<ClientProcess> holders = new ArrayList<>();
        for (int process = 0; process < PROCESSES; process++) {
            holders.add(context.client("holder-of-" + process));
        }
        context.awaitReady();
        for (int process = 0; process < PROCESSES; process++) {
            holders.get(process).send("hold-sessions " + SESSIONS + " " + exclusive + "@of-" + process);
        }
        awaitCount(
                context,
                PROCESSES * SESSIONS,
                event -> event.is(Kind.GRANTED) && event.text("spec").contains("@of-"));
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

    private static boolean isOneOfMany(Event event) {
        return event.text("spec").contains("@many-");
    }

    private static long granted(ScenarioContext context, ClientProcess client) {
        return context.count(event -> event.is(Kind.GRANTED, client.name()) && isOneOfMany(event));
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

    private static void awaitCount(ScenarioContext context, int count, Predicate<Event> like) {
        Awaitility.await(count + " events")
                .atMost(LONG)
                .pollInterval(Duration.ofMillis(200))
                .until(() -> context.count(like) >= count);
    }

    /*
     * ZooKeeper deletes the nodes of a session in one transaction (PrepRequestProcessor, closeSession), which lists all
     * their paths. Servers that receive a transaction beyond jute.maxbuffer, 1 MB, cannot read it, neither from the
     * leader nor from their disks (ZOOKEEPER-4306).
     */
    @FaultScenario(value = "L24", grants = 2, ownServers = true)
    @Variants(surfaces = {REGISTRY, FUTURE})
    public void theServersOutliveAProcessWithManyLocksOfLongNames(ScenarioContext context) {
        acquireManyAndDie(context, 12_000, 160, 1_000);
    }

    @FaultScenario(value = "L24", tier = Tier.ALL, grants = 2, ownServers = true)
    @Variants(surfaces = {REGISTRY, FUTURE})
    public void theServersOutliveAProcessWithVeryManyLocks(ScenarioContext context) {
        acquireManyAndDie(context, 100_000, 8, 2_000);
    }

    private static void acquireManyAndDie(ScenarioContext context, int locks, int length, int least) {
        ClientProcess many = context.client("many", ClientOptions.withOptions(LARGE_HEAP));
        ClientProcess other = context.client("other");
        context.awaitReady();
        Event begun = context.note("many", Kind.NOTED, "locks", locks);
        many.send("acquire-many " + locks + " " + length);
        Awaitility.await("an answer to each of " + locks + " requests for a lock")
                .atMost(MINUTES)
                .until(() -> context.timeline().has(Kind.NOTED, many.name(), begun.at()));
        Event answered = context.await(Kind.NOTED, many, begun.at());
        assertThat(answered.number("granted")).as("grants among %s", answered).isGreaterThanOrEqualTo(least);
        if (answered.number("granted") < locks) {
            assertThat(answered.text("refusal")).as("the text of a rejection").matches(NUMBERS);
        }

        context.kill(many);
        awaitGone(context);
        context.heal();
        context.holdInTurn(other);
        context.hold(other);
    }

    private static void awaitGone(ScenarioContext context) {
        ScenarioContext.until("no seats of a process that was killed", Duration.ofMillis(500), () -> {
            context.ensemble().servers().forEach(ManyLocks::requireReads);
            return context.ensemble().servers().stream().anyMatch(ServerProcess::leads)
                    && context.queues().seats() == 0;
        });
        context.ensemble().servers().forEach(ManyLocks::requireReads);
    }

    private static void requireReads(ServerProcess server) {
        assertThat(Uncheck.get(() -> Files.readAllLines(server.log())))
                .filteredOn(line -> LAST_WORDS.stream().anyMatch(line::contains))
                .as("what %s cannot read", server.name())
                .isEmpty();
    }

    /** A {@code StackOverflowError} may occur at any call inside the library, and must not lose a lock. (L26) */
    @FaultScenario(value = "L26", grants = DEEP_LOCKS)
    @Variants(
            kinds = EXCLUSIVE,
            surfaces = {REGISTRY, FUTURE})
    public void callsNearTheEndOfTheStackLoseNoLock(ScenarioContext context) {
        ClientProcess deep = context.client("deep");
        ClientProcess verifier = context.client("verifier");
        context.awaitReady();
        Event begun = context.note(deep.name(), Kind.DISRUPTED, "how", "deep_stacks");
        deep.send("sweep " + DEEP_LOCKS);
        Event swept = context.await(Kind.NOTED, deep, begun.at());

        assertThat(swept.number("overflows"))
                .as("calls whose stack overflowed: %s", swept)
                .isGreaterThan(10);

        // the process whose stack overflowed can still use the locks
        for (ClientProcess client : List.of(verifier, deep)) {
            for (int lock = 0; lock < DEEP_LOCKS; lock++) {
                String call = "once 0 acquire-5000 exclusive@deep-" + lock;
                Event asked = context.send(client, call, Kind.REQUESTED);
                assertThat(context.awaitAnswer(asked).kind())
                        .as("K7: the answer to a call of %s for the free lock deep-%d", client.name(), lock)
                        .isEqualTo(Kind.GRANTED);
            }
        }
    }
}
