package io.github.zklock.zookeeper;

/** Pauses between attempts: doubling from the first to the longest. */
record Backoff(long firstNanos, long longestNanos) {

    /** The pause after this many failures in a row. */
    long pause(int failures) {
        long pause = firstNanos;
        for (int i = 0; i < failures && pause < longestNanos; i++) {
            pause *= 2;
        }
        return Math.min(longestNanos, pause);
    }
}
