package io.github.zklock.benchmarks.workload;

import io.github.zklock.benchmarks.load.Figures;
import java.time.Duration;
import java.util.concurrent.Callable;

/** A process that is started anew in each round, so that its code is not compiled yet. */
final class FreshProcess implements Measurement {

    private final Callable<Measurement> start;

    FreshProcess(Callable<Measurement> start) {
        this.start = start;
    }

    @Override
    public void prepare() {
        // each starts with nothing
    }

    /** Once, so that its files have been read before. */
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

    @Override
    public void close() {
        // each round ends what it began
    }
}
