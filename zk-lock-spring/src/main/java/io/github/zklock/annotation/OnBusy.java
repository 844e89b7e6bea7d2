package io.github.zklock.annotation;

/**
 * What a call does if other callers hold the lock for the whole wait time. If ZooKeeper cannot be reached, each of
 * these settings throws {@link io.github.zklock.LockUnavailableException}.
 */
public enum OnBusy {
    /** Uses the entry of {@code zk.lock.locks} that matches the name, or else {@code zk.lock.on-busy}. */
    AS_CONFIGURED,
    /**
     * Throws {@link io.github.zklock.LockTimeoutException}, or {@link io.github.zklock.JobNotDueException} if another run
     * counts for the window of {@link RunOncePer}. The method does not run.
     */
    THROW,
    /**
     * Skips the method. The call returns false, null or an empty result, which is the only sign that the method did not
     * run.
     */
    SKIP,
    /** Calls the fallback method instead, without the lock. */
    FALLBACK
}
