package io.github.zklock.benchmarks.workload;

import java.util.List;

/**
 * The sizes of workloads without a fixed duration, and the variants of some workloads.
 *
 * @param names names that are used once
 * @param first first locks of a process
 * @param crowd waiting virtual threads
 * @param waiters numbers of waiters in strict order, a small and a large one
 * @param lines queue lengths
 * @param holds numbers of held locks
 * @param turns numbers of turns of a seat
 * @param times times of a seat in milliseconds
 */
public record Size(
        int names,
        int first,
        int crowd,
        List<Integer> waiters,
        List<Integer> lines,
        List<Integer> holds,
        List<Integer> turns,
        List<Integer> times) {

    public static final Size SMALL = new Size(
            4_000, 500, 10_000, List.of(100, 1_000), List.of(100), List.of(100), List.of(32, 1_024), List.of(50));
    public static final Size FULL = new Size(
            100_000,
            2_000,
            100_000,
            List.of(1_000, 16_000),
            List.of(1, 10, 100, 1_000),
            List.of(1, 100, 10_000),
            List.of(1, 32, 1_024, 4_096),
            List.of(10, 50, 200));
}
