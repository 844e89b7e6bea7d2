package io.github.zklock;

/** The work of a leader. See {@link Leadership#runWhileLeader}. */
@FunctionalInterface
public interface LeaderTask {

    /**
     * Works until the work is done or the thread is interrupted. A return does not end the term; {@link
     * Leadership#stepDown} does. The scope of the lock is open on the thread: {@link LockContext} contains it.
     *
     * <p>The thread is not interrupted when the proof of the session runs out, because the proof may be renewed: check
     * {@link Leadership#isLeader()} between the steps of the work.
     *
     * @param token the token of the term
     * @throws Exception if the work fails; the process steps down
     */
    void run(FencingToken token) throws Exception;
}
