package io.github.zklock.faults.timeline;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongUnaryOperator;
import java.util.stream.Collectors;

/**
 * An event in one of the processes.
 *
 * @param source the process
 * @param at the value of {@link System#nanoTime()}, which is one clock for all processes of a machine
 * @param fields further values, without blanks in keys and values
 */
public record Event(String source, long at, Kind kind, Map<String, String> fields) {

    public enum Kind {
        // reported by a client
        READY,
        REQUESTED,
        GRANTED,
        /** An answer of a handle: {@code at} is before the question, field {@code after} is after the answer. */
        SAMPLE,
        LOST,
        RELEASING,
        CLOSED,
        /** The holder was notified that the servers have seen its release. */
        RELEASE_SEEN,
        /** The holder was notified that the outcome of its release is unknown. */
        RELEASE_UNKNOWN,
        EMPTY,
        TIMEOUT,
        UNAVAILABLE,
        /** A call was rejected: the registry is closed, the lock is of another kind, or the call belongs to a deadlock. */
        REFUSED,
        INTERRUPTED,
        /** A call of this process belongs to a deadlock; field {@code rejected} is true if it ends by this. */
        DEADLOCK,
        /** A thread that only sleeps and counts was delayed by {@code nanos}, until {@code at}. */
        STALLED,
        CLOCK,
        /** The client has interrupted the threads that a command named. */
        INTERRUPTING,
        /** The client has closed its registry, as a command demanded. */
        REGISTRY_CLOSED,
        FAILED,
        ENDED,
        // done to a process
        PAUSED,
        RESUMED,
        KILLED,
        CUT,
        /** A connection was closed; the client can connect again at once. */
        DISCONNECTED,
        DELAYED,
        /** A client other than the owner deleted a node. */
        DELETED,
        DISRUPTED,
        DISK_SLOWED,
        DISK_FILLED,
        LOG_SLOWED,
        CLOCK_SET,
        /** Both clocks of a client stood still while it was paused, for {@code nanos} until {@code at}. */
        CLOCKS_STOPPED,
        HEALED,
        CLOSING,
        CHANGED,
        /** Threads of a process were blocked for good. */
        BLOCKED,
        /** A mark of the scenario, for comparison with other events. */
        NOTED,
        /** The calls of a process for locks whose names begin so are counted, not reported: field {@code locks}. */
        COUNTED,
        /** Figures of the scenario, which are printed with the result. */
        MEASURED,
        /** The scenario has found what must not be: field {@code what}. The run continues, so that all rules judge it. */
        HARMED,
        // read from the servers' transaction logs
        SEAT_MADE,
        /** The seat of a writer became that of a reader: field {@code node} is its new path. */
        SEAT_RENAMED,
        SEAT_ENDED,
        /** Two servers logged different transactions with one zxid. */
        LOGS_DIFFER,
        // found after all locks were released
        /** Our library has mended a mistake of its own in this process, and logged it: field {@code message}. */
        MISTAKE_LOGGED,
        /** A client has released all locks, and still runs. */
        ALL_RELEASED,
        /** What a server still stores: fields {@code seats}, {@code watches}, {@code tree}. */
        LEFT_ON_SERVER,
        // logged by the register
        /** A holder wrote to the register: the fields of {@link RegisterWrite}. */
        REGISTER_WRITTEN;

        /** Returns whether this kind answers a call. */
        public boolean isAnswer() {
            return switch (this) {
                case GRANTED, EMPTY, TIMEOUT, UNAVAILABLE, REFUSED, INTERRUPTED -> true;
                default -> false;
            };
        }

        /** Returns whether the fault lasts until it is healed. */
        boolean lasts() {
            return switch (this) {
                case PAUSED, KILLED, CUT, DISK_SLOWED, DISK_FILLED, LOG_SLOWED -> true;
                default -> false;
            };
        }

        public boolean isFault() {
            return switch (this) {
                case PAUSED,
                        KILLED,
                        CUT,
                        DISCONNECTED,
                        DELETED,
                        DISRUPTED,
                        DISK_SLOWED,
                        DISK_FILLED,
                        LOG_SLOWED,
                        CLOCK_SET,
                        CLOCKS_STOPPED,
                        DELAYED,
                        CLOSING,
                        BLOCKED -> true;
                default -> false;
            };
        }
    }

    private static final String AFTER = "after";

    // marks the lines that are events: other output may come between them
    private static final String MARK = "@";

    public static Event of(String source, long at, Kind kind) {
        return new Event(source, at, kind, Map.of());
    }

    /** Returns an event with the fields that {@link #with} adds. */
    public static Event of(String source, long at, Kind kind, String keys, Object... values) {
        return of(source, at, kind).with(keys, values);
    }

    /**
     * Returns the same event with further fields.
     *
     * @param keys the names of the fields, separated by blanks; each has a value
     */
    public Event with(String keys, Object... values) {
        String[] names = keys.split(" ", -1);
        if (names.length != values.length) {
            throw new IllegalArgumentException("%d values for the fields '%s'".formatted(values.length, keys));
        }
        Map<String, String> all = new LinkedHashMap<>(fields);
        for (int i = 0; i < names.length; i++) {
            all.put(names[i], String.valueOf(values[i]).replaceAll("\\s", "_"));
        }
        return new Event(source, at, kind, all);
    }

    /** Parses a line that {@link #toString()} returned; empty if the line is other output. */
    public static Optional<Event> parse(String line) {
        if (!line.startsWith(MARK)) {
            return Optional.empty();
        }
        String[] words = line.substring(MARK.length()).split(" ");
        Map<String, String> fields = Arrays.stream(words)
                .skip(3)
                .map(word -> word.split("=", 2))
                .collect(Collectors.toMap(pair -> pair[0], pair -> pair[1], (a, b) -> b, LinkedHashMap::new));
        return Optional.of(new Event(words[1], Long.parseLong(words[0]), Kind.valueOf(words[2]), fields));
    }

    /** Returns the same event with converted times. */
    public Event withTimes(LongUnaryOperator change) {
        Map<String, String> changed = new LinkedHashMap<>(fields);
        changed.computeIfPresent(AFTER, (key, nanos) -> Long.toString(change.applyAsLong(Long.parseLong(nanos))));
        return new Event(source, change.applyAsLong(at), kind, changed);
    }

    public String text(String field) {
        String value = fields.get(field);
        if (value == null) {
            throw new IllegalArgumentException("No " + field + " in " + this);
        }
        return value;
    }

    /** Returns whether the field is true; false if it is missing. */
    public boolean flag(String field) {
        return Boolean.parseBoolean(fields.get(field));
    }

    public long number(String field) {
        return Long.parseLong(text(field));
    }

    public boolean is(Kind wanted) {
        return kind == wanted;
    }

    public boolean is(Kind wanted, String wantedSource) {
        return kind == wanted && source.equals(wantedSource);
    }

    @Override
    public String toString() {
        return MARK + at + " " + source + " " + kind
                + fields.entrySet().stream()
                        .map(field -> " " + field.getKey() + "=" + field.getValue())
                        .collect(Collectors.joining());
    }
}
