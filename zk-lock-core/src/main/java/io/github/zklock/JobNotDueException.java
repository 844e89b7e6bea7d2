package io.github.zklock;

import java.time.Instant;

/**
 * Thrown if a job is not due: another run counts in its window, or the calling thread is in the scope of a run. ZooKeeper
 * was reachable. Another attempt within the window is rejected, too, so this is no {@link LockTimeoutException}, which
 * callers retry.
 */
public final class JobNotDueException extends LockException {

    private static final long serialVersionUID = 1L;

    private final Instant begun;

    /** Creates the exception; for implementations of {@link LockRegistry}. */
    public JobNotDueException(LockName name, String message, Instant begun) {
        super(name, message, null);
        this.begun = begun;
    }

    /** Returns when the run that counts began, by the servers' clock. */
    public Instant begun() {
        return begun;
    }
}
