package io.github.zklock.faults.timeline;

/**
 * The wall clock, by which servers write, and the monotonic one, by which clients do, at one instant.
 *
 * @param wallMillis as {@link System#currentTimeMillis()} showed it
 * @param nanos as {@link System#nanoTime()} did
 */
record ClockPair(long wallMillis, long nanos) {

    private static final long AT_ONCE_NANOS = 1_000_000L;

    /** Both as of now: read again until nothing came in between. */
    static ClockPair now() {
        while (true) {
            long before = System.nanoTime();
            long wallMillis = System.currentTimeMillis();
            long after = System.nanoTime();
            if (after - before < AT_ONCE_NANOS) {
                return new ClockPair(wallMillis, before);
            }
        }
    }

    /** What the monotonic clock showed at that wall clock's time. */
    long nanosAt(long millis) {
        return nanos - (wallMillis - millis) * 1_000_000L;
    }
}
