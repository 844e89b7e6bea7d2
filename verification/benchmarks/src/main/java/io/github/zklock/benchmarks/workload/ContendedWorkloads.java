package io.github.zklock.benchmarks.workload;

import static io.github.zklock.benchmarks.contender.Contenders.ASYNC;
import static io.github.zklock.benchmarks.contender.Contenders.BOUNDED;
import static io.github.zklock.benchmarks.contender.Contenders.CURATOR;
import static io.github.zklock.benchmarks.contender.Contenders.CURATOR_BEHIND;
import static io.github.zklock.benchmarks.contender.Contenders.FAIR_JDK;
import static io.github.zklock.benchmarks.contender.Contenders.POLLED;
import static io.github.zklock.benchmarks.contender.Contenders.REDISSON;
import static io.github.zklock.benchmarks.contender.Contenders.SHEDLOCK;
import static io.github.zklock.benchmarks.contender.Contenders.SPRING_INTEGRATION;
import static io.github.zklock.benchmarks.contender.Contenders.STRICT;
import static io.github.zklock.benchmarks.contender.Contenders.WATCHED;

import io.github.zklock.benchmarks.load.Figures;
import java.util.List;
import java.util.stream.Stream;

/** Workloads with contention. */
final class ContendedWorkloads {

    private static final List<String> TURNS =
            List.of(Figures.RATE, Figures.MEDIAN, Figures.P99, Figures.TAIL, Figures.CPU_EACH, Figures.CPU_SERVERS);
    private static final List<String> CROWDED = List.of(
            Figures.RATE,
            Figures.LEAST_SHARE,
            Figures.MOST_SHARE,
            Figures.MEDIAN,
            Figures.P99,
            Figures.TAIL,
            Figures.CPU_EACH,
            Figures.CPU_SERVERS);

    private ContendedWorkloads() {}

    static Workload oneProcess(boolean redis) {
        return Workload.of(
                        "one-process",
                        "16 threads of one process on one lock",
                        "How often does a lock change hands within a process?",
                        LoadSpec.of("turns threads=16 claim=one")
                                .entries(
                                        redis,
                                        BOUNDED,
                                        STRICT,
                                        ASYNC,
                                        CURATOR,
                                        CURATOR_BEHIND,
                                        SPRING_INTEGRATION,
                                        REDISSON,
                                        POLLED,
                                        WATCHED,
                                        FAIR_JDK),
                        TURNS)
                .withGoals(
                        Goal.atLeastTimes(5, Figures.RATE, STRICT.label(), CURATOR.label()),
                        Goal.atLeastTimes(1, Figures.RATE, BOUNDED.label(), FAIR_JDK.label()),
                        Goal.atMost(20, Figures.TAIL, BOUNDED.label()));
    }

    static Workload threeProcesses() {
        return Workload.of(
                        "three-processes",
                        "3 processes with 16 threads each on one lock",
                        "How often does a lock change hands, and does each process get its share?",
                        LoadSpec.of("turns threads=16 claim=one")
                                .times(3)
                                .entries(BOUNDED, STRICT, CURATOR, CURATOR_BEHIND, SPRING_INTEGRATION),
                        CROWDED)
                .withGoals(
                        Goal.atLeastTimes(5, Figures.RATE, STRICT.label(), CURATOR.label()),
                        Goal.atLeastTimes(150, Figures.RATE, BOUNDED.label(), CURATOR.label()),
                        Goal.atLeast(0.8, Figures.LEAST_SHARE, BOUNDED.label()),
                        Goal.atMost(1.2, Figures.MOST_SHARE, BOUNDED.label()),
                        Goal.atLeast(0.8, Figures.LEAST_SHARE, STRICT.label()),
                        Goal.atMost(1.2, Figures.MOST_SHARE, STRICT.label()));
    }

    static Workload tenProcesses() {
        return Workload.of(
                        "ten-processes",
                        "10 processes with 4 threads each on one lock",
                        "What does strict order cost among many processes?",
                        LoadSpec.of("turns threads=4 claim=one").times(10).entries(BOUNDED, STRICT, CURATOR),
                        CROWDED)
                .withGoals(Goal.atLeastTimes(3, Figures.RATE, STRICT.label(), CURATOR.label()));
    }

    static Workload turns(List<Integer> turns) {
        LoadSpec load = LoadSpec.of("turns threads=16 claim=one").times(3);
        return Workload.of(
                        "turns",
                        "3 processes with 16 threads each, by the turns after which a seat looks for others",
                        "How rarely does a process have to look whether others wait, and how long do they wait for it?",
                        turns.stream().map(load::withTurns).toList(),
                        CROWDED)
                .inFewRounds();
    }

    static Workload times(List<Integer> millis) {
        LoadSpec load = LoadSpec.of("turns threads=4 claim=one work=2").times(3);
        return Workload.of(
                        "times",
                        "3 processes with 4 threads each that work for 2 ms, by the time that a seat serves",
                        "If it is not turns that bound a seat: what is gained by a longer time, and how long do others wait?",
                        Stream.concat(millis.stream().map(load::withMillis), Stream.of(load.entry(STRICT)))
                                .toList(),
                        CROWDED)
                .inFewRounds();
    }

    /** Shorter than the time of a seat: work of most services. */
    static Workload held(int millis) {
        return Workload.of(
                        "held-%d-ms".formatted(millis),
                        "3 processes with 4 threads each that hold one lock for %d ms".formatted(millis),
                        "What does the order of the queue cost if the work under the lock takes time?",
                        LoadSpec.of("turns threads=4 claim=one work=" + millis)
                                .times(3)
                                .entries(BOUNDED, STRICT, CURATOR, CURATOR_BEHIND),
                        CROWDED)
                .inFewRounds();
    }

    static Workload tries() {
        return Workload.of(
                        "tries",
                        "A try for a lock that another client has",
                        "How soon does a try end if the lock is held?",
                        LoadSpec.of("tries").entries(BOUNDED, CURATOR, SPRING_INTEGRATION, SHEDLOCK),
                        TURNS)
                .withGoals(Goal.atLeastTimes(3, Figures.RATE, BOUNDED.label(), CURATOR.label()));
    }

    static Workload readMostly() {
        return Workload.of(
                        "read-mostly",
                        "16 threads that read, and write every twentieth time",
                        "What is gained by readers that hold the lock together?",
                        LoadSpec.of("turns threads=16 claim=read-mostly").entries(BOUNDED, STRICT, CURATOR),
                        TURNS)
                .withGoals(Goal.atLeastTimes(20, Figures.RATE, BOUNDED.label(), CURATOR.label()));
    }

    static Workload permits() {
        return Workload.of(
                "permits",
                "64 threads on a semaphore of 8",
                "How often do permits change hands?",
                LoadSpec.of("turns threads=64 claim=permits-8").entries(BOUNDED, STRICT, CURATOR),
                TURNS);
    }

    static Workload permitsOfProcesses() {
        return Workload.of(
                        "permits-of-three",
                        "3 processes with 16 threads each on a semaphore of 8",
                        "How often do permits change hands between processes?",
                        LoadSpec.of("turns threads=16 claim=permits-8").times(3).entries(BOUNDED, STRICT, CURATOR),
                        TURNS)
                .withGoals(Goal.atLeastTimes(5, Figures.RATE, STRICT.label(), CURATOR.label()));
    }
}
