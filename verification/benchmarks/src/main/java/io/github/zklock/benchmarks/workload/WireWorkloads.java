package io.github.zklock.benchmarks.workload;

import static io.github.zklock.benchmarks.contender.Contenders.BOUNDED;
import static io.github.zklock.benchmarks.contender.Contenders.CREATE_AND_DELETE;
import static io.github.zklock.benchmarks.contender.Contenders.CURATOR;
import static io.github.zklock.benchmarks.contender.Contenders.POLLED;
import static io.github.zklock.benchmarks.contender.Contenders.SPRING_INTEGRATION;
import static io.github.zklock.benchmarks.contender.Contenders.STRICT;
import static io.github.zklock.benchmarks.contender.Contenders.WATCHED;

import io.github.zklock.benchmarks.contender.Contenders;
import io.github.zklock.benchmarks.load.Figures;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Workloads that measure network traffic. */
final class WireWorkloads {

    private static final List<String> COUNTED =
            List.of(Figures.RATE, Figures.MEDIAN, Figures.REQUESTS, Figures.EVENTS, Figures.BYTES);
    private static final List<String> LINED =
            List.of(Figures.BYTES, Figures.REQUESTS, Figures.EVENTS, Figures.MOST_EVENTS, Figures.MEDIAN);

    /** From this length on, the listing of a queue is worth avoiding. */
    private static final int LONG = 1_000;

    private static final int PROCESSES = 5;
    private static final int MILLIS_AWAY = 5;
    private static final Duration DELAY = Duration.ofMillis(MILLIS_AWAY);
    private static final String ONE_NODE = "create + delete of one node, no lock";

    private WireWorkloads() {}

    static Workload freeFar() {
        return Workload.of(
                        "free-" + MILLIS_AWAY + "-ms",
                        "A free lock, servers " + MILLIS_AWAY + " ms away",
                        "How many round trips does a lock take?",
                        LoadSpec.of("turns threads=1 claim=one")
                                .through(DELAY)
                                .entries(BOUNDED, CURATOR, SPRING_INTEGRATION, CREATE_AND_DELETE),
                        COUNTED)
                // a single create takes one round trip and the time of the servers
                .withGoals(Goal.atMostTimes(1.1, Figures.MEDIAN, BOUNDED.label(), CREATE_AND_DELETE.label()))
                .inFewRounds()
                .withColdCode();
    }

    static Workload ownFar(int threads) {
        return Workload.of(
                        "own-" + threads + "-" + MILLIS_AWAY + "-ms",
                        threads + " threads, each with a lock of its own, servers " + MILLIS_AWAY + " ms away",
                        "Do requests that share a transaction wait for each other?",
                        LoadSpec.of("turns claim=own threads=" + threads)
                                .through(DELAY)
                                .entries(BOUNDED, CURATOR, CREATE_AND_DELETE),
                        COUNTED)
                .withGoals(
                        Goal.atMostTimes(1.1, Figures.MEDIAN, BOUNDED.label(), CREATE_AND_DELETE.label()),
                        Goal.atLeastTimes(threads > 8 ? 2.5 : 2.3, Figures.RATE, BOUNDED.label(), CURATOR.label()))
                .inFewRounds()
                .withColdCode();
    }

    static Workload allOfFar() {
        LoadSpec all = LoadSpec.of("turns threads=1 claim=all-of-20").through(DELAY);
        LoadSpec one = LoadSpec.of("turns threads=1 claim=one").through(DELAY);
        return Workload.of(
                        "all-of-20-" + MILLIS_AWAY + "-ms",
                        "20 locks at once, servers " + MILLIS_AWAY + " ms away",
                        "How many round trips do several locks take?",
                        List.of(all.entry(BOUNDED), all.entry(CURATOR), one.entry(CREATE_AND_DELETE, ONE_NODE)),
                        COUNTED)
                .withGoals(
                        Goal.atMostTimes(1.1, Figures.MEDIAN, BOUNDED.label(), ONE_NODE),
                        Goal.atLeastTimes(15, Figures.RATE, BOUNDED.label(), CURATOR.label()))
                .inFewRounds()
                .withColdCode();
    }

