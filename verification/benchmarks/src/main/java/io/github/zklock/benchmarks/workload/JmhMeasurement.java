package io.github.zklock.benchmarks.workload;

import io.github.zklock.benchmarks.load.Figure;
import io.github.zklock.benchmarks.load.Figures;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/** One JMH benchmark method, in a JVM of its own in each round. */
final class JmhMeasurement implements Measurement {

    private static final int ITERATIONS = 5;
    private static final TimeValue WARMING = TimeValue.milliseconds(500);
    private static final String ALLOCATED = "gc.alloc.rate.norm";

    private final String method;
    private final Map<String, String> parameters;

    JmhMeasurement(Class<?> benchmark, String method, Map<String, String> parameters) {
        this.method = benchmark.getName() + "." + method + "$";
        this.parameters = parameters;
    }

    @Override
    public void warm(WarmUp warmUp) {
        // JMH warms up by itself
    }

    @Override
    public Figures run(Duration time) throws RunnerException {
        TimeValue each =
                TimeValue.milliseconds(Math.max(time.dividedBy(ITERATIONS).toMillis(), 1));
        var builder = new OptionsBuilder()
                .include(method)
                .forks(1)
                .warmupIterations(ITERATIONS)
                .warmupTime(WARMING)
                .measurementIterations(ITERATIONS)
                .measurementTime(each)
                .addProfiler(GCProfiler.class)
                .shouldFailOnError(true)
                .verbosity(VerboseMode.SILENT);
        parameters.forEach(builder::param);
        RunResult result = new Runner(builder.build()).runSingle();
        Result<?> allocated =
                Objects.requireNonNull(result.getSecondaryResults().get(ALLOCATED), ALLOCATED);
        return Figures.of(Figure.NANOS, result.getPrimaryResult().getScore())
                .and(Figure.ALLOCATED, allocated.getScore());
    }
}
