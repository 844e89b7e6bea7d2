package io.github.zklock.faults.scenario;

import static io.github.zklock.faults.context.Variant.Kind.EXCLUSIVE;
import static io.github.zklock.faults.context.Variant.Kind.READ_WRITE;
import static io.github.zklock.faults.context.Variant.Kind.SEMAPHORE;
import static io.github.zklock.faults.context.Variant.Policy.BOUNDED;
import static io.github.zklock.faults.context.Variant.Policy.LINGER;
import static io.github.zklock.faults.context.Variant.Policy.STRICT;
import static io.github.zklock.faults.context.Variant.Surface.FUTURE;
import static io.github.zklock.faults.context.Variant.Surface.REGISTRY;

import io.github.zklock.faults.cluster.InterceptingProxy;
import io.github.zklock.faults.context.Bystander;
import io.github.zklock.faults.context.ClientOptions;
import io.github.zklock.faults.context.ClientProcess;
import io.github.zklock.faults.context.FaultScenario;
import io.github.zklock.faults.context.FaultScenario.Tier;
import io.github.zklock.faults.context.ScenarioContext;
import io.github.zklock.faults.context.ScenarioSkippedException;
import io.github.zklock.faults.context.Variants;
import io.github.zklock.faults.timeline.Event;
import io.github.zklock.faults.timeline.Event.Kind;
import io.github.zklock.faults.timeline.LockSpec;
import io.github.zklock.faults.timeline.Stalls;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;

/**
 * Load inside one process: what one caller does must not delay the deadlines of others or cost the process its locks.
 * Each scenario has a {@link Bystander} in the loaded process. The calls of the load are counted, not reported one by
 * one. All that was affected is reported together, and the rules judge the
 * run as usual.
 */
@Variants(
        kinds = EXCLUSIVE,
        policies = BOUNDED,
        surfaces = {REGISTRY, FUTURE})
public class Overload {

    private static final ClientOptions LARGE_HEAP = ClientOptions.withOptions("-Xmx512m");
    private static final Duration LONG = Duration.ofMinutes(3);

    /** The limit of the calls of a burst, which includes the time to begin all of them. */
    private static final Duration LIMIT = Duration.ofSeconds(10);

    private static final Duration SHORT_LIMIT = Duration.ofSeconds(2);
    private static final Duration SESSION_OF_A_BURST = Duration.ofSeconds(4);
    private static final Duration LATEST = Duration.ofSeconds(2);

    private static final Duration HOLD = Duration.ofSeconds(1);
    /** Until the queue is full and its first holders have released their permits. */
    private static final Duration WARM_UP = Duration.ofSeconds(5);

    private static final Duration WINDOW = Duration.ofSeconds(8);
    private static final double LEAST_OF_POSSIBLE = 0.8;

    /** A registry forgets its answered requests each second; until then they count on the heap. */
    private static final Duration FORGOTTEN = Duration.ofSeconds(3);

    private static final int STORMING = 8;
    private static final Duration STORM = Duration.ofSeconds(8);

    private static final int STAGES = 64;
    private static final Duration WAIT = Duration.ofSeconds(1);
    private static final Duration ANSWERED = Duration.ofMillis(1_500);
    private static final Duration UNANSWERED = Duration.ofSeconds(15);
    private static final String GRANTED = "granted";
    private static final String TIMEOUT = "LockTimeoutException";
    private static final List<String> WAYS = List.of("acquire", "future", "job", "job-future");

    /**
     * The proof lapses a twelfth of it before the session expires: long enough to request the locks and to reconnect.
     */
    private static final Duration LONG_SESSION = Duration.ofSeconds(30);
    /** From the end of an outage until the proof is renewed and all requested locks are granted. */
    private static final Duration RECOVERY = LONG_SESSION.dividedBy(2).plusSeconds(5);

    private static final Duration LONGER_SESSION = Duration.ofSeconds(6);

    /** Servers that are busy with the load must not delay the proof of the other process. */
    private static final ClientOptions UNLOADED = ClientOptions.DEFAULT.withSessionTimeout(Duration.ofSeconds(10));

    private static final int ROUNDS = 4;
    private static final int SESSIONS = 4_000;
    private static final Duration LINE = Duration.ofNanos(1_500_000);
    private static final Duration OPENING = Duration.ofSeconds(8);
    private static final int LATEST_RECONNECTION_MILLIS = 12;

