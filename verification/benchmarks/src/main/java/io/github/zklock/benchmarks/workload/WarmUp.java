package io.github.zklock.benchmarks.workload;

import io.github.zklock.benchmarks.load.Figures;
import java.time.Duration;

/**
 * How long somebody works before he is measured: until he becomes no faster. A JVM compiles what it does often, and of several
 * processes that share a lock each does it more rarely.
 *
 * @param slice after which it is seen how fast he is by now
 * @param idleSlices for so many slices in a row he must have gained nothing
 * @param most slices, after which he is measured however much he still gains
 */
public record WarmUp(Duration slice, int idleSlices, int most) {

    /** Less differs from slice to slice by itself. */
    private static final double GAIN = 1.05;

    public WarmUp {
        if (idleSlices < 1 || most < 1) {
            throw new IllegalArgumentException(
                    "A warm-up of at most " + most + " slices, with patience for " + idleSlices);
        }
    }

    /** For what is the same for cold code, or nearly so. */
    WarmUp untilFirstIdleSlice() {
        return new WarmUp(slice, 1, most);
    }

    /** Who tells no rate gains nothing that would be seen. */
    void run(Measurement measurement) throws Exception {
        double best = 0;
        int idle = 0;
        for (int slices = 0; slices < most && idle < idleSlices; slices++) {
            measurement.prepare();
            Figures figures = measurement.run(slice);
            double rate = figures.has(Figures.RATE) ? figures.get(Figures.RATE) : 0;
            if (rate > GAIN * best) {
                best = rate;
                idle = 0;
            } else {
                idle++;
            }
        }
    }
}
