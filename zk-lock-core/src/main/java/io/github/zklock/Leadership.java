package io.github.zklock;

import java.time.Duration;
import java.util.Optional;

/**
 * The candidacy of this process for a leadership. Of all candidates of one name in the cluster, at most one is the
 * leader at a time. The leader stays the leader until it steps down, closes its candidacy, loses its session, or ends.
 * Then another candidate becomes the leader.
 *
 * <pre>{@code
 * Leadership reports = registry.leadership("/reports");
 * reports.runWhileLeader(token -> publishUntilInterrupted(token));
 * reports.start();
 * }</pre>
 *
 * <p>The leadership of a name is the exclusive lock of that name: a candidate is a waiter in the lock's queue, and the
 * leader holds the lock. So the inspector shows the leader and the candidates, and a {@link FencingToken} identifies
 * each term. Do not lock the name otherwise. The maximum hold of the lock also limits a term. The registry does not warn
 * of a long term.
 *
 * <p>The time from one grant to its end is a term. If the proof of the session runs out during a term, {@link
 * #isLeader()} is false. It is true again if the proof is renewed before the lock is lost; the term continues, and no
 * listener is called.
 *
 * <p>Thread-safe. Not guaranteed: that a former leader stops working at the moment when it loses its leadership. Check
 * {@link #isLeader()} before each step, and pass the token to the resources that you write.
 */
public interface Leadership extends AutoCloseable {

    /** Returns the canonical name. */
    LockName name();

    /**
     * Makes this process a candidate. Returns at once; the candidate waits through any outage. No effect if the candidacy
     * has started already.
     *
     * @throws IllegalStateException if this leadership was closed
     */
    void start();

    /**
     * Returns whether this process can be proven to be the leader at this instant. Does no I/O. Never true in two
     * processes at the same time.
     */
    boolean isLeader();

    /**
     * Returns the token of the present term; empty if this process is not the leader now. The token of a later term is
     * higher.
     */
    Optional<FencingToken> token();

    /**
     * Runs the task in each term of this process, on a thread of its own. If a term has begun already, the task starts
     * at once.
     *
     * <p>When a term ends, the thread of the task is interrupted. The process gives up the leadership only when the task
     * has ended, and becomes a candidate again only then, also after a loss. So a registered task never runs twice at the
     * same time in one process. A task that returns early leaves the process the leader, and runs again in the next term;
     * to give up the leadership, call {@link #stepDown}.
     *
     * <p>If the task throws an exception during a term, the process steps down for 5 s, so that another process can do the
     * work.
     *
     * @return closes the registration, and interrupts the task if it is running
     */
    Registration runWhileLeader(Task task);

    /**
     * Registers a listener for the begin and the end of terms. The listener does not receive a term that has begun
     * already.
     */
    Registration addListener(Listener listener);

    /**
     * Ends the present term. Returns at once; the process gives up the leadership when its tasks have ended. It becomes
     * a candidate again after the pause. No effect if this process is not the leader.
     *
     * @param pause the time in which other candidates can become the leader; zero to become the last candidate at once
     * @throws IllegalArgumentException if the pause is negative
     */
    void stepDown(Duration pause);

    /**
     * Ends the candidacy, and the present term if there is one. Waits at most 10 s for the tasks to end; if they take
     * longer, the process gives up the leadership when they have ended. If a task calls this method, it waits only for
     * the other tasks. An interrupt of the caller ends the wait. Idempotent.
     */
    @Override
    void close();

    /** The work of a leader. See {@link Leadership#runWhileLeader}. */
    @FunctionalInterface
    interface Task {

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

    /**
     * A receiver of the begin and the end of the terms of one leadership. One thread at a time calls it, in the order of the
     * terms. The leadership does not wait for it. What its methods throw is logged.
     */
    interface Listener {

        /** This process has become the leader. */
        default void started(LockName name, FencingToken token) {}

        /**
         * The term of this process has ended.
         *
         * @param reason why, for a log
         */
        default void stopped(LockName name, FencingToken token, String reason) {}
    }
}
