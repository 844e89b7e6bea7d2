package io.github.zklock.zookeeper.internal.runtime;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.Executor;

/** Steps that run at once on the thread that has them run. Those for later run when the test says so. */
public final class DirectSteps implements Steps {

    private final Executor now;
    private final Queue<Runnable> later = new ArrayDeque<>();

    public DirectSteps() {
        this(Runnable::run);
    }

    public DirectSteps(Executor now) {
        this.now = now;
    }

    @Override
    public void execute(Runnable step) {
        now.execute(step);
    }

    @Override
    public Runnable after(long nanos, Runnable step) {
        later.add(step);
        return () -> later.remove(step);
    }

    /** Runs the steps that are due later. */
    public void runLater() {
        for (Runnable step = later.poll(); step != null; step = later.poll()) {
            step.run();
        }
    }
}
