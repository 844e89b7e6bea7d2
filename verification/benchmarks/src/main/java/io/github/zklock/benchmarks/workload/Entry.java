package io.github.zklock.benchmarks.workload;

/**
 * A system or variant in the comparison of a workload.
 *
 * @param label its name in tables and charts
 */
public record Entry(String label, Factory factory) {

    /** Creates the measurement. */
    @FunctionalInterface
    public interface Factory {

        Measurement open(MeasurementContext context) throws Exception;
    }
}
