package io.github.zklock.benchmarks.workload;

import io.github.zklock.benchmarks.contender.Election;
import io.github.zklock.benchmarks.load.Figures;
import io.github.zklock.benchmarks.micro.HeldBenchmark;
import io.github.zklock.benchmarks.micro.InterceptorBenchmark;
import io.github.zklock.benchmarks.micro.NestedBenchmark;
import io.github.zklock.benchmarks.micro.OncePerBenchmark;
import io.github.zklock.benchmarks.micro.RetakenBenchmark;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Workloads within one process. */
final class LocalWorkloads {

    private static final List<String> MICRO = List.of(Figures.NANOS, Figures.ALLOCATED);
    private static final String CLOCK = "nanoTime() and compare";

    private static final Duration COLD = Duration.ofSeconds(3);

    private LocalWorkloads() {}

    static Workload startUp() {
        return Workload.of(
                "start-up",
                "Start of an application of Spring Boot",
                "What does the starter add?",
                List.of(
                        new Entry("with the starter", true, context -> new StartUp(context, true)),
                        new Entry("without it", false, context -> new StartUp(context, false))),
                List.of(Figures.MILLIS));
    }

    static Workload held() {
        return Workload.of(
                        "is-held",
                        "isHeld()",
                        "What does it cost to ask before each write?",
                        List.of(
                                micro("isHeld()", true, HeldBenchmark.class, "isHeld"),
                                micro(CLOCK, false, HeldBenchmark.class, "clock")),
                        MICRO)
                .inFewRounds()
                .withGoals(
                        Goal.atMostTimes(1.3, Figures.NANOS, "isHeld()", CLOCK),
                        Goal.atMost(0.1, Figures.ALLOCATED, "isHeld()"));
    }

    static Workload retakenWithoutServers() {
        return Workload.of(
                        "retaken-alone",
                        "A lock that lingers, from turn to turn",
                        "What is left if no turn has to ask a server?",
                        List.of(
                                micro("lock() and unlock()", true, RetakenBenchmark.class, "lockAndUnlock"),
                                micro("acquire() and close()", true, RetakenBenchmark.class, "acquireAndClose"),
                                micro("entered again", true, RetakenBenchmark.class, "enterAgain"),
                                micro(
                                        "only the check of the stack, twice in a turn",
                                        true,
                                        RetakenBenchmark.class,
                                        "stackCheck"),
                                micro("handed on, 2 threads", true, RetakenBenchmark.class, "handedOn")),
                        MICRO)
                .inFewRounds()
                .withGoals(
                        Goal.atMost(300, Figures.NANOS, "lock() and unlock()"),
                        Goal.atMost(300, Figures.ALLOCATED, "lock() and unlock()"),
                        Goal.atMost(150, Figures.NANOS, "entered again"));
    }

    static Workload annotation() {
        return Workload.of(
                        "annotation",
                        "@DistributedLock on a lock in memory",
                        "What does the annotation add to its lock?",
                        List.of(
                                annotation("without annotation", false, "bare", false),
                                annotation("a name", true, "literal", false),
                                annotation("a name with an argument", true, "template", false),
                                annotation("without annotation, entered again", false, "bare", true),
                                annotation("a proxy without our advice, entered again", false, "proxied", true),
                                annotation("a name, entered again", true, "literal", true),
                                annotation("a name with an argument, entered again", true, "template", true)),
                        MICRO)
                .inFewRounds();
    }

    static Workload nested() {
        return Workload.of(
                        "nested",
                        "A lock that lingers, under another lock",
                        "What does it cost to observe the order of nested locks?",
                        List.of(
                                micro("order observed", true, NestedBenchmark.class, "observed"),
                                micro("order not observed", true, NestedBenchmark.class, "notObserved")),
                        MICRO)
                .inFewRounds();
    }

    static Workload oncePer() {
        return Workload.of(
                        "once-per",
                        "A job that is not due",
                        "What does a call cost that finds that the job has run in its window?",
                        List.of(
                                micro("a call that is skipped", true, OncePerBenchmark.class, "skip"),
                                micro("a write to the same server", false, OncePerBenchmark.class, "write")),
                        MICRO)
                .inFewRounds();
    }

    static Workload leaderKill() {
        return Workload.of(
                        "leader-kill",
                        "A leader that is killed, session timeout %d s".formatted(LeaderKill.SESSION.toSeconds()),
                        "How long has a service no leader?",
                        Stream.of(Election.values())
                                .map(election -> new Entry(
                                        election.label(),
                                        election == Election.LEADERSHIP,
                                        context -> new LeaderKill(context, election)))
                                .toList(),
                        List.of(Figures.MILLIS))
                .inFewRounds();
    }

    private static Entry annotation(String label, boolean isOurs, String method, boolean nested) {
        Map<String, String> parameters = Map.of("nested", Boolean.toString(nested));
        return new Entry(
                label,
                isOurs,
                context -> new JmhMeasurement(
                        InterceptorBenchmark.class, method, parameters, context.options(method, COLD)));
    }

    private static Entry micro(String label, boolean isOurs, Class<?> benchmark, String method) {
        return new Entry(
                label,
                isOurs,
                context -> new JmhMeasurement(benchmark, method, Map.of(), context.options(method, COLD)));
    }
}
