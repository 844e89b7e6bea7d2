package io.github.zklock.benchmarks.workload;

import io.github.zklock.benchmarks.cluster.Cluster;
import io.github.zklock.benchmarks.cluster.RedisServer;
import java.nio.file.Path;
import java.util.Optional;

/**
 * What measurements share.
 *
 * @param redis empty if not installed
 * @param folder for logs
 */
public record MeasurementContext(Cluster cluster, Optional<RedisServer> redis, Path folder) {}
