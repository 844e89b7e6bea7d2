package io.github.zklock.benchmarks.workload;

import io.github.zklock.benchmarks.load.Figures;
import java.time.Duration;
import java.util.concurrent.Callable;

/** A process that starts anew in each round, so that its code is not compiled yet. */
record FreshProcess(Callable<Measurement> start) implements Measurement {

    /** Runs once, so that its files are cached. */
    @Override
    public void warm(WarmUp warmUp) throws Exception {
        run(warmUp.slice());
    }

    @Override
    public Figures run(Duration time) throws Exception {
        try (Measurement fresh = start.call()) {
            return fresh.run(time);
        }
    }
}
