package io.github.zklock.benchmarks.workload;

import io.github.zklock.benchmarks.cluster.Cluster;
import io.github.zklock.benchmarks.cluster.Redis;
import java.nio.file.Path;
import java.util.Optional;

/**
 * What players find.
 *
 * @param redis if there is one
 * @param folder for their logs
 */
public record Setting(Cluster cluster, Optional<Redis> redis, Path folder) {}
