package io.github.zklock.benchmarks.load;

import java.time.Duration;

/** What one process does to one system's locks, round after round. */
interface Load extends AutoCloseable {

    /** Whatever is not to be measured. */
    default void prepare() throws Exception {}

    /**
     * One round.
     *
     * @param time that it is to take, if it is for the load to say
     */
    Figures run(Duration time) throws Exception;

    /** Leaves nothing to do for the servers while others are measured. */
    default void rest() throws Exception {}

    @Override
    default void close() throws Exception {}
}
