package io.github.zklock.benchmarks.workload;

import io.github.zklock.benchmarks.cluster.Cluster;
import io.github.zklock.benchmarks.cluster.RedisServer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * What measurements share.
 *
 * @param redis empty if not installed
 * @param folder for logs
 * @param recorded whether flight recordings are made
 */
public record MeasurementContext(Cluster cluster, Optional<RedisServer> redis, Path folder, boolean recorded) {

    /** The suffix of a recording's file name. */
    public static final String RECORDING = ".jfr";

    /**
     * Returns further JVM options of a process.
     *
     * @param cold the time without recording, while code is compiled
     */
    List<String> options(String process, Duration cold) {
        return recorded
                ? List.of(
                        "-XX:StartFlightRecording=settings=profile,delay=%ds,filename=%s"
                                .formatted(cold.toSeconds(), folder.resolve(process + RECORDING)),
                        // the message would appear among the answers
                        "-Xlog:jfr+startup=error")
                : List.of();
    }
}
