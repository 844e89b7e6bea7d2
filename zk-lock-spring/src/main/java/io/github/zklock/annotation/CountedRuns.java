package io.github.zklock.annotation;

/** The runs of a method that count for {@link DistributedLock#oncePer}. */
public enum CountedRuns {
    /** Each run counts, also one that fails or whose process ends. */
    BEGUN,
    /**
     * A run counts if the method, or the result that it returned, completed without an exception. Otherwise the next
     * call runs the method again.
     */
    SUCCEEDED
}
