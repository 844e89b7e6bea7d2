package io.github.zklock.faults.timeline;

/**
 * The wall clock, which the servers' logs use, and the monotonic clock, which the clients use, read at one instant.
 *
 * @param wallMillis the value of {@link System#currentTimeMillis()}
 * @param nanos the value of {@link System#nanoTime()}
 */
record ClockPair(long wallMillis, long nanos) {

    private static final long AT_ONCE_NANOS = 1_000_000L;

    /** Reads both clocks; repeats the reading if it took longer than a millisecond. */
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

    /** Converts a time of the wall clock to the monotonic clock. */
    long nanosAt(long millis) {
        return nanos - (wallMillis - millis) * 1_000_000L;
    }
}
