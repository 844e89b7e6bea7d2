package io.github.zklock.annotation;

/**
 * What a call does when others have held the lock for all of the wait time. An outage is never "busy": it always throws
 * {@link io.github.zklock.LockUnavailableException}.
 */
public enum OnBusy {
    /** What {@code zk.lock.on-busy} says, or the entry of {@code zk.lock.locks} that the name matches. */
    AS_CONFIGURED,
    /** Throws {@link io.github.zklock.LockTimeoutException}. The method does not run. */
    THROW,
    /** Returns nothing: the method does not run, and the caller is told so by the return value alone. */
    SKIP,
    /** Calls the fallback method instead, without the lock. */
    FALLBACK
}
