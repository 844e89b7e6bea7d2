package io.github.zklock.benchmarks.workload;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.benchmarks.cluster.Cluster;
import io.github.zklock.benchmarks.load.Figures;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Hand-overs in short queues on real servers. */
class HandOversTest {

    private static final int WAITERS = 3;
    private static final Duration BRIEF = Duration.ofMillis(1);

    @Test
    void eachSystemIsCountedByItself(@TempDir Path folder) throws Exception {
        Outcome outcome;
        try (Cluster cluster = new Cluster(folder)) {
            MeasurementContext context = new MeasurementContext(cluster, Optional.empty(), folder, false);
            PrintStream silence = new PrintStream(OutputStream.nullOutputStream());
            outcome = new Rounds(context, new WarmUp(BRIEF, 1, 1), 1, BRIEF, silence)
                    .measure(WireWorkloads.queue(WAITERS));
        }

        assertThat(outcome.median("zk-lock, bounded", Figures.EVENTS)).hasValue(1);
        assertThat(outcome.median("Curator", Figures.EVENTS)).hasValue(1);
        assertThat(outcome.median("one node, watched", Figures.EVENTS)).hasValue(WAITERS);
        assertThat(outcome.workload().entries()).allSatisfy(entry -> {
            assertThat(outcome.least(entry.label(), Figures.COUNT).orElseThrow())
                    .isPositive();
            assertThat(outcome.least(entry.label(), Figures.REQUESTS).orElseThrow())
                    .isPositive();
            assertThat(outcome.least(entry.label(), Figures.BYTES).orElseThrow())
                    .isGreaterThan(100);
        });
    }
}
