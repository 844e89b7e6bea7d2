package io.github.zklock.faults.timeline;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongUnaryOperator;
import java.util.stream.Collectors;

/**
 * Something that happened in one of the processes.
 *
 * @param source the process
 * @param at by {@link System#nanoTime()}, which is one clock for all processes of a machine
 * @param fields without blanks in keys or values
 */
public record Event(String source, long at, Kind kind, Map<String, String> fields) {

    /** What happened. */
    public enum Kind {
        // what a client says
        READY,
        ASKED,
        GRANTED,
        /** What a handle said of itself: {@code at} before it was asked, field {@code after} when it had answered. */
        SAMPLE,
        LOST,
        RELEASING,
        CLOSED,
        /** The holder was told that the servers have seen its release. */
        SEEN,
        /** The holder was told that nobody will know whether the servers have seen its release. */
        UNSEEN,
        EMPTY,
        TIMEOUT,
        UNAVAILABLE,
        /** A call found nothing left to take locks from, or a lock of another kind. */
        REFUSED,
        INTERRUPTED,
        /** A thread of it that only counts had to wait: for so long, field {@code nanos}, until {@code at}. */
        STALLED,
        /** What its wall clock shows. */
        CLOCK,
        /** The threads that it was ordered to interrupt have been interrupted. */
        INTERRUPTING,
        /** What the locks are taken from has been closed, as was ordered. */
        SHUT,
        FAILED,
        ENDED,
        // what is done to a process
        PAUSED,
        RESUMED,
        KILLED,
        CUT,
        /** A connection was ended; another one can be made at once. */
        SEVERED,
        DELAYED,
        /** Somebody who is not its owner deleted a node. */
        DELETED,
        /** Something was done to the client that the locks of a process rest on. */
        DISRUPTED,
        /** A server whose disk became slow. */
        SLOWED,
        /** A server whose disk became full. */
        FILLED,
        /** Another time on the wall clock of a client. */
        CLOCK_SET,
        /** Both clocks of a client stood still while it was paused: for so long, field {@code nanos}, until {@code at}. */
        STOOD_STILL,
        HEALED,
        /** An application has been told to give up its locks and close. */
        CLOSING,
        /** What an application was told to do to itself is done. */
        CHANGED,
        /** Something in a process has been brought to a standstill. */
        BLOCKED,
        /** Something that the script did, for others to compare with. */
        NOTED,
        // what the servers wrote down
        SEAT_MADE,
        /** A writer's seat became a reader's: field {@code node} is its new name. */
        SEAT_RENAMED,
        SEAT_ENDED,
        /** Two servers wrote different things under one number. */
        DIFFERED,
        // what was found once everybody had given back what they had
        /** Nobody asks for anything any more, though the clients are still there. */
        RESTED,
        /** What a server still has of the scenario: fields {@code seats}, {@code watches}, {@code tree}. */
        REMAINED,
        // what the register wrote down
        /** Somebody wants to write one more than it has read: fields of {@link RegisterWrite}. */
        WROTE;

        /** Whether a call for a lock is answered by it. */
        public boolean isAnswer() {
            return switch (this) {
                case GRANTED, EMPTY, TIMEOUT, UNAVAILABLE, REFUSED, INTERRUPTED -> true;
                default -> false;
            };
        }

        /** Whether it goes on until it is mended. */
        boolean lasts() {
            return this == PAUSED || this == KILLED || this == CUT || this == SLOWED || this == FILLED;
        }

        public boolean isFault() {
            return switch (this) {
                case PAUSED,
                        KILLED,
                        CUT,
                        SEVERED,
                        DELETED,
                        DISRUPTED,
                        SLOWED,
                        FILLED,
                        CLOCK_SET,
                        STOOD_STILL,
                        DELAYED,
                        CLOSING,
                        BLOCKED -> true;
                default -> false;
            };
        }
    }

    private static final String AFTER = "after";

    // marks the lines that are events, in case anything else gets into a client's output
    private static final String MARK = "@";

    public static Event of(String source, long at, Kind kind, Object... keysAndValues) {
        Map<String, String> fields = new LinkedHashMap<>();
        for (int i = 0; i < keysAndValues.length; i += 2) {
            fields.put(
                    keysAndValues[i].toString(), keysAndValues[i + 1].toString().replaceAll("\\s", "_"));
        }
        return new Event(source, at, kind, fields);
    }

    /** Reads a line that {@link #toString()} wrote; empty if it is something else. */
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

    /** The same with other times. */
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