    @FaultScenario(value = "L32", tier = Tier.SMOKE, grants = 4, handOvers = 1, faults = 0)
    @Variants(
            kinds = {EXCLUSIVE, READ_WRITE, SEMAPHORE},
            policies = STRICT,
            surfaces = {REGISTRY, FUTURE})
    public void aSmallBurstOfLimitsDelaysNoOtherCall(ScenarioContext context) {
        burst(context, 300, SHORT_LIMIT, Duration.ZERO);
    }

    @FaultScenario(value = "L32", grants = 4, handOvers = 1, faults = 0, ownServers = true, peers = true)
    @Variants(
            kinds = {EXCLUSIVE, READ_WRITE, SEMAPHORE},
            policies = STRICT,
            surfaces = {REGISTRY, FUTURE})
    public void aBurstOfLimitsDelaysNoOtherCall(ScenarioContext context) {
        burst(context, 1_500, LIMIT, Duration.ZERO);
    }

    @FaultScenario(value = "L32", tier = Tier.ALL, grants = 4, handOvers = 1, faults = 0, ownServers = true)
    @Variants(
            kinds = {EXCLUSIVE, READ_WRITE, SEMAPHORE},
            policies = STRICT,
            surfaces = {REGISTRY, FUTURE})
    public void aLargeBurstOfLimitsDelaysNoOtherCall(ScenarioContext context) {
        burst(context, 3_000, LIMIT, Duration.ZERO);
    }

    @FaultScenario(value = "L32", tier = Tier.ALL, grants = 4, handOvers = 1, faults = 0)
    @Variants(
            kinds = {EXCLUSIVE, READ_WRITE, SEMAPHORE},
            policies = {BOUNDED, LINGER},
            surfaces = {REGISTRY, FUTURE})
    public void limitsOfAHundredThousandCallsEndInTime(ScenarioContext context) {
        burst(context, 100_000, LIMIT, Duration.ofSeconds(1));
    }

    /** Begins calls for a lock that another process holds; their limits end together, or within this time. */
    private static void burst(ScenarioContext context, int calls, Duration limit, Duration within) {
        ClientProcess loaded = context.client("loaded", LARGE_HEAP.withSessionTimeout(SESSION_OF_A_BURST));
        ClientProcess other = context.client("other", UNLOADED);
        context.awaitReady();
        Bystander bystander = Bystander.in(context, loaded, other);
        context.hold(other);

        Event begun = context.note(loaded.name(), Kind.NOTED, "calls", calls);
        loaded.send("expire %d %d %d %s".formatted(calls, limit.toMillis(), within.toMillis(), context.exclusive()));
        List<String> harm = new ArrayList<>();
        Event counted = count(context, loaded, harm, report -> answers(report) == calls);
        long stall = Stalls.on(context.timeline()).longest(begun.at(), counted.at());
        long late = counted.number("lateNanos");
        String keys = "calls timeouts other latest_answer";
        context.note(
                "burst",
                Kind.MEASURED,
                keys,
                calls,
                counted.number("timeouts"),
                counted.number("others"),
                millis(late));
        if (late > LATEST.toNanos() + stall) {
            harm.add("an answer came %s after its limit".formatted(millis(late)));
        }
        if (counted.number("timeouts") != calls) {
            harm.add("calls were not answered with a timeout: " + counted);
        }
        harm.addAll(bystander.harm(Duration.ZERO));

        context.release(other);
        acquireAfter(context, loaded, context.exclusive(), harm);
        context.letPass(FORGOTTEN);
        report(context, harm);
    }

    @FaultScenario(value = "L32", grants = 4, handOvers = 1, faults = 0)
    @Variants(
            policies = {BOUNDED, STRICT},
            surfaces = {REGISTRY, FUTURE})
    public void requestsThatAreCancelledWithoutAPauseDelayNoOtherCall(ScenarioContext context) {
        storm(context, "cancel", LockSpec.USUAL_LOCK);
    }

    @FaultScenario(value = "L32", grants = 4, handOvers = 1, faults = 0)
    @Variants(
            policies = {BOUNDED, STRICT},
            surfaces = {REGISTRY, FUTURE})
    public void attemptsWithoutAPauseDelayNoOtherCall(ScenarioContext context) {
        storm(context, "attempt", context.exclusive());
    }

