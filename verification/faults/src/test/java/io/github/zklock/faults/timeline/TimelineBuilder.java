package io.github.zklock.faults.timeline;

import io.github.zklock.faults.timeline.Event.Kind;
import java.util.ArrayList;
import java.util.List;

/** Builds a timeline for tests of the checkers, in milliseconds. Seat n belongs to session "s" + n. */
public final class TimelineBuilder {

    private static final long MILLI = 1_000_000L;
    private static final int TURN_BITS = 12;

    private final Timeline timeline = new Timeline();

    public static long token(long seat, int turn) {
        return seat << TURN_BITS | turn;
    }

    /** Adds a seat of an exclusive lock, whose sequence number is its number. */
    public TimelineBuilder made(long at, long seat) {
        return made(at, seat, "lock-");
    }

    /**
     * Adds a seat of any kind.
     *
     * @param marker the part of its name, such as {@code __READ__} or {@code permits-1-of-3-}
     */
    public TimelineBuilder made(long at, long seat, String marker) {
        return made(at, seat, marker, "s" + seat);
    }

    /** Adds a seat of a session that may have others. */
    public TimelineBuilder made(long at, long seat, String marker, String session) {
        return add("server", at, Kind.SEAT_MADE, "seat", seat, "session", session, "node", node(seat, marker));
    }

    /** Adds an exclusive seat of a lock other than the usual one. */
    public TimelineBuilder madeOf(String lock, long at, long seat, String session) {
        String node = node(seat, "lock-").replace("/lock/", "/" + lock + "/");
        return add("server", at, Kind.SEAT_MADE, "seat", seat, "session", session, "node", node);
    }

    public TimelineBuilder renamed(long at, long seat, String marker) {
        return add("server", at, Kind.SEAT_RENAMED, "seat", seat, "session", "s" + seat, "node", node(seat, marker));
    }

    private static String node(long seat, String marker) {
        return "/base/lock/_c_x-%s%010d".formatted(marker, seat);
    }

    public TimelineBuilder ended(long at, long seat, SeatEnd how) {
        String node = node(seat, "lock-");
        return add("server", at, Kind.SEAT_ENDED, "seat", seat, "session", "s" + seat, "node", node, "how", how);
    }

    /** Adds a client's first grant, on turn 0 of a seat. */
    public TimelineBuilder granted(String client, long at, long seat) {
        return granted(client, at, token(seat, 0), "s" + seat);
    }

    public TimelineBuilder granted(String client, long at, long token, String session) {
        return granted(client, at, token, session, "exclusive");
    }

    /** Adds a client's first grant, with a handle that answers "held" for this long. */
    public TimelineBuilder held(String client, long at, long seat, String spec, long remaining) {
        return granted(client, at, token(seat, 0), "s" + seat, spec).sample(client, at, remaining);
    }

    /** Adds an answer of the handle: held for this long, or not held if that is zero. */
    public TimelineBuilder sample(String client, long at, long remaining) {
        return sample(client, at, at, remaining);
    }

    public TimelineBuilder sample(String client, long before, long after, long remaining) {
        return sample(client, before, after, remaining > 0, remaining);
    }

    /** Adds an answer "held" without a time. */
    public TimelineBuilder sampleWithoutTime(String client, long at) {
        return sample(client, at, at, true, 0);
    }

    /** Adds a call of a client. */
    public TimelineBuilder asked(String client, long at, String call) {
        return add(client, at, Kind.REQUESTED, "callNumber", 1, "call", call);
    }

    public TimelineBuilder answered(String client, long at, Kind answer, Object... more) {
        List<Object> fields = new ArrayList<>(List.of("callNumber", 1));
        fields.addAll(List.of(more));
        return add(client, at, answer, fields.toArray());
    }

    /** Adds any event. */
    public TimelineBuilder event(String source, long at, Kind kind, Object... fields) {
        return add(source, at, kind, fields);
    }

    /**
     * Adds a write to the register, of one more than was read; a second before, the handle had answered "held" for two
     * seconds.
     */
    public TimelineBuilder wrote(String client, long at, boolean fenced, long read, long found, boolean refused) {
        return wrote(client, at, fenced, read, found, refused, 2000);
    }

    public TimelineBuilder wrote(
            String client, long at, boolean fenced, long read, long found, boolean refused, long remaining) {
        long checkedAt = (at - 1000) * MILLI;
        long readAt = (at - 1500) * MILLI;
        timeline.add(new RegisterWrite(
                        at * MILLI,
                        "lock",
                        fenced,
                        client,
                        1,
                        readAt,
                        read,
                        found,
                        refused,
                        checkedAt,
                        remaining * MILLI)
                .toEvent());
        return this;
    }

    public TimelineBuilder lost(String client, long at) {
        return add(client, at, Kind.LOST, "hold", 1);
    }

    public TimelineBuilder released(String client, long at, String result) {
        add(client, at, Kind.RELEASING, "hold", 1);
        return add(client, at + 1, Kind.CLOSED, "hold", 1, "result", result);
    }

    /** Releases after a transaction was rolled back because the lock was not proven. */
    public TimelineBuilder releasedUnproven(String client, long at) {
        String message = "Lock_'/lock'_cannot_be_proven_to_be_held_at_the_moment";
        add(client, at, Kind.RELEASING, "hold", 1);
        return add(client, at + 1, Kind.CLOSED, "hold", 1, "result", "lost", "message", message);
    }

    public Timeline timeline() {
        return timeline;
    }

    public TimelineBuilder granted(String client, long at, long token, String session, String spec) {
        return add(
                client, at, Kind.GRANTED, "hold", 1, "callNumber", 1, "token", token, "session", session, "spec", spec);
    }

    private TimelineBuilder sample(String client, long before, long after, boolean held, long remaining) {
        return add(
                client,
                before,
                Kind.SAMPLE,
                "hold",
                1,
                "after",
                after * MILLI,
                "held",
                held,
                "remaining",
                remaining * MILLI);
    }

    private TimelineBuilder add(String source, long at, Kind kind, Object... keysAndValues) {
        Event event = Event.of(source, at * MILLI, kind);
        for (int i = 0; i < keysAndValues.length; i += 2) {
            event = event.with(keysAndValues[i].toString(), keysAndValues[i + 1]);
        }
        timeline.add(event);
        return this;
    }
}
