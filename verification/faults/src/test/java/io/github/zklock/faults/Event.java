package io.github.zklock.faults;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Something that happened in one of the processes.
 *
 * @param source the process
 * @param at by {@link System#nanoTime()}, which is one clock for all processes of a machine
 * @param fields without blanks in keys or values
 */
record Event(String source, long at, Kind kind, Map<String, String> fields) {

    /** What happened. */
    enum Kind {
        // what a client says
        READY,
        ASKED,
        GRANTED,
        /** What a handle said of itself: {@code at} before it was asked, field {@code after} when it had answered. */
        SAMPLE,
        LOST,
        RELEASING,
        CLOSED,
        EMPTY,
        TIMEOUT,
        UNAVAILABLE,
        FAILED,
        ENDED,
        // what is done to a process
        PAUSED,
        RESUMED,
        KILLED,
        CUT,
        HEALED,
        // what the servers wrote down
        SEAT_MADE,
        SEAT_ENDED;

        boolean isFault() {
            return this == PAUSED || this == KILLED || this == CUT;
        }
    }

    // marks the lines that are events, in case anything else gets into a client's output
    private static final String MARK = "@";

    static Event of(String source, long at, Kind kind, Object... keysAndValues) {
        Map<String, String> fields = new LinkedHashMap<>();
        for (int i = 0; i < keysAndValues.length; i += 2) {
            fields.put(
                    keysAndValues[i].toString(), keysAndValues[i + 1].toString().replaceAll("\\s", "_"));
        }
        return new Event(source, at, kind, fields);
    }

    /** Reads a line that {@link #toString()} wrote; empty if it is something else. */
    static Optional<Event> parse(String line) {
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

    String text(String field) {
        String value = fields.get(field);
        if (value == null) {
            throw new IllegalArgumentException("No " + field + " in " + this);
        }
        return value;
    }

    long number(String field) {
        return Long.parseLong(text(field));
    }

    boolean is(Kind wanted) {
        return kind == wanted;
    }

    boolean is(Kind wanted, String wantedSource) {
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