    /** Threads that request a lock of another process and give up, as fast as they can. */
    private static void storm(ScenarioContext context, String how, String what) {
        ClientProcess loaded = context.client("loaded", LARGE_HEAP.withSessionTimeout(LONGER_SESSION));
        ClientProcess other = context.client("other", UNLOADED);
        context.awaitReady();
        Bystander bystander = Bystander.in(context, loaded, other);
        context.hold(other);

        loaded.send("%s %d %d %s".formatted(how, STORMING, STORM.toMillis(), what));
        List<String> harm = new ArrayList<>();
        Event counted = count(
                context,
                loaded,
                harm,
                report -> report.number("storming") == 0 && report.number("open") == 0 && report.number("storms") > 0);
        context.note(
                "storm",
                Kind.MEASURED,
                "how calls timeouts other",
                how,
                counted.number("storms"),
                counted.number("timeouts"),
                counted.number("others"));
        if (counted.number("others") > 0) {
            harm.add("calls were not answered with a timeout: " + counted);
        }
        harm.addAll(bystander.harm(Duration.ZERO));

        context.release(other);
        acquireAfter(context, loaded, context.exclusive(), harm);
        report(context, harm);
    }

    @FaultScenario(value = "L34", grants = 2, faults = 0)
    @Variants(
            kinds = SEMAPHORE,
            policies = {BOUNDED, STRICT},
            surfaces = {REGISTRY, FUTURE})
    public void tenPermitsAreUsed(ScenarioContext context) {
        permits(context, 10);
    }

    @FaultScenario(value = "L34", tier = Tier.ALL, grants = 2, faults = 0)
    @Variants(
            kinds = SEMAPHORE,
            policies = {BOUNDED, STRICT},
            surfaces = {REGISTRY, FUTURE})
    public void aHundredPermitsAreUsed(ScenarioContext context) {
        permits(context, 100);
    }

    @FaultScenario(value = "L34", tier = Tier.ALL, grants = 2, faults = 0, ownServers = true, peers = true)
    @Variants(
            kinds = SEMAPHORE,
            policies = {BOUNDED, STRICT},
            surfaces = {REGISTRY, FUTURE})
    public void threeHundredPermitsAreUsed(ScenarioContext context) {
        permits(context, 300);
    }

    @FaultScenario(value = "L34", grants = 2, faults = 0, ownServers = true)
    @Variants(
            kinds = SEMAPHORE,
            policies = {BOUNDED, STRICT},
            surfaces = {REGISTRY, FUTURE})
    public void aThousandPermitsAreUsed(ScenarioContext context) {
        permits(context, 1_000);
    }

    /** Two processes, each with half as many tasks more than there are permits. */
    private static void permits(ScenarioContext context, int permits) {
        if (context.variant().engine().equals("spring-integration")) {
            throw new ScenarioSkippedException("Spring Integration has no semaphores");
        }
        ClientProcess loaded = context.client("loaded", LARGE_HEAP);
        ClientProcess second = context.client("second", LARGE_HEAP);
        ClientProcess idle = context.client("idle", UNLOADED);
        context.awaitReady();
        Bystander bystander = Bystander.in(context, loaded, idle);

        List<ClientProcess> both = List.of(loaded, second);
        String spec = "permits-1-of-%d@pool".formatted(permits);
        both.forEach(process -> process.send("repeat %d %d %s".formatted(permits * 3 / 2, HOLD.toMillis(), spec)));
        loaded.send("loop 1 50 " + Bystander.LIMITED + " " + spec);
        context.letPass(WARM_UP);
        List<Event> from =
                both.stream().map(process -> report(context, process)).toList();
        context.letPass(WINDOW);
        List<Event> until =
                both.stream().map(process -> report(context, process)).toList();
        both.forEach(process -> process.send("end-repeat"));

        List<String> harm = new ArrayList<>();
        both.forEach(process -> count(context, process, harm, report -> report.number("open") == 0));
        double rate = rate(from.get(0), until.get(0)) + rate(from.get(1), until.get(1));
        double possible = permits / (HOLD.toMillis() / 1e3);
        context.note("permits", Kind.MEASURED, "permits grants", permits, "%.0f/s".formatted(rate));
        if (rate < LEAST_OF_POSSIBLE * possible) {
            harm.add("%.0f grants/s of %.0f".formatted(rate, possible));
        }
        // all permits may be granted once more within the window
        if (rate > possible * (1 + 1.0 * HOLD.toMillis() / WINDOW.toMillis())) {
            harm.add("K1: %.0f grants/s, more than the permits allow".formatted(rate));
        }
        harm.addAll(bystander.harm(Duration.ZERO));
        report(context, harm);
    }

