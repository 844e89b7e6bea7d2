package io.github.zklock.benchmarks.workload;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.zklock.benchmarks.load.Figure;
import io.github.zklock.benchmarks.load.Figures;
import io.github.zklock.benchmarks.micro.RegistryBenchmark;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("processes") // JMH starts a JVM
class JmhMeasurementTest {

    @Test
    void timeAndAllocationOfACallAreMeasured() throws Exception {
        Map<String, String> parameters = Map.of("name", "/outer", "order", "WARN");

        Figures figures = new JmhMeasurement(RegistryBenchmark.class, "nested", parameters).run(Duration.ofMillis(500));

        assertThat(figures.get(Figure.NANOS)).isPositive();
        // on a busy machine few calls share what the JVM itself allocates
        assertThat(figures.get(Figure.ALLOCATED)).isBetween(100.0, 100_000.0);
    }
}
