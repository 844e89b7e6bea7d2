package io.github.zklock.benchmarks.workload;

import io.github.zklock.benchmarks.cluster.Cluster;
import io.github.zklock.benchmarks.cluster.RedisServer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * What players find.
 *
 * @param redis if there is one
 * @param folder for their logs
 * @param recorded whether it is recorded where they spend their time
 */
public record MeasurementContext(Cluster cluster, Optional<RedisServer> redis, Path folder, boolean recorded) {

    /** What is added to the name of a process by its recording. */
    public static final String RECORDING = ".jfr";

    /**
     * What a JVM is told beside all else.
     *
     * @param cold for how long it is not recorded, as its code is being compiled
     */
    List<String> options(String process, Duration cold) {
        return recorded
                ? List.of(
                        "-XX:StartFlightRecording=settings=profile,delay=%ds,filename=%s"
                                .formatted(cold.toSeconds(), folder.resolve(process + RECORDING)),
                        // it would say so where answers are read
                        "-Xlog:jfr+startup=error")
                : List.of();
    }
}
