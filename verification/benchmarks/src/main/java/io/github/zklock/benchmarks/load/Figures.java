package io.github.zklock.benchmarks.load;

import static java.util.stream.Collectors.joining;

import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The figures that one process, or several together, measured in one round. */
public record Figures(Map<Figure, Double> values) {

    public Figures {
        values = Map.copyOf(values);
    }

    public static Figures of(Figure figure, double value) {
        return new Figures(Map.of(figure, value));
    }

    /** Returns these figures and one more. */
    public Figures and(Figure figure, double value) {
        Map<Figure, Double> all = new TreeMap<>(values);
        all.put(figure, value);
        return new Figures(all);
    }

    /** Parses what {@link #toString()} returned. */
    public static Figures parse(String text) {
        Map<Figure, Double> values = new TreeMap<>();
        Arguments.parse(List.of(text.split(" ", -1)))
                .values()
                .forEach((name, value) -> values.put(Figure.valueOf(name), Double.valueOf(value)));
        return new Figures(values);
    }

    /** Combines the figures of simultaneous processes: adds the rates, and takes the worst of all others. */
    public static Figures together(List<Figures> all) {
        if (all.size() == 1) {
            return all.get(0);
        }
        Map<Figure, Double> values = new TreeMap<>();
        all.forEach(one -> one.values.forEach((figure, value) -> values.merge(
                figure, value, figure == Figure.RATE || figure == Figure.COUNT ? Double::sum : Double::max)));
        DoubleSummaryStatistics rates =
                all.stream().mapToDouble(one -> one.get(Figure.RATE)).summaryStatistics();
        return new Figures(values)
                .and(Figure.LEAST_SHARE, rates.getMin() / rates.getAverage())
                .and(Figure.MOST_SHARE, rates.getMax() / rates.getAverage());
    }

    public double get(Figure figure) {
        Double value = values.get(figure);
        if (value == null) {
            throw new IllegalArgumentException("No " + figure + " in " + this);
        }
        return value;
    }

    public boolean has(Figure figure) {
        return values.containsKey(figure);
    }

    @Override
    public String toString() {
        return new TreeMap<>(values)
                .entrySet().stream()
                        .map(entry -> entry.getKey() + "=" + entry.getValue())
                        .collect(joining(" "));
    }
}
