package io.github.zklock.benchmarks.workload;

import static io.github.zklock.benchmarks.contender.Contenders.BOUNDED;
import static io.github.zklock.benchmarks.contender.Contenders.CURATOR;
import static io.github.zklock.benchmarks.contender.Contenders.JDK;
import static io.github.zklock.benchmarks.contender.Contenders.STRICT;

import io.github.zklock.benchmarks.contender.Contenders;
import io.github.zklock.benchmarks.load.Figures;
import io.github.zklock.faults.cluster.Jdk;
import java.util.List;
import java.util.Optional;

/** Workloads with very many names or waiters. */
final class LargeWorkloads {

    /** The first Java version with virtual threads. */
    private static final int VIRTUAL = 21;

    private LargeWorkloads() {}

    static Workload names(int count) {
        return Workload.of(
                        "names",
                        "%,d names that are used once".formatted(count),
                        "What is left of a lock that no process uses any more?",
                        List.of(names(BOUNDED, count), names(CURATOR, count)),
                        List.of(
                                Figures.LEFT,
                                Figures.RATE,
                                Figures.HEAP_BEFORE,
                                Figures.HEAP_AFTER,
                                Figures.HEAP_GROWTH,
                                Figures.SERVER_BEFORE,
                                Figures.SERVER_AFTER))
                .withGoals(
                        Goal.atLeastTimes(2, Figures.RATE, BOUNDED.label(), CURATOR.label()),
                        Goal.atMost(1.05, Figures.HEAP_GROWTH, BOUNDED.label()),
                        Goal.atMost(0, Figures.LEFT, BOUNDED.label()))
                .once();
    }

    private static Entry names(Contenders system, int count) {
        Entry group = LoadSpec.of("names names=" + count).entry(system);
        return new Entry(
                group.label(),
                group.isOurs(),
                context -> new WithServerHeap(group.factory().open(context), context.cluster()));
    }

    /** Empty without a JDK that has virtual threads. */
    static Optional<Workload> waiters(int few, int many) {
        String fewer = "%,d waiters".formatted(few);
        String more = "%,d waiters".formatted(many);
        return virtual()
                .map(jdk -> Workload.of(
                                "waiters",
                                "From %,d to %,d virtual threads in strict order, Java %s".formatted(few, many, jdk),
                                "Does a turn cost more if more threads wait?",
                                List.of(
                                        LoadSpec.of("virtual look=0 threads=" + few)
                                                .on(jdk)
                                                .entry(STRICT, fewer),
                                        LoadSpec.of("virtual look=0 threads=" + many)
                                                .on(jdk)
                                                .entry(STRICT, more)),
                                List.of(Figures.RATE, Figures.BYTES_FOR_EACH, Figures.DRAIN_SECONDS))
                        .withGoals(Goal.atLeastTimes(1 / 1.5, Figures.RATE, more, fewer))
                        .inFewRounds()
                        .withColdCode());
    }

    private static Optional<Jdk> virtual() {
        return Jdk.all().stream().filter(jdk -> jdk.feature() >= VIRTUAL).findFirst();
    }

    /** Empty without a JDK that has virtual threads. */
    static Optional<Workload> crowd(int size) {
        return virtual()
                .map(jdk -> Workload.of(
                                "crowd",
                                "%,d virtual threads that wait for one lock, Java %s".formatted(size, jdk),
                                "What does it cost to wait?",
                                LoadSpec.of("virtual threads=" + size).on(jdk).entries(BOUNDED, JDK),
                                List.of(Figures.BYTES_FOR_EACH, Figures.SEATS, Figures.DRAIN_SECONDS))
                        .withGoals(
                                Goal.atMost(1, Figures.SEATS, BOUNDED.label()),
                                Goal.atMost(10, Figures.DRAIN_SECONDS, BOUNDED.label()),
                                Goal.atMostMore(256, Figures.BYTES_FOR_EACH, BOUNDED.label(), JDK.label()))
                        .inFewRounds()
                        .withColdCode());
    }
}
