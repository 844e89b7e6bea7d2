package io.github.zklock.zookeeper.internal.runtime;

import java.util.concurrent.Executor;

/**
 * The time during which one engine runs on the loop. During the run, the engine's answers and alarms run on the loop;
 * afterwards they are dropped. Thread-safe.
 */
public final class EngineRun implements Executor {

    /** The lanes of the loop. */
    public interface Lanes {

        /** Runs a task that the servers have caused, in the order of these, before those of callers. */
        void answer(Runnable task);

        /** Runs a task for which a time has come, not on this thread. */
        void alarm(Runnable task, boolean urgent);

        /** Returns lanes that lead to the same executor. */
        static Lanes of(Executor loop) {
            return new Lanes() {
                @Override
                public void answer(Runnable task) {
                    loop.execute(task);
                }

                @Override
                public void alarm(Runnable task, boolean urgent) {
                    loop.execute(task);
                }
            };
        }
    }

    private final Lanes loop;
    private volatile boolean over;
    /** Whether the engine may wait for an answer or alarm that does not arrive. */
    private volatile boolean broken;

    private boolean distrusts;
    private long trustedSince;
    /** The number of checks since the last tick. Owned by the loop. */
    private int looks;

    public EngineRun(Executor loop) {
        this(Lanes.of(loop));
    }

    public EngineRun(Lanes loop) {
        this.loop = loop;
    }

    /** Runs the task on the loop, unless the run has ended by then. Never throws. */
    @Override
    public void execute(Runnable task) {
        try {
            loop.answer(() -> duringRun(task));
        } catch (Throwable lost) {
            broken = true;
        }
    }

    /**
     * Runs the task on the loop as {@link #execute} does, for a task of the loop: an Error is its own.
     *
     * @throws OutOfMemoryError if there is no memory for the task
     */
    public void continueWith(Runnable task) {
        loop.answer(() -> duringRun(task));
    }

    /** Runs the task as {@link #continueWith} does, but behind the tasks of callers that wait. */
    public void inTurn(Runnable task) {
        loop.alarm(() -> duringRun(task), false);
    }

    /** Runs the task of an alarm as {@link #execute} does, but not on this thread. */
    void alarm(Runnable task, boolean urgent) {
        try {
            loop.alarm(() -> duringRun(task), urgent);
        } catch (Throwable lost) {
            broken = true;
        }
    }

    private void duringRun(Runnable task) {
        if (!over) {
            task.run();
        }
    }

    /** Records that an answer or an alarm did not reach the loop. */
    public void breakOff() {
        broken = true;
    }

    public boolean isBroken() {
        return broken;
    }

    /**
     * Marks the time before this instant as untrusted: a previous engine observed the clocks then, and its observations
     * are lost; or the clocks have drifted apart.
     */
    public void distrustBefore(long instant) {
        distrusts = true;
        trustedSince = instant;
    }

    /** Returns whether the clocks were observed since this instant and did not drift apart. */
    public boolean isTrusted(long instant) {
        return !distrusts || instant - trustedSince >= 0;
    }

    /** Records the engine's tick. */
    public void ticked() {
        looks = 0;
    }

    /**
     * Counts a check. Returns whether there were more checks than this since the last tick. A stopped process does not
     * check, so its pause does not count.
     */
    public boolean hasMissedTicks(long most) {
        return ++looks > most;
    }

    public void end() {
        over = true;
    }

    public boolean isOver() {
        return over;
    }
}