    private static double rate(Event from, Event until) {
        return (until.number("granted") - from.number("granted")) * 1e9 / (until.at() - from.at());
    }

    @FaultScenario(value = "L35", tier = Tier.SMOKE, grants = 2, faults = 0)
    public void blockedCallbacksDelayNoTimedCall(ScenarioContext context) {
        ClientProcess loaded = context.client("loaded");
        ClientProcess other = context.client("other", UNLOADED);
        context.awaitReady();
        Bystander bystander = Bystander.in(context, loaded, other);

        context.note(loaded.name(), Kind.COUNTED, "locks", "stage-");
        context.note(loaded.name(), Kind.COUNTED, "locks", "free-");
        Event begun = context.note(loaded.name(), Kind.NOTED, "stages", STAGES);
        loaded.send("block " + STAGES);
        Event blocked = context.await(
                "blocked stages",
                begun.at(),
                event -> event.is(Kind.NOTED, loaded.name()) && event.fields().containsKey("blocked"));
        loaded.send("call %d %s".formatted(WAIT.toMillis(), Bystander.BUSY));

        List<String> harm = new ArrayList<>();
        List<String> calls = Stream.of("free", "held")
                .flatMap(what -> WAYS.stream().map(way -> what + "-" + way))
                .toList();
        awaitUntil("an answer to each call", UNANSWERED, () -> answered(context, blocked) == calls.size(), harm);
        for (String call : calls) {
            context.timeline().events(Kind.NOTED).stream()
                    .filter(event -> call.equals(event.fields().get("call")))
                    .findFirst()
                    .ifPresentOrElse(
                            answer -> check(context, call, answer, harm),
                            () -> harm.add(call + " was not answered within " + UNANSWERED));
        }
        context.note(
                "blocked",
                Kind.MEASURED,
                "stages blocked unanswered_calls",
                STAGES,
                blocked.number("blocked"),
                calls.size() - answered(context, blocked));
        harm.addAll(bystander.harm(Duration.ZERO));
        report(context, harm);
    }

    private static long answered(ScenarioContext context, Event blocked) {
        return context.count(event -> event.is(Kind.NOTED)
                && event.at() > blocked.at()
                && event.fields().containsKey("call"));
    }

    private static void check(ScenarioContext context, String call, Event answer, List<String> harm) {
        long took = answer.number("nanos");
        long stall = Stalls.on(context.timeline()).longest(answer.at() - took, answer.at());
        if (!answer.text("outcome").contains(call.startsWith("free") ? GRANTED : TIMEOUT)) {
            harm.add("%s was answered with %s".formatted(call, answer.text("outcome")));
        } else if (took > ANSWERED.toNanos() + stall) {
            harm.add("%s was answered after %s".formatted(call, millis(took)));
        }
    }

    @FaultScenario(value = "L33", grants = 3, ownServers = true, peers = true)
    public void locksRequestedInALapseCostNone(ScenarioContext context) {
        lapse(context, 1_500);
    }

    @FaultScenario(value = "L33", tier = Tier.ALL, grants = 3, ownServers = true)
    public void manyLocksRequestedInALapseCostNone(ScenarioContext context) {
        lapse(context, 4_000);
    }

    /** The process is cut off for so long that the proof of its session lapses, but the session does not expire. */
    private static void lapse(ScenarioContext context, int locks) {
        InterceptingProxy proxy = context.proxy("loaded", context.ensemble().servers());
        ClientOptions options = LARGE_HEAP.withSessionTimeout(LONG_SESSION);
        ClientProcess loaded = context.client("loaded", proxy.connectString(), options);
        ClientProcess other = context.client("other", UNLOADED);
        context.awaitReady();
        Bystander bystander = Bystander.in(context, loaded, other);

        context.note(loaded.name(), Kind.COUNTED, "locks", "each-");
        proxy.refuseConnections();
        proxy.cut();
        Event cut = context.note(ScenarioContext.proxyOf(loaded.name()), Kind.CUT);
        context.awaitHeld(loaded, false, cut.at());
        loaded.send("each %d exclusive@each".formatted(locks));
        // the answer to the next command: all locks are requested
        report(context, loaded);
        proxy.heal();
        Event healed = context.note(ScenarioContext.proxyOf(loaded.name()), Kind.HEALED);
        List<String> harm = new ArrayList<>();
        Event counted = count(context, loaded, harm, report -> answers(report) == locks);
        long took = counted.number("lastGrantAt") - healed.at();
        long stall = Stalls.on(context.timeline()).longest(healed.at(), counted.at());
        context.note("lapse", Kind.MEASURED, "locks grants last_grant", locks, counted.number("granted"), millis(took));
        if (counted.number("granted") != locks) {
            harm.add("calls were not granted: " + counted);
        }
        if (took > RECOVERY.toNanos() + stall) {
            harm.add("the last lock was granted %s after the outage".formatted(millis(took)));
        }
        Duration outage = Duration.ofNanos(healed.at() - cut.at());
        harm.addAll(bystander.harm(outage.plus(RECOVERY)));
        acquireAfter(context, loaded, "exclusive", harm);
        report(context, harm);
    }

