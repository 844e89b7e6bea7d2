package io.github.zklock.zookeeper;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Runs tasks one at a time, in order, without a thread of its own: whoever brings a task to an idle loop runs it, and
 * what others bring meanwhile. What one task wrote, the next one sees.
 *
 * <p>Not guaranteed: that a task has run when {@link #execute} returns. No task blocks, nor runs code of users.
 */
final class Loop implements Executor {

    /** No caller pays for more tasks than this; the rest goes to the relief. */
    private static final int MOST_TASKS_OF_OTHERS = 256;

    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    /** Tasks not yet run: whoever raises it from 0 runs them until it is 0 again. */
    private final AtomicInteger pending = new AtomicInteger();

    private final Executor relief;

    Loop(Executor relief) {
        this.relief = relief;
    }

    @Override
    public void execute(Runnable task) {
        tasks.add(task);
        if (pending.getAndIncrement() == 0) {
            drain();
        }
    }

    private void drain() {
        for (int ran = 1; ; ran++) {
            Runnable task = tasks.poll();
            if (task != null) {
                Isolated.run(task);
            }
            if (pending.decrementAndGet() == 0) {
                return;
            }
            if (ran % MOST_TASKS_OF_OTHERS == 0 && relieved()) {
                return;
            }
        }
    }

    private boolean relieved() {
        try {
            relief.execute(this::drain);
            return true;
        } catch (Throwable noRelief) {
            return false;
        }
    }
}
