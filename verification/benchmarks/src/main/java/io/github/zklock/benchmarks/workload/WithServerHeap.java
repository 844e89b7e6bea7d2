package io.github.zklock.benchmarks.workload;

import io.github.zklock.benchmarks.cluster.Cluster;
import io.github.zklock.benchmarks.load.Figures;
import java.time.Duration;
import java.util.Map;

/** A measurement that also reads the heap use of the servers before and after. */
final class WithServerHeap implements Measurement {

    private final Measurement measurement;
    private final Cluster cluster;
    private long before;

    WithServerHeap(Measurement measurement, Cluster cluster) {
        this.measurement = measurement;
        this.cluster = cluster;
    }

    @Override
    public void prepare() throws Exception {
        measurement.prepare();
        before = cluster.heap();
    }

    @Override
    public Figures run(Duration time) throws Exception {
        return measurement.run(time).and(Map.of(Figures.SERVER_BEFORE, (double) before, Figures.SERVER_AFTER, (double)
                cluster.heap()));
    }

    @Override
    public void close() throws Exception {
        measurement.close();
    }
}
