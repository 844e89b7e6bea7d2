package io.github.zklock.benchmarks.workload;

import io.github.zklock.benchmarks.load.Figures;
import java.time.Duration;

/** Somebody who can be measured, round after round. */
public interface Player extends AutoCloseable {

    /** Whatever is not to be measured. */
    void prepare() throws Exception;

    /** Does for so long what will be measured: a JVM compiles what it does often. */
    default void warm(Duration time) throws Exception {
        prepare();
        run(time);
    }

    /**
     * Works while it is measured.
     *
     * @param time that it is to take, if it is not the time that is measured
     */
    Figures run(Duration time) throws Exception;
}
