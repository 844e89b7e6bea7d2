package io.github.zklock.benchmarks.workload;

import java.util.List;

/**
 * How large those workloads are that no time bounds, and how many there are of a kind.
 *
 * @param names that are used once
 * @param first locks of a process
 * @param crowd of virtual threads
 * @param lines how many wait
 * @param holds how many locks are held
 * @param delays how many milliseconds away the servers are
 * @param turns how many a seat serves
 * @param times for how many milliseconds a seat serves
 */
public record Size(
        int names,
        int first,
        int crowd,
        List<Integer> lines,
        List<Integer> holds,
        List<Integer> delays,
        List<Integer> turns,
        List<Integer> times) {

    public static final Size SMALL =
            new Size(4_000, 500, 10_000, List.of(100), List.of(100), List.of(5), List.of(32, 1_024), List.of(50));
    public static final Size FULL = new Size(
            100_000,
            2_000,
            100_000,
            List.of(1, 10, 100, 1_000),
            List.of(1, 100, 10_000),
            List.of(1, 5),
            List.of(1, 32, 128, 1_024, 4_096),
            List.of(10, 50, 200, 1_000));
}
