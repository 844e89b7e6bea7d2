package io.github.zklock.zookeeper.internal.runtime;

import java.util.concurrent.Executor;

/**
 * The executor of the library's own steps beside the loop: deadlines and the steps of a job. It runs no code of users
 * and nothing that blocks, so that no step waits for code of users.
 */
public interface Steps extends Executor {

    /**
     * Runs the step when this time is over.
     *
     * @return cancels the step; without effect if it has begun
     */
    Runnable after(long nanos, Runnable step);
}
