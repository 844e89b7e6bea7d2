package io.github.zklock.benchmarks.workload;

import io.github.zklock.benchmarks.load.Figures;
import java.time.Duration;

/** Somebody who can be measured, round after round. */
public interface Measurement extends AutoCloseable {

    /** Whatever is not to be measured. */
    void prepare() throws Exception;

    /** Does what will be measured, until it may be. */
    default void warm(WarmUp warmUp) throws Exception {
        warmUp.run(this);
    }

    /**
     * Works while it is measured.
     *
     * @param time that it is to take, if it is not the time that is measured
     */
    Figures run(Duration time) throws Exception;
}
