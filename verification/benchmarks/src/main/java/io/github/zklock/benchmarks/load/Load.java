package io.github.zklock.benchmarks.load;

import java.time.Duration;

/** What one process does with the locks of one system, round after round. */
interface Load extends AutoCloseable {

    /** Does what is not measured. */
    default void prepare() throws Exception {}

    /**
     * Runs one round.
     *
     * @param time its duration, unless the load determines it
     */
    Figures run(Duration time) throws Exception;

    /** Leaves the servers without work while other systems are measured. */
    default void rest() throws Exception {}

    @Override
    default void close() throws Exception {}
}
