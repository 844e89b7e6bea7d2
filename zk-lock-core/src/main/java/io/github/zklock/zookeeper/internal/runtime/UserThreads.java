package io.github.zklock.zookeeper.internal.runtime;

import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The threads that run code of users. A thread that code of users blocks is replaced, so that no task waits for another
 * one to return.
 *
 * <p>Invariant: while tasks wait, there are as many threads that are not blocked as {@link #base}, up to {@link #most}
 * threads in all. A burst of short tasks therefore starts at most {@code base} threads.
 *
 * <p>Not guaranteed beyond {@code most} blocked threads: that a task runs. {@link #isExhausted} is true then.
 */
final class UserThreads implements Executor {

    /** The largest number of threads: a container often limits its processes to a few thousand. */
    static final int MOST = 2_048;

    static final int BASE = 32;

    private static final int IDLE_SECONDS = 5;
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(10);
    private static final long DOZE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
    /** The number of looks without a waiting task after which the growth thread ends. */
    private static final int IDLE_LOOKS = 10;
    /** The number of looks at the same task after which a thread that is not runnable counts as blocked. */
    private static final int LOOKS_WAITING = 2;
    /**
     * The same for a thread that is runnable: it either waits for the processor, or is blocked where the JVM does not
     * show it, as in a read from a socket.
     */
    private static final int LOOKS_RUNNABLE = 20;

    private final int base;
    private final int most;
    private final ThreadPoolExecutor pool;
    private final Queue<Runnable> waiting;
    private final ThreadFactory growthThread;
    private final Set<Call> running = ConcurrentHashMap.newKeySet();
    /** Whether there is a growth thread. */
    private final AtomicBoolean growing = new AtomicBoolean();

    private volatile @Nullable Thread dozing;
    private volatile boolean exhausted;

    /**
     * @param threads creates the threads for code of users
     * @param growthThread creates the thread that replaces blocked ones, which runs while tasks wait
     */
    UserThreads(int base, int most, ThreadFactory threads, ThreadFactory growthThread) {
        this.base = base;
        this.most = most;
        this.growthThread = growthThread;
        LinkedBlockingQueue<Runnable> queue = new LinkedBlockingQueue<>();
        this.waiting = queue;
        this.pool = new ThreadPoolExecutor(base, most, IDLE_SECONDS, TimeUnit.SECONDS, queue, threads);
        pool.allowCoreThreadTimeOut(true);
        // also after the end of the registry each caller gets its answer
        pool.setRejectedExecutionHandler(
                (task, rejecting) -> threads.newThread(task).start());
    }

    /** Runs the task on one of the threads. Never blocks. */
    @Override
    public void execute(Runnable task) {
        Call call = new Call(task);
        try {
            pool.execute(call);
        } catch (Throwable noThread) {
            if (pool.isShutdown() || pool.getPoolSize() == 0) {
                throw noThread;
            }
            waiting.add(call);
        }
        if (!waiting.isEmpty()) {
            wakeGrowth();
        }
    }

    /** Returns whether as many threads are blocked as there may be, so that further tasks wait for code of users. */
    boolean isExhausted() {
        return exhausted;
    }

    /** Ends each thread when its task and all waiting tasks have ended. Later tasks have threads of their own. */
    void shutdown() {
        pool.shutdown();
    }

    /**
     * Replaces threads that are blocked, if tasks wait.
     *
     * @return whether tasks wait, or there are more threads than usual
     */
    boolean grow() {
        int blocked = 0;
        for (Call call : running) {
            blocked += call.isBlocked() ? 1 : 0;
        }
        boolean tasksWait = !waiting.isEmpty();
        // each further thread may be blocked too, and is found blocked only some looks later: so the number doubles
        int wanted = tasksWait ? Math.max(base, blocked) + blocked : base + blocked;
        exhausted = tasksWait && blocked >= most;
        int allowed = Math.min(wanted, most);
        int now = pool.getCorePoolSize();
        if (tasksWait ? allowed > now : allowed < now) {
            pool.setCorePoolSize(allowed);
        }
        if (tasksWait && pool.getPoolSize() == 0) {
            pool.prestartCoreThread();
        }
        return tasksWait || (pool.getCorePoolSize() > base && !pool.isShutdown());
    }

    private void wakeGrowth() {
        Thread asleep = dozing;
        if (asleep != null) {
            dozing = null;
            LockSupport.unpark(asleep);
        } else if (!growing.get() && growing.compareAndSet(false, true)) {
            try {
                growthThread.newThread(this::growWhileNeeded).start();
            } catch (Throwable noThread) {
                // the task waits already, so this is no failure of execute(): the owner calls grow() each second
                growing.set(false);
            }
        }
    }

    /** Runs on the growth thread. */
    private void growWhileNeeded() {
        do {
            int idle = 0;
            while (idle < IDLE_LOOKS) {
                try {
                    pause();
                    idle = grow() ? 0 : idle + 1;
                } catch (Throwable passing) {
                    // no call here, not even for a log: the next look tries again
                    idle = 0;
                }
            }
            growing.set(false);
            // a task that began to wait meanwhile has found this thread at work
        } while (!waiting.isEmpty() && growing.compareAndSet(false, true));
    }

    private void pause() {
        if (waiting.isEmpty()) {
            dozing = Thread.currentThread();
            if (waiting.isEmpty()) {
                LockSupport.parkNanos(this, DOZE_NANOS);
            }
            dozing = null;
        }
        LockSupport.parkNanos(this, LOOK_NANOS);
        // interrupts of this thread have no meaning
        Thread.interrupted();
    }

    /** One task and the thread that runs it. */
    private final class Call implements Runnable {

        private final Runnable task;
        private volatile @Nullable Thread thread;
        /** Only the growth thread uses it, and one other thread once a second. */
        private int looks;

        Call(Runnable task) {
            this.task = task;
        }

        @Override
        public void run() {
            thread = Thread.currentThread();
            try {
                running.add(this);
            } finally {
                // also after an Error: a caller may wait for the outcome of the task
                runTask();
            }
        }

        private void runTask() {
            try {
                task.run();
            } finally {
                running.remove(this);
            }
        }

        /** Counts a look. */
        boolean isBlocked() {
            looks++;
            Thread runner = thread;
            boolean runnable = runner == null || runner.getState() == Thread.State.RUNNABLE;
            return looks >= (runnable ? LOOKS_RUNNABLE : LOOKS_WAITING);
        }
    }
}
