package io.github.zklock;

/**
 * A receiver of the begin and the end of the terms of one {@link Leadership}. One thread at a time calls it, in the
 * order of the terms. The leadership does not wait for it. What its methods throw is logged.
 */
public interface LeadershipListener {

    /** This process has become the leader. */
    default void started(LockName name, FencingToken token) {}

    /**
     * The term of this process has ended.
     *
     * @param reason why, for a log
     */
    default void stopped(LockName name, FencingToken token, String reason) {}
}
