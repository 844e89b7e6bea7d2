package io.github.zklock.zookeeper.internal.runtime;

/** The pauses between attempts, which double from the first to the longest. */
public record Backoff(long firstNanos, long longestNanos) {

    /** Returns the pause after this number of failures in a row. */
    public long pause(int failures) {
        long pause = firstNanos;
        for (int i = 0; i < failures && pause < longestNanos; i++) {
            pause *= 2;
        }
        return Math.min(longestNanos, pause);
    }
}
