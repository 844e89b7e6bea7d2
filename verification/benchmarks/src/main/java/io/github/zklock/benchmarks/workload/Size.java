package io.github.zklock.benchmarks.workload;

import java.util.List;

/**
 * How large those workloads are that no time bounds.
 *
 * @param names that are used once
 * @param crowd of virtual threads
 * @param lines how many wait
 * @param holds how many locks are held
 */
public record Size(int names, int crowd, List<Integer> lines, List<Integer> holds) {

    public static final Size SMALL = new Size(10_000, 10_000, List.of(1, 100), List.of(100));
    public static final Size FULL = new Size(100_000, 100_000, List.of(1, 10, 100, 1_000), List.of(1, 100, 10_000));
}
