package io.github.zklock;

/** The work of a leader. See {@link Leadership#runWhileLeader}. */
@FunctionalInterface
public interface LeaderTask {

    /**
     * Works until the work is done or the thread is interrupted. The scope of the lock is open on the thread: {@link
     * LockContext} contains it.
     *
     * @param token the token of the term
     * @throws Exception if the work fails; the process steps down
     */
    void run(FencingToken token) throws Exception;
}
