package io.github.zklock.benchmarks.workload;

import java.util.List;

/**
 * How large those workloads are that no time bounds, and how many there are of a kind.
 *
 * @param names that are used once
 * @param crowd of virtual threads
 * @param lines how many wait
 * @param holds how many locks are held
 * @param delays how many milliseconds away the servers are
 * @param turns how many a seat serves
 */
public record Size(
        int names, int crowd, List<Integer> lines, List<Integer> holds, List<Integer> delays, List<Integer> turns) {

    public static final Size SMALL =
            new Size(10_000, 10_000, List.of(1, 100), List.of(100), List.of(5), List.of(1, 32));
    public static final Size FULL = new Size(
            100_000,
            100_000,
            List.of(1, 10, 100, 1_000),
            List.of(1, 100, 10_000),
            List.of(1, 5),
            List.of(1, 4, 16, 32, 64, 256, 1024));
}
