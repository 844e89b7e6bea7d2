package io.github.zklock.benchmarks.workload;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.benchmarks.cluster.Cluster;
import io.github.zklock.benchmarks.contender.Contenders;
import io.github.zklock.benchmarks.load.Figure;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Hand-overs in short queues on real servers. */
@Tag("processes") // three servers and three clients
class HandOversTest {

    private static final int WAITERS = 3;
    private static final Duration BRIEF = Duration.ofMillis(1);

    @Test
    void eachSystemIsCountedByItself(@TempDir Path folder) throws Exception {
        Outcome outcome;
        try (Cluster cluster = new Cluster(folder, false)) {
            MeasurementContext context = new MeasurementContext(cluster, Optional.empty(), folder);
            PrintStream silence = new PrintStream(OutputStream.nullOutputStream());
            outcome = new Rounds(context, new WarmUp(BRIEF, 1, 1), 1, BRIEF, silence)
                    .measure(Workloads.queue(WAITERS, Contenders.BOUNDED, Contenders.CURATOR, Contenders.WATCHED));
        }

        assertThat(outcome.overall("zk-lock, bounded", Figure.EVENTS)).hasValue(1);
        assertThat(outcome.overall("Curator", Figure.EVENTS)).hasValue(1);
        assertThat(outcome.overall("one node, watched", Figure.EVENTS)).hasValue(WAITERS);
        assertThat(outcome.workload().entries()).allSatisfy(entry -> {
            assertThat(outcome.least(entry.label(), Figure.COUNT).orElseThrow()).isPositive();
            assertThat(outcome.least(entry.label(), Figure.REQUESTS).orElseThrow())
                    .isPositive();
            assertThat(outcome.least(entry.label(), Figure.BYTES).orElseThrow()).isGreaterThan(100);
        });
    }
}
