package io.github.zklock.benchmarks.workload;

import io.github.zklock.benchmarks.load.Figure;
import io.github.zklock.benchmarks.load.Figures;
import java.time.Duration;

/**
 * How long to warm up a measurement: until it gets no faster and its processes hardly compile any more. With several
 * processes on one lock, the code of each runs rarely, and their compilers need the processors that are measured: the
 * rate alone stays the same for a while before it rises.
 *
 * @param slice the duration of one run
 * @param idleSlices the number of consecutive runs without gain and with little compilation
 * @param most the largest number of runs
 */
public record WarmUp(Duration slice, int idleSlices, int most) {

    /** Smaller differences between runs are noise. */
    private static final double GAIN = 1.05;

    /** Milliseconds of compilation per second and process that hardly affect a measurement. */
    private static final double LITTLE = 50;

    /** Returns the warm-up of measurements that hardly depend on compiled code. */
    WarmUp untilFirstIdleSlice() {
        return new WarmUp(slice, 1, most);
    }

    /** Warms up a measurement. One without a rate has no gain after its first run. */
    void run(Measurement measurement) throws Exception {
        double best = 0;
        int idle = 0;
        for (int slices = 0; slices < most && idle < idleSlices; slices++) {
            measurement.prepare();
            Figures figures = measurement.run(slice);
            double rate = figures.has(Figure.RATE) ? figures.get(Figure.RATE) : 0;
            if (rate > GAIN * best) {
                best = rate;
                idle = 0;
            } else if (isCompiling(figures)) {
                idle = 0;
            } else {
                idle++;
            }
        }
    }

    private static boolean isCompiling(Figures figures) {
        return figures.has(Figure.COMPILING) && figures.get(Figure.COMPILING) > LITTLE;
    }
}
