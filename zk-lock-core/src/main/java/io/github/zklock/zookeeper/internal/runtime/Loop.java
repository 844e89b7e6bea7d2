package io.github.zklock.zookeeper.internal.runtime;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Runs tasks one at a time, in order, without a thread of its own: whoever brings a task to an idle loop runs it, and
 * what others bring meanwhile. What one task wrote, the next one sees.
 *
 * <p>A task that throws leaves its engine in an unknown state, so {@link Rescue} comes before the next task.
 *
 * <p>Not guaranteed: that a task has run when {@link #execute} returns. No task blocks, nor runs code of users.
 */
public final class Loop implements Executor {

    /** What follows a task that has thrown. */
    public interface Rescue {
        /**
         * Replaces the engine. Runs on the loop, and again at the next {@link #check} if it throws.
         *
         * @param failed the task; null if something else failed
         */
        void recover(@Nullable Runnable failed, Throwable error);
    }

    /** No caller pays for more tasks than this; the rest goes to the relief. */
    private static final int MOST_TASKS_OF_OTHERS = 256;

    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    /** Whoever sets it runs the tasks until there are none. */
    private final AtomicBoolean busy = new AtomicBoolean();

    private final Executor relief;
    private final Rescue rescue;

    /** Whoever was to run the tasks could not go on, and left {@link #busy} set. */
    private volatile boolean stuck;
    /** Who calls {@link #check}. */
    private volatile @Nullable Thread watcher;

    // only whoever has set busy uses these
    private @Nullable Runnable current;
    private @Nullable Throwable error;

    /** @param relief runs tasks that are too many for their caller */
    public Loop(Executor relief, Rescue rescue) {
        this.relief = relief;
        this.rescue = rescue;
    }

    /**
     * Runs the task, soon.
     *
     * @throws OutOfMemoryError if there is no room for it; it will not run then
     */
    @Override
    public void execute(Runnable task) {
        tasks.add(task);
        work(false);
    }

    /** Runs the task as {@link #execute} does. For threads of the engine and of ZooKeeper's client, whose stacks are short. */
    public void executeOnShortStack(Runnable task) {
        tasks.add(task);
        work(true);
    }

    /** Goes on where an Error has kept somebody from going on. To be called from time to time, by a thread of its own. */
    public void check() {
        watcher = Thread.currentThread();
        if (stuck) {
            stuck = false;
            resume();
        } else {
            work(true);
        }
    }

    private void work(boolean hasRoom) {
        if (busy.compareAndSet(false, true)) {
            boolean left = false;
            try {
                if (hasRoom || StackProbe.hasRoom()) {
                    runTasks();
                    left = true;
                }
            } catch (Throwable noRoom) {
                // the caller's task is in the queue: check() runs it
            } finally {
                // no call here: there may be no stack left for one, and what locks there may never unlock again
                if (!left) {
                    stuck = true;
                }
            }
            if (!left) {
                wakeWatcher();
            }
        }
    }

    /** Lets {@link #check} come at once, if that is possible. */
    private void wakeWatcher() {
        try {
            LockSupport.unpark(watcher);
        } catch (StackOverflowError noRoom) {
            // it comes within a second
        }
    }

    /** Runs the tasks for somebody who has set {@link #busy}. */
    private void resume() {
        boolean left = false;
        try {
            runTasks();
            left = true;
        } finally {
            if (!left) {
                stuck = true;
            }
        }
    }

    private void runTasks() {
        int ran = 0;
        do {
            while (hasRecovered()) {
                current = tasks.poll();
                if (current == null) {
                    break;
                }
                try {
                    current.run();
                } catch (Throwable thrown) {
                    error = thrown;
                }
                ran++;
                if (ran % MOST_TASKS_OF_OTHERS == 0 && isRelieved()) {
                    return;
                }
            }
            boolean unable = error != null;
            busy.set(false);
            if (unable) {
                return;
            }
        } while (!tasks.isEmpty() && busy.compareAndSet(false, true));
    }

    /** Whether the next task can run. */
    private boolean hasRecovered() {
        Throwable thrown = error;
        if (thrown == null) {
            return true;
        }
        try {
            rescue.recover(current, thrown);
            error = null;
            return true;
        } catch (Throwable again) {
            // what is wrong with this machine may pass: check() tries again
            return false;
        }
    }

    private boolean isRelieved() {
        try {
            relief.execute(this::resume);
            return true;
        } catch (Throwable noRelief) {
            return false;
        }
    }
}
