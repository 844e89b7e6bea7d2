package io.github.zklock.faults;

import io.github.zklock.faults.Event.Kind;

/** A timeline written by hand, in milliseconds, to try the checkers on. Seat n belongs to session "s" + n. */
final class HandMade {

    private static final long MILLI = 1_000_000L;
    private static final int TURN_BITS = 12;

    private final Timeline timeline = new Timeline();

    static long token(long seat, int turn) {
        return seat << TURN_BITS | turn;
    }

    HandMade made(long at, long seat) {
        return add("server", at, Kind.SEAT_MADE, "seat", seat, "session", "s" + seat);
    }

    HandMade ended(long at, long seat, SeatEnd how) {
        return add("server", at, Kind.SEAT_ENDED, "seat", seat, "session", "s" + seat, "how", how);
    }

    /** A client's first hold, on turn 0 of a seat. */
    HandMade granted(String client, long at, long seat) {
        return granted(client, at, token(seat, 0), "s" + seat);
    }

    HandMade granted(String client, long at, long token, String session) {
        return granted(client, at, token, session, "exclusive");
    }

    /** A client's first hold, of this wish, which it believes in from then on for so long. */
    HandMade believed(String client, long at, long seat, String wish, long remaining) {
        return granted(client, at, token(seat, 0), "s" + seat, wish).sample(client, at, remaining);
    }

    /** The handle says that it is held for so long, or not held if that is zero. */
    HandMade sample(String client, long at, long remaining) {
        return sample(client, at, at, remaining);
    }

    HandMade sample(String client, long before, long after, long remaining) {
        return sample(client, before, after, remaining > 0, remaining);
    }

    /** The handle says that it is held, and not for how long. */
    HandMade sampleWithoutTime(String client, long at) {
        return sample(client, at, at, true, 0);
    }

    HandMade lost(String client, long at) {
        return add(client, at, Kind.LOST, "hold", 1);
    }

    HandMade released(String client, long at, String result) {
        add(client, at, Kind.RELEASING, "hold", 1);
        return add(client, at + 1, Kind.CLOSED, "hold", 1, "result", result);
    }

    Timeline timeline() {
        return timeline;
    }

    private HandMade granted(String client, long at, long token, String session, String wish) {
        return add(client, at, Kind.GRANTED, "hold", 1, "token", token, "session", session, "wish", wish);
    }

    private HandMade sample(String client, long before, long after, boolean held, long remaining) {
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

    private HandMade add(String source, long at, Kind kind, Object... keysAndValues) {
        timeline.add(Event.of(source, at * MILLI, kind, keysAndValues));
        return this;
    }
}
