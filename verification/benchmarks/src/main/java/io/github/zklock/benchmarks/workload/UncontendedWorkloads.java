package io.github.zklock.benchmarks.workload;

import static io.github.zklock.benchmarks.contender.Contenders.ASYNC;
import static io.github.zklock.benchmarks.contender.Contenders.BOUNDED;
import static io.github.zklock.benchmarks.contender.Contenders.CREATE_AND_DELETE;
import static io.github.zklock.benchmarks.contender.Contenders.CURATOR;
import static io.github.zklock.benchmarks.contender.Contenders.LINGER;
import static io.github.zklock.benchmarks.contender.Contenders.REDISSON;
import static io.github.zklock.benchmarks.contender.Contenders.SHEDLOCK;
import static io.github.zklock.benchmarks.contender.Contenders.SPRING_INTEGRATION;

import io.github.zklock.benchmarks.load.Figures;
import java.util.List;

/** Workloads without contention. */
final class UncontendedWorkloads {

    private static final List<String> TURNS =
            List.of(Figures.RATE, Figures.MEDIAN, Figures.P99, Figures.TAIL, Figures.CPU_EACH, Figures.CPU_SERVERS);

    private UncontendedWorkloads() {}

    static Workload free(boolean redis) {
        return Workload.of(
                        "free",
                        "A free lock, one thread",
                        "How long does a lock take that no other process requests?",
                        LoadSpec.of("turns threads=1 claim=one")
                                .entries(
                                        redis,
                                        BOUNDED,
                                        ASYNC,
                                        CURATOR,
                                        SPRING_INTEGRATION,
                                        SHEDLOCK,
                                        REDISSON,
                                        CREATE_AND_DELETE),
                        TURNS)
                .withGoals(
                        Goal.atLeastTimes(1.6, Figures.RATE, BOUNDED.label(), CURATOR.label()),
                        Goal.atLeastTimes(1.2, Figures.RATE, BOUNDED.label(), CREATE_AND_DELETE.label()));
    }

    static Workload cold(int locks) {
        return cold("cold", "as fast as possible", "first locks=" + locks, locks)
                .withGoals(
                        Goal.atLeastTimes(1.2, Figures.RATE, BOUNDED.label(), CURATOR.label()),
                        Goal.atMostTimes(1, Figures.CPU_CLIENTS, BOUNDED.label(), CURATOR.label()));
    }

    static Workload coldAndRare(int locks) {
        return cold("cold-rare", "50 a second", "first rate=50 locks=" + locks, locks)
                .withGoals(Goal.atMostTimes(1, Figures.CPU_CLIENTS, BOUNDED.label(), CURATOR.label()));
    }

    private static Workload cold(String id, String how, String load, int locks) {
        return Workload.of(
                        id,
                        "The first %,d locks of a process, one thread, %s".formatted(locks, how),
                        "What does a lock cost before its code is compiled?",
                        LoadSpec.fresh(load, BOUNDED, CURATOR),
                        List.of(Figures.RATE, Figures.MEDIAN, Figures.P99, Figures.CPU_CLIENTS, Figures.CPU_SERVERS))
                .inFewRounds();
    }

    static Workload retaken() {
        return Workload.of(
                "retaken",
                "A lock that lingers, taken again by the same process",
                "What does the second turn cost if no other process has requested the lock meanwhile?",
                LoadSpec.of("turns threads=1 claim=one").entries(LINGER, CURATOR),
                TURNS);
    }

    static Workload own() {
        return own(64).withGoals(
                        Goal.atLeastTimes(5, Figures.RATE, BOUNDED.label(), CURATOR.label()),
                        Goal.atLeastTimes(3, Figures.RATE, BOUNDED.label(), CREATE_AND_DELETE.label()),
                        Goal.atMostTimes(0.2, Figures.CPU_SERVERS, BOUNDED.label(), CURATOR.label()));
    }

    static Workload ownByFew() {
        return own(8).withGoals(Goal.atLeastTimes(2.5, Figures.RATE, BOUNDED.label(), CURATOR.label()));
    }

    static Workload ownByMany() {
        return own(256).withGoals(Goal.atLeastTimes(6, Figures.RATE, BOUNDED.label(), CURATOR.label()));
    }

    private static Workload own(int threads) {
        return Workload.of(
                "own-" + threads,
                threads + " threads, each with a lock of its own",
                "How many locks can a process acquire, if no lock is contended?",
                LoadSpec.of("turns claim=own threads=" + threads)
                        .entries(BOUNDED, CURATOR, SPRING_INTEGRATION, CREATE_AND_DELETE),
                TURNS);
    }

    static Workload allOf(int locks, double goal) {
        return Workload.of(
                        "all-of-" + locks,
                        locks + " locks at once, one thread",
                        "What do several locks cost that are acquired together?",
                        LoadSpec.of("turns threads=1 claim=all-of-" + locks)
                                .entries(BOUNDED, CURATOR, CREATE_AND_DELETE),
                        TURNS)
                .withGoals(Goal.atLeastTimes(goal, Figures.RATE, BOUNDED.label(), CURATOR.label()));
    }
}
