package io.github.zklock.benchmarks.workload;

/**
 * One of those who are compared.
 *
 * @param label as tables and charts have it
 */
public record Entry(String label, boolean isOurs, Opening opening) {

    /** Brings the player. */
    @FunctionalInterface
    public interface Opening {

        Player open(Setting setting) throws Exception;
    }
}