    /**
     * The leader writes a line for each session that expires. If its log is slow, the bucket takes seconds to close, and
     * no other thread of the leader notices it. (M34)
     */
    @FaultScenario(value = "M34", grants = 6, handOvers = 4, losses = 1, ownServers = true, peers = true)
    @Variants(surfaces = {REGISTRY, FUTURE})
    public void aSlowLogOfTheLeaderDoesNotMakeTwoHolders(ScenarioContext context) throws InterruptedException {
        ExpiredBucket bucket = ExpiredBucket.of(context, LONGER_SESSION, SESSIONS, OPENING, LINE);
        ClientProcess idle = context.client("idle", UNLOADED);
        context.awaitReady();
        Bystander bystander = Bystander.in(context, bucket.other(), idle);
        int deceptive = 0;
        for (int round = 0; round < ROUNDS; round++) {
            int delay = 1 + context.random().nextInt(LATEST_RECONNECTION_MILLIS);
            deceptive += bucket.round(round, delay).isDeceptive() ? 1 : 0;
        }
        context.note("slow-log", Kind.MEASURED, "rounds sessions_confirmed_and_closed", ROUNDS, deceptive);
        List<String> harm = bystander.harm(Duration.ZERO);
        if (deceptive == 0) {
            throw new AssertionError(
                    "Inconclusive: in %d rounds, the leader confirmed no session that it closed nevertheless"
                            .formatted(ROUNDS));
        }
        context.hold(bucket.holder());
        report(context, harm);
    }

    /** Asks a process for its numbers until they are as wanted, or for long; returns the last ones. */
    private static Event count(
            ScenarioContext context, ClientProcess process, List<String> harm, Predicate<Event> wanted) {
        List<Event> reports = new ArrayList<>();
        awaitUntil(
                "all answers",
                LONG,
                () -> {
                    reports.add(report(context, process));
                    return wanted.test(reports.get(reports.size() - 1));
                },
                harm);
        return reports.get(reports.size() - 1);
    }

    private static Event report(ScenarioContext context, ClientProcess process) {
        long now = System.nanoTime();
        process.send("report");
        return context.await(
                "a report of " + process.name(),
                now,
                event -> event.is(Kind.NOTED, process.name()) && event.fields().containsKey("open"));
    }

    private static long answers(Event report) {
        return report.number("released") + report.number("timeouts") + report.number("others");
    }

    /** Requires that the process can still acquire a free lock. */
    private static void acquireAfter(ScenarioContext context, ClientProcess loaded, String spec, List<String> harm) {
        long now = System.nanoTime();
        loaded.send("once 0 acquire-5000 " + spec);
        Event asked = context.await(
                "the last call",
                now,
                event -> event.is(Kind.REQUESTED, loaded.name())
                        && event.text("call").startsWith("acquire-5000"));
        Event answer = context.await(
                "an answer to the last call",
                asked.at(),
                event -> event.source().equals(loaded.name())
                        && event.kind().isAnswer()
                        && asked.text("callNumber").equals(event.fields().get("callNumber")));
        if (!answer.is(Kind.GRANTED)) {
            harm.add("a call for a free lock afterwards was answered with " + answer);
        }
    }

    private static void awaitUntil(String what, Duration limit, Callable<Boolean> condition, List<String> harm) {
        try {
            Awaitility.await(what)
                    .atMost(limit)
                    .pollInterval(Duration.ofMillis(200))
                    .until(condition);
        } catch (ConditionTimeoutException e) {
            harm.add("not within %s: %s".formatted(limit, what));
        }
    }

    private static void report(ScenarioContext context, List<String> harm) {
        harm.forEach(what -> context.note("load", Kind.HARMED, "what", what));
    }

    private static String millis(long nanos) {
        return nanos / 1_000_000 + " ms";
    }
}
