package io.github.zklock.annotation;

/** The runs of a method that count for its window: see {@link RunOncePer#counting}. */
public enum CountedRuns {
    /** Each run counts, also one that fails or whose process ends. */
    BEGUN,
    /**
     * A run counts if the method, or the result that it returned, completed without an exception. If the call takes part
     * in a transaction of its caller, that transaction must commit, too. Otherwise the next call runs the method again.
     *
     * <p>A transaction of the method itself that is only marked for rollback counts as a success: the method returns
     * without an exception.
     */
    SUCCEEDED
}
