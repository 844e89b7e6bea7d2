package io.github.zklock.zookeeper.internal.runtime;

import java.util.concurrent.Executor;

/**
 * One engine's time on the loop. While it lasts, the engine's answers and alarms come back to it on the loop; afterwards none
 * does. Thread-safe.
 */
public final class EngineRun implements Executor {

    private final Executor loop;
    private volatile boolean over;
    /** Something that the engine waits for may never come. */
    private volatile boolean broken;

    private boolean distrusts;
    private long trustedSince;
    /** Looks since the last tick. Owned by the loop. */
    private int looks;

    public EngineRun(Executor loop) {
        this.loop = loop;
    }

    /** Runs the task on the loop, unless the run is over by then. Never throws. */
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

    /** An answer or an alarm was lost on its way to the loop. */
    public void breakOff() {
        broken = true;
    }

    public boolean isBroken() {
        return broken;
    }

    /**
     * Until then, the clocks of this machine were watched by an engine before, and what it has seen is not known any more; or
     * they have drifted apart.
     */
    public void distrustBefore(long instant) {
        distrusts = true;
        trustedSince = instant;
    }

    /** Whether the clocks were watched since this instant, and have kept the same time. */
    public boolean isTrusted(long instant) {
        return !distrusts || instant - trustedSince >= 0;
    }

    /** The engine's tick has come. */
    public void ticked() {
        looks = 0;
    }

    /** Whether somebody has looked so often since the last tick. A process that was stopped did not look either. */
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
