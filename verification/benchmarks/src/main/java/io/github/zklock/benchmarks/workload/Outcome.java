package io.github.zklock.benchmarks.workload;

import io.github.zklock.benchmarks.load.Figure;
import io.github.zklock.benchmarks.load.Figures;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.function.DoubleBinaryOperator;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/** The figures of all entries of a workload, round by round. */
public final class Outcome {

    private final Workload workload;
    private final Map<String, List<Figures>> rounds = new LinkedHashMap<>();

    public Outcome(Workload workload) {
        this.workload = workload;
    }

    public Workload workload() {
        return workload;
    }

    public void add(String label, Figures figures) {
        rounds.computeIfAbsent(label, first -> new ArrayList<>()).add(figures);
    }

    public boolean isMeasured() {
        return !rounds.isEmpty();
    }

    /** Returns the figures of one entry; empty if it was not measured. */
    public List<Figures> of(String label) {
        return List.copyOf(rounds.getOrDefault(label, List.of()));
    }

    /**
     * Returns the value for all rounds: their median, or the least or largest value for figures that are a least or
     * largest value.
     */
    public OptionalDouble overall(String label, Figure figure) {
        return switch (figure) {
            case LEAST_EVENTS -> least(label, figure);
            case MOST_EVENTS, SEATS -> most(label, figure);
            default -> median(values(label, figure));
        };
    }

    public OptionalDouble least(String label, Figure figure) {
        return values(label, figure).min();
    }

    public OptionalDouble most(String label, Figure figure) {
        return values(label, figure).max();
    }

    /** Compares two entries in the same rounds. */
    public OptionalDouble compare(String label, String versus, Figure figure, DoubleBinaryOperator comparison) {
        List<Figures> ones = of(label);
        List<Figures> others = of(versus);
        return median(IntStream.range(0, Math.min(ones.size(), others.size()))
                .mapToDouble(round -> comparison.applyAsDouble(
                        ones.get(round).get(figure), others.get(round).get(figure))));
    }

    private DoubleStream values(String label, Figure figure) {
        return of(label).stream().filter(figures -> figures.has(figure)).mapToDouble(figures -> figures.get(figure));
    }

    /** Returns the median: the mean of the two middle values if their number is even. */
    static OptionalDouble median(DoubleStream values) {
        double[] sorted = values.sorted().toArray();
        if (sorted.length == 0) {
            return OptionalDouble.empty();
        }
        int middle = sorted.length / 2;
        return OptionalDouble.of(sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2);
    }
}
