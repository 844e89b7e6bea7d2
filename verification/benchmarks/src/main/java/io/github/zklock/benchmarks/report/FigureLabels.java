package io.github.zklock.benchmarks.report;

import io.github.zklock.benchmarks.load.Figures;
import java.util.Map;

/** The labels of figures in tables and charts. */
final class FigureLabels {

    private static final Map<String, String> HEADINGS = Map.ofEntries(
            Map.entry(Figures.RATE, "per second"),
            Map.entry(Figures.LEAST_SHARE, "least share of a process"),
            Map.entry(Figures.MOST_SHARE, "greatest share"),
            Map.entry(Figures.MEDIAN, "median, µs"),
            Map.entry(Figures.P99, "99 %, µs"),
            Map.entry(Figures.P999, "99.9 %, µs"),
            Map.entry(Figures.TAIL, "99.9 % / median"),
            Map.entry(Figures.REQUESTS, "requests each"),
            Map.entry(Figures.EVENTS, "watch events each"),
            Map.entry(Figures.BYTES, "bytes each"),
            Map.entry(Figures.MOST_EVENTS, "watch events at most"),
            Map.entry(Figures.LEAST_EVENTS, "watch events at least"),
            Map.entry(Figures.REQUESTS_PER_SECOND, "requests per second"),
            Map.entry(Figures.PINGS_PER_SECOND, "pings per second"),
            Map.entry(Figures.BYTES_PER_SECOND, "bytes per second"),
            Map.entry(Figures.CPU_EACH, "CPU each, µs"),
            Map.entry(Figures.CPU_SERVERS, "of it the servers', µs"),
            Map.entry(Figures.CPU_CLIENTS, "clients' CPU, µs"),
            Map.entry(Figures.CPU, "CPU, ms per second"),
            Map.entry(Figures.LEFT, "nodes left"),
            Map.entry(Figures.HEAP_BEFORE, "heap before, bytes"),
            Map.entry(Figures.HEAP_AFTER, "heap after, bytes"),
            Map.entry(Figures.HEAP_GROWTH, "heap after / before"),
            Map.entry(Figures.SERVER_BEFORE, "a server's heap before, bytes"),
            Map.entry(Figures.SERVER_AFTER, "a server's heap after, bytes"),
            Map.entry(Figures.BYTES_FOR_EACH, "heap for each, bytes"),
            Map.entry(Figures.SEATS, "seats at the servers"),
            Map.entry(Figures.DRAIN_SECONDS, "all had it after, s"),
            Map.entry(Figures.MILLIS, "ms"),
            Map.entry(Figures.NANOS, "ns"),
            Map.entry(Figures.ALLOCATED, "bytes allocated"));

    private FigureLabels() {}

    static String heading(String figure) {
        return HEADINGS.getOrDefault(figure, figure);
    }

    /** Returns whether more is better; of most figures, less is better. */
    static boolean isMoreBetter(String figure) {
        return figure.equals(Figures.RATE);
    }
}
