package io.github.zklock.benchmarks.workload;

/**
 * One of those who are compared.
 *
 * @param label as tables and charts have it
 */
public record Entry(String label, boolean isOurs, Factory factory) {

    /** Brings the player. */
    @FunctionalInterface
    public interface Factory {

        Measurement open(MeasurementContext context) throws Exception;
    }
}
