package io.github.zklock.zookeeper.internal.runtime;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * An executor that runs tasks one at a time, without a thread of its own. A thread that adds a task to an idle loop runs
 * it, and the tasks that other threads add meanwhile. The writes of one task are visible to the next one.
 *
 * <p>There are three lanes, and the tasks of one lane run in order. The tick and what renews the proof of the session
 * run before everything else. What the servers have caused runs before the requests of callers and their deadlines, but
 * these have their turn after some of it: however much one caller asks for, the session stays proven, and deadlines are
 * not put off without a limit.
 *
 * <p>A task that throws leaves its engine in an unknown state. Therefore {@link Rescue} runs before the next task.
 *
 * <p>Not guaranteed: that a task has run when {@link #execute} returns. No task blocks or runs code of users, so an interrupt
 * of the thread that runs it has no effect.
 */
public final class Loop implements Executor {

    /** The action after a task that has thrown. */
    public interface Rescue {
        /**
         * Replaces the engine. Runs on the loop, and again at the next {@link #check} if it throws.
         *
         * @param failed the task; null if something else failed
         */
        void recover(@Nullable Runnable failed, Throwable error);
    }

    /** The largest number of tasks that one caller runs; the relief runs the others. */
    private static final int MOST_TASKS_OF_OTHERS = 256;

    /**
     * The number of answers after which a task of a caller runs: a turn of a lock needs about as many, and a deadline must
     * not wait behind the turns of all other callers.
     */
    private static final int MOST_ANSWERS = 4;

    /** The number of callers' tasks from which on a caller pauses before its next request. */
    private static final int MANY_TASKS = 64;
    /** The longest pause: {@link #MOST_PAUSES} of these. */
    private static final long PAUSE_NANOS = 500_000;

    private static final int MOST_PAUSES = 200;

    private final Queue<Runnable> urgent = new ConcurrentLinkedQueue<>();
    private final Queue<Runnable> answers = new ConcurrentLinkedQueue<>();
    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    /** About the number of {@link #tasks}. */
    private final AtomicInteger waiting = new AtomicInteger();
    /** The thread that sets this flag runs the tasks until there are none. */
    private final AtomicBoolean busy = new AtomicBoolean();

    private final Executor relief;
    private final Rescue rescue;

    /** Whether the thread that set {@link #busy} could not continue and has left the flag set. */
    private volatile boolean stuck;
    /** The thread that calls {@link #check}. */
    private volatile @Nullable Thread watcher;

    // only the thread that has set busy uses these
    private @Nullable Runnable current;
    private @Nullable Throwable error;
    /** The number of answers since the latest task of a caller. */
    private int answersInARow;

    /** @param relief runs tasks that are too many for their caller */
    public Loop(Executor relief, Rescue rescue) {
        this.relief = relief;
        this.rescue = rescue;
    }

    /**
     * Adds the task, which runs soon.
     *
     * @throws OutOfMemoryError if there is no memory for the task; it does not run then
     * @throws StackOverflowError if the stack has no room for the task, and no thread calls {@link #check} any more
     */
    @Override
    public void execute(Runnable task) {
        Thread checking = watcher;
        if (checking != null && !checking.isAlive() && !StackProbe.hasRoom()) {
            throw new StackOverflowError("The stack has no room for a request to a registry that is closed");
        }
        add(task);
        work(false);
    }

    /**
     * Waits until the loop has done most of what callers want, but not for long. To be called before a new request:
     * otherwise, threads that ask without a pause would fill the memory, and all other callers would wait behind them.
     * Not to be called by a task of the loop.
     */
    public void pace() {
        if (waiting.get() >= MANY_TASKS) {
            boolean interrupted = false;
            for (int pause = 0; pause < MOST_PAUSES && waiting.get() >= MANY_TASKS; pause++) {
                LockSupport.parkNanos(PAUSE_NANOS);
                // a set flag would end each pause at once
                interrupted |= Thread.interrupted();
            }
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private void add(Runnable task) {
        tasks.add(task);
        // an Error before this line makes the number too small, which only shortens a pause
        waiting.incrementAndGet();
    }

    /**
     * Adds the task as {@link #execute} does, without a check of the stack. For threads of the engine and of ZooKeeper's
     * client, whose stacks are short, and for callers that have just made the check.
     */
    public void executeUnchecked(Runnable task) {
        add(task);
        work(true);
    }

    /** Returns the lanes for the tasks of an engine. */
    public EngineRun.Lanes lanes() {
        return new EngineRun.Lanes() {
            @Override
            public void answer(Runnable task) {
                // by a thread of ZooKeeper's client, whose stack is short
                answers.add(task);
                work(true);
            }

            @Override
            public void alarm(Runnable task, boolean isUrgent) {
                if (isUrgent) {
                    urgent.add(task);
                } else {
                    add(task);
                }
                if (busy.compareAndSet(false, true) && !isRelieved()) {
                    resume(true);
                }
            }
        };
    }

    /**
     * Returns whether the servers' answers or the tick have not been processed yet. For tasks of the loop: while one of
     * them runs, what it waits for may be late.
     */
    public boolean isBehind() {
        return !urgent.isEmpty() || !answers.isEmpty();
    }

    /** Continues the work of a thread that an Error has stopped. A thread of its own calls this method periodically. */
    public void check() {
        watcher = Thread.currentThread();
        if (stuck) {
            stuck = false;
            resume(true);
        } else {
            work(true);
        }
    }

    private void work(boolean hasRoom) {
        if (busy.compareAndSet(false, true)) {
            boolean left = false;
            try {
                if (hasRoom || StackProbe.hasRoom()) {
                    runTasks(true);
                    left = true;
                }
            } catch (Throwable noRoom) {
                // the caller's task is in the queue: check() runs it
            } finally {
                // no call here: the stack may have no room for it, and a lock that is taken here may stay locked
                if (!left) {
                    stuck = true;
                }
            }
            if (!left) {
                wakeWatcher();
            }
        }
    }

    /** Makes {@link #check} run at once, if possible. */
    private void wakeWatcher() {
        try {
            LockSupport.unpark(watcher);
        } catch (StackOverflowError noRoom) {
            // check() runs within a second
        }
    }

    /** Runs the tasks on behalf of a thread that has set {@link #busy}. */
    private void resume(boolean mayBeRelieved) {
        boolean left = false;
        try {
            runTasks(mayBeRelieved);
            left = true;
        } finally {
            if (!left) {
                stuck = true;
            }
        }
    }

    /** @param mayBeRelieved whether another thread waits for the return of this one */
    private void runTasks(boolean mayBeRelieved) {
        int ran = 0;
        do {
            while (hasRecovered()) {
                current = next();
                if (current == null) {
                    break;
                }
                try {
                    current.run();
                } catch (Throwable thrown) {
                    error = thrown;
                }
                ran++;
                if (mayBeRelieved && ran % MOST_TASKS_OF_OTHERS == 0 && isRelieved()) {
                    return;
                }
            }
            boolean unable = error != null;
            busy.set(false);
            if (unable) {
                return;
            }
        } while (hasNext() && busy.compareAndSet(false, true));
    }

    private boolean hasNext() {
        return !urgent.isEmpty() || !answers.isEmpty() || !tasks.isEmpty();
    }

    private @Nullable Runnable next() {
        Runnable next = urgent.poll();
        if (next == null && answersInARow < MOST_ANSWERS) {
            next = answers.poll();
            answersInARow++;
        }
        if (next == null) {
            answersInARow = 0;
            if (tasks.isEmpty()) {
                waiting.set(0);
            } else {
                // before the task is taken: an Error between both must not lose it
                waiting.decrementAndGet();
            }
            next = tasks.poll();
        }
        return next == null ? answers.poll() : next;
    }

    /** Returns whether the next task can run. */
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
            // the cause may be temporary: check() tries again
            return false;
        }
    }

    private boolean isRelieved() {
        AtomicBoolean taken = new AtomicBoolean();
        try {
            relief.execute(() -> {
                if (taken.compareAndSet(false, true)) {
                    resume(false);
                }
            });
            return true;
        } catch (Throwable noRelief) {
            // a pool may throw because it cannot start a thread, although another one of its threads takes the task
            return !taken.compareAndSet(false, true);
        }
    }
}