    /** Every turn goes to another process. */
    static Workload places() {
        return Workload.of(
                        "places",
                        "10 processes with 16 threads each on one lock, through a proxy that counts",
                        "What goes over the wire for a turn in strict order?",
                        LoadSpec.of("turns threads=16 claim=one")
                                .times(10)
                                .through(Duration.ZERO)
                                .entries(STRICT, CURATOR),
                        COUNTED)
                .withGoals(Goal.atMostTimes(0.2, Figures.BYTES, STRICT.label(), CURATOR.label()))
                .inFewRounds()
                .withColdCode();
    }

    static Workload contendedFar() {
        return Workload.of(
                        "one-process-" + MILLIS_AWAY + "-ms",
                        "16 threads of one process on one lock, servers " + MILLIS_AWAY + " ms away",
                        "What goes over the wire for each turn?",
                        LoadSpec.of("turns threads=16 claim=one")
                                .through(DELAY)
                                .entries(BOUNDED, STRICT, CURATOR, SPRING_INTEGRATION, POLLED, WATCHED),
                        COUNTED)
                .inFewRounds()
                .withColdCode();
    }

    static Workload queue(int waiters) {
        List<Contenders> systems = new ArrayList<>(List.of(BOUNDED, CURATOR));
        if (waiters < LONG) {
            // needs a session for each waiter, too many for a long queue
            systems.add(WATCHED);
        }
        Workload queue = Workload.of(
                        "line-" + waiters,
                        "A queue of %,d".formatted(waiters),
                        "What goes over the wire between a release and the next grant?",
                        systems.stream()
                                .map(system -> LoadSpec.queue(system, waiters))
                                .toList(),
                        LINED)
                .inFewRounds()
                .withColdCode();
        List<Goal> goals = new ArrayList<>();
        goals.add(Goal.atLeast(1, Figures.LEAST_EVENTS, BOUNDED.label()));
        goals.add(Goal.atMost(1, Figures.MOST_EVENTS, BOUNDED.label()));
        if (waiters >= LONG) {
            goals.add(Goal.atMostTimes(0.1, Figures.BYTES, BOUNDED.label(), CURATOR.label()));
        }
        return queue.withGoals(goals.toArray(Goal[]::new));
    }

    /** As many threads as the longest queue has waiters, in few processes, as in services. */
    static Workload threads(int waiters) {
        Workload threads = Workload.of(
                        "threads-" + waiters,
                        "%,d threads of %d processes on one lock".formatted(waiters, PROCESSES),
                        "What goes over the wire for a turn if most waiters are threads of the same processes?",
                        LoadSpec.of("turns claim=one threads=" + waiters / PROCESSES)
                                .times(PROCESSES)
                                .through(Duration.ZERO)
                                .entries(BOUNDED, CURATOR),
                        COUNTED)
                .inFewRounds()
                .withColdCode();
        return waiters < LONG
                ? threads
                : threads.withGoals(Goal.atMostTimes(0.1, Figures.BYTES, BOUNDED.label(), CURATOR.label()));
    }

    static Workload holds(int locks) {
        return Workload.of(
                        "holds-" + locks,
                        locks + (locks == 1 ? " lock" : " locks") + " held by one process",
                        "What do locks cost that are only held?",
                        LoadSpec.of("holds locks=" + locks)
                                .through(Duration.ZERO)
                                .entries(BOUNDED, CURATOR),
                        List.of(
                                Figures.REQUESTS_PER_SECOND,
                                Figures.PINGS_PER_SECOND,
                                Figures.BYTES_PER_SECOND,
                                Figures.CPU))
                .once();
    }
}
