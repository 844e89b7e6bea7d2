package io.github.zklock.zookeeper.internal.runtime;

import java.util.concurrent.Executor;

/**
 * The time during which one engine runs on the loop. During the run, the engine's answers and alarms run on the loop;
 * afterwards they are dropped. Thread-safe.
 */
public final class EngineRun implements Executor {

    private final Executor loop;
    private volatile boolean over;
    /** Whether the engine may wait for an answer or alarm that does not arrive. */
    private volatile boolean broken;

    private boolean distrusts;
    private long trustedSince;
    /** The number of checks since the last tick. Owned by the loop. */
    private int looks;

    public EngineRun(Executor loop) {
        this.loop = loop;
    }

    /** Runs the task on the loop, unless the run has ended by then. Never throws. */
    @Override
    public void execute(Runnable task) {
        try {
            loop.execute(() -> {
                if (!over) {
                    task.run();
                }
            });
        } catch (Throwable lost) {
            broken = true;
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
