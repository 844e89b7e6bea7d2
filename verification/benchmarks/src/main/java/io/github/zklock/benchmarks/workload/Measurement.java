package io.github.zklock.benchmarks.workload;

import io.github.zklock.benchmarks.load.Figures;
import java.time.Duration;

/** One measured entry of a workload, round after round. */
public interface Measurement extends AutoCloseable {

    /** Does what is not measured. */
    default void prepare() throws Exception {}

    /** Runs what will be measured, until it is warm. */
    default void warm(WarmUp warmUp) throws Exception {
        warmUp.run(this);
    }

    /**
     * Runs once more, after the others were warmed up, if that matters: a process that was idle meanwhile compiles some
     * code again.
     *
     * @param time of a round
     */
    default void settle(Duration time) throws Exception {}

    /**
     * Runs one round.
     *
     * @param time its duration, unless the duration is what is measured
     */
    Figures run(Duration time) throws Exception;

    @Override
    default void close() throws Exception {}
}
