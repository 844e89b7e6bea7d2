package io.github.zklock.benchmarks.load;

import static java.util.stream.Collectors.joining;

import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** The figures that one process, or several together, measured in one round, by name. */
public record Figures(Map<String, Double> values) {

    /** Turns, tries or names per second. */
    public static final String RATE = "rate";

    /** The median wait, in microseconds. */
    public static final String MEDIAN = "p50";

    public static final String P99 = "p99";
    public static final String P999 = "p99.9";

    /** The 99.9th percentile of the waits, divided by the median. */
    public static final String TAIL = "tail";

    /** The lowest rate of a process, divided by the average of all. */
    public static final String LEAST_SHARE = "share.least";

    /** The highest rate of a process, divided by the average of all. */
    public static final String MOST_SHARE = "share.most";

    /** Requests for each turn; the same for events and bytes. */
    public static final String REQUESTS = "requests";

    public static final String EVENTS = "events";
    public static final String BYTES = "bytes";

    /** The number of events of the hand-over with most, and of that with least. */
    public static final String MOST_EVENTS = "events.most";

    public static final String LEAST_EVENTS = "events.least";

    /** CPU time for each turn in microseconds, of clients and servers together. */
    public static final String CPU_EACH = "cpu.each";

    /** The servers' part. */
    public static final String CPU_SERVERS = "cpu.servers";

    /** The clients' part. */
    public static final String CPU_CLIENTS = "cpu.clients";

    /** The time that the process spent compiling, in milliseconds per second. */
    public static final String COMPILING = "compiling";

    /** Requests per second while locks are only held; the same for pings and bytes. */
    public static final String REQUESTS_PER_SECOND = "requests.second";

    public static final String PINGS_PER_SECOND = "pings.second";
    public static final String BYTES_PER_SECOND = "bytes.second";

    /** CPU time of the process in milliseconds per second. */
    public static final String CPU = "cpu.second";

    /** The duration of the measured operation, and of a measurement whose duration is fixed. */
    public static final String NANOS = "nanos";

    public static final String SECONDS = "seconds";

    /** Nodes that are left after all names were used. */
    public static final String LEFT = "left";

    /** Heap use before and after, in bytes, and the ratio. */
    public static final String HEAP_BEFORE = "heap.before";

    public static final String HEAP_AFTER = "heap.after";
    public static final String HEAP_GROWTH = "heap";

    /** The same of the server that uses most. */
    public static final String SERVER_BEFORE = "server.before";

    public static final String SERVER_AFTER = "server.after";

    /** Of many waiters: heap for each, largest number of seats, and time until all have had their turn. */
    public static final String BYTES_FOR_EACH = "bytes.each";

    public static final String SEATS = "seats";
    public static final String DRAIN_SECONDS = "drain.seconds";

    /** Bytes allocated by each call. */
    public static final String ALLOCATED = "allocated";

    public static final String MILLIS = "millis";

    /** The number of turns, tries or hand-overs that were measured. */
    public static final String COUNT = "count";

    public Figures {
        values = Map.copyOf(values);
    }

    /** Parses what {@link #toString()} returned. */
    public static Figures parse(String text) {
        Map<String, Double> values = new TreeMap<>();
        for (String pair : text.split(" ", -1)) {
            int equals = pair.indexOf('=');
            if (equals < 1) {
                throw new IllegalArgumentException("'" + pair + "' in '" + text + "' is no name=value");
            }
            values.put(pair.substring(0, equals), Double.valueOf(pair.substring(equals + 1)));
        }
        return new Figures(values);
    }

    /** Combines the figures of simultaneous processes: adds the rates, and takes the worst of all others. */
    public static Figures together(List<Figures> all) {
        if (all.size() == 1) {
            return all.get(0);
        }
        Map<String, Double> values = new TreeMap<>();
        for (Figures one : all) {
            one.values.forEach((name, value) ->
                    values.merge(name, value, name.equals(RATE) || name.equals(COUNT) ? Double::sum : Double::max));
        }
        double least =
                all.stream().mapToDouble(figures -> figures.get(RATE)).min().orElseThrow();
        double most =
                all.stream().mapToDouble(figures -> figures.get(RATE)).max().orElseThrow();
        double average =
                all.stream().mapToDouble(figures -> figures.get(RATE)).average().orElseThrow();
        values.put(LEAST_SHARE, least / average);
        values.put(MOST_SHARE, most / average);
        return new Figures(values);
    }

    public double get(String name) {
        Double value = values.get(name);
        if (value == null) {
            throw new IllegalArgumentException("No '" + name + "' in " + this);
        }
        return value;
    }

    public boolean has(String name) {
        return values.containsKey(name);
    }

    public Figures and(Map<String, Double> more) {
        Map<String, Double> all = new TreeMap<>(values);
        all.putAll(more);
        return new Figures(all);
    }

    @Override
    public String toString() {
        SortedMap<String, Double> sorted = new TreeMap<>(values);
        return sorted.entrySet().stream()
                .map(entry -> entry.getKey() + "=" + entry.getValue())
                .collect(joining(" "));
    }
}
