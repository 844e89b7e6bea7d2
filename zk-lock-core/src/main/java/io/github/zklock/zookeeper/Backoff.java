package io.github.zklock.zookeeper;

/** Pauses between attempts: doubling from the first to the longest. */
record Backoff(long firstNanos, long longestNanos) {

    /** The pause after this many failures in a row. */
    long pause(int failures) {
        return Math.min(longestNanos, firstNanos << Math.min(failures, 20));
    }
}
