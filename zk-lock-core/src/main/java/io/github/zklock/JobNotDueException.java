package io.github.zklock;

import java.time.Instant;

/**
 * Thrown if a job is not due: another run counts in its window, or the calling thread is in the scope of a run. ZooKeeper
 * was reachable.
 */
public final class JobNotDueException extends LockTimeoutException {

    private static final long serialVersionUID = 1L;

    private final Instant begun;

    /** Creates the exception; for implementations of {@link LockRegistry}. */
    public JobNotDueException(LockName name, String message, Instant begun) {
        super(name, message);
        this.begun = begun;
    }

    /** Returns when the run that counts began, by the servers' clock. */
    public Instant begun() {
        return begun;
    }
}
