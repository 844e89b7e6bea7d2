package io.github.zklock.zookeeper.internal.runtime;

import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RunnableScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * The threads of one registry. All of them are daemons. All but those of the timer and of the watch start and end with
 * their work.
 *
 * <p>Invariant: no step of the library and no deadline waits for code of users. This is the list of such code, the
 * thread on which it runs, and what waits while it blocks:
 *
 * <table>
 * <caption>Code of users</caption>
 * <tr><th>code<th>thread<th>what it holds up
 * <tr><td>stages of a future that this library completes ({@code acquireAsync}, {@code beginAsync}, {@code released},
 *     {@code succeeded}, {@code abandon}) <td>{@link #callbacks} <td>other stages of the same future
 * <tr><td>stages of a future that its caller completes or cancels <td>that caller's thread <td>other stages of the same
 *     future; the request has left the queue before ({@link CallerFuture})
 * <tr><td>stages of {@code terminated()} <td>a thread of their own <td>nothing
 * <tr><td>{@code LockListener} <td>{@link #callbacks}, one at a time for each listener <td>later events of the same
 *     listener, which are dropped beyond {@link ListenerQueue#CAPACITY}
 * <tr><td>actions of {@code onLost} <td>{@link #losses} <td>nothing
 * <tr><td>policy function, access list provider <td>the thread of the request, which is interrupted when the limit of the
 *     request is over <td>that request; beyond its limit only if the code ignores the interrupt
 * <tr><td>access list provider, while Curator creates the base path <td>{@link #client} <td>the session; requests end at
 *     their limits
 * <tr><td>log appenders and filters <td>one thread for all registries ({@link EngineLog}) <td>log lines, which are dropped
 *     beyond {@link EngineLog#CAPACITY}
 * <tr><td>tasks of a leadership <td>a thread for each task and term <td>the end of the term: the lock stays held
 * <tr><td>{@code Leadership.Listener} <td>one thread for each leadership <td>later calls of the same leadership
 * </table>
 *
 * <p>{@link #callbacks} and {@link #losses} replace each thread that is blocked ({@link UserThreads}). If {@value
 * #MOST_CALLBACKS} threads are blocked, new asynchronous requests are rejected, and actions of {@code onLost} wait.
 *
 * <p>Not covered: a registry that has ended in a process that can start no thread. What is left of its work then runs on
 * the thread that causes it.
 *
 * <p>Not covered: code that other parts of the application run on the threads of ZooKeeper's client, such as watchers of
 * a client that the registry shares. While it blocks, no answer of the servers arrives: requests end at their limits, and
 * held locks are suspended.
 */
public final class Threads {

    private static final Logger LOG = EngineLog.of(Threads.class);
    private static final int IDLE_SECONDS = 5;
    /** The same after the end of the registry. */
    private static final int LAST_IDLE_MILLIS = 100;

    /** The time between two checks. */
    public static final long LOOK_NANOS = 1_000_000_000L;
    /** The number of threads for {@link #callbacks} that code of users may block. */
    public static final int MOST_CALLBACKS = UserThreads.MOST;

    /** More threads would not help: there is one client. */
    private static final int MOST_CLIENT_THREADS = 32;

    private final String prefix;
    private final ScheduledThreadPoolExecutor timer;
    private final ThreadPoolExecutor relief;
    private final ThreadPoolExecutor client;
    private final UserThreads losses;
    private final UserThreads callbacks;
    private final ThreadPoolExecutor searches;
    private final ScheduledThreadPoolExecutor steps;
    private volatile @Nullable Thread watcher;
    /** Whether a thread watches {@link #late}. */
    private volatile boolean watched = true;
    /** Tasks for which no thread could be started. */
    private final Queue<Runnable> late = new ConcurrentLinkedQueue<>();

    public Threads(String registry) {
        this.prefix = "zk-lock-" + registry + "-";
        this.timer = new ScheduledThreadPoolExecutor(1, named("timer"));
        timer.setRemoveOnCancelPolicy(true);
        timer.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
        this.relief = pool("loop", 1);
        this.client = pool("client", MOST_CLIENT_THREADS);
        this.losses = userThreads("loss");
        this.callbacks = userThreads("callback");
        this.searches = pool("search", 1);
        this.steps = new StepPool(named("step"));
        steps.setKeepAliveTime(IDLE_SECONDS, TimeUnit.SECONDS);
        steps.allowCoreThreadTimeOut(true);
        steps.setRemoveOnCancelPolicy(true);
    }

    public ScheduledThreadPoolExecutor timer() {
        return timer;
    }

    /** Returns the executor for the loop only: nothing that blocks runs there. */
    public Executor relief() {
        return relief;
    }

    /**
     * Runs the checks until the shutdown, on a thread that no Error and no failure to start a thread stops. It ends
     * when no task waits for a thread any more.
     *
     * @param check runs whenever the thread is woken, and each second
     * @param look runs at most once a second
     * @param clock a monotonic clock
     */
    public void watch(Runnable check, Runnable look, LongSupplier clock) {
        Thread thread = plain(() -> watching(check, look, clock), prefix + "watch");
        watcher = thread;
        try {
            thread.start();
        } catch (Throwable noThread) {
            watched = false;
            throw noThread;
        }
    }

    private void watching(Runnable check, Runnable look, LongSupplier clock) {
        long next = clock.getAsLong() + LOOK_NANOS;
        while (!timer.isShutdown()) {
            try {
                LockSupport.parkNanos(next - clock.getAsLong());
                // interrupts of this thread have no meaning
                Thread.interrupted();
                check.run();
                if (clock.getAsLong() - next >= 0) {
                    next = clock.getAsLong() + LOOK_NANOS;
                    beginLate();
                    losses.grow();
                    callbacks.grow();
                    look.run();
                }
            } catch (Throwable passing) {
                // no call here, not even for a log: the next round tries again
            }
        }
        while (hasLate()) {
            try {
                LockSupport.parkNanos(LOOK_NANOS);
                Thread.interrupted();
                beginLate();
            } catch (Throwable passing) {
                // the next round tries again
            }
        }
    }

    /** Returns whether a task is late. If not, the thread that starts such tasks ends. */
    private boolean hasLate() {
        // written before the look: a task that is added behind it finds no thread at work
        watched = false;
        boolean isLate = !late.isEmpty();
        watched = isLate;
        return isLate;
    }

    /** Returns the executor for calls that may block on Curator's client, and for no other blocking calls. */
    public Executor client() {
        return task -> begin(client, task);
    }

    /** Returns the executor for loss actions, which must not wait for other tasks. */
    public Executor losses() {
        return guarded(losses);
    }

    /** Returns the executor for completions of the futures of users, and for listeners. */
    public Executor callbacks() {
        return guarded(callbacks);
    }

    /** Returns whether code of users blocks as many threads of {@link #callbacks} as there may be. */
    public boolean hasNoCallbackThread() {
        return callbacks.isExhausted();
    }

    /** Returns the executor for steps of the library. */
    public Steps steps() {
        return new Steps() {
            @Override
            public void execute(Runnable step) {
                Task task = new Task(step);
                begin(each -> schedule(task, 0), task);
            }

            @Override
            public Runnable after(long nanos, Runnable step) {
                Task task = new Task(step);
                beginLater(() -> schedule(task, nanos));
                return task::cancel;
            }
        };
    }

    // the step is over when it has run; the queue compares by identity
    @SuppressWarnings({"FutureReturnValueIgnored", "CollectionUndefinedEquality"})
    private void schedule(Task task, long nanos) {
        if (task.get()) {
            // cancelled, or begun
            return;
        }
        if (steps.getQueue().contains(task.scheduled)) {
            // kept by an earlier attempt, which could not start the thread
            steps.prestartCoreThread();
        } else {
            steps.schedule(task, nanos, TimeUnit.NANOSECONDS);
        }
    }

    /** Runs code of users on a thread of its own, which waits for no other code of users. */
    public void runApart(Runnable task) {
        begin(each -> named("end").newThread(each).start(), new Task(task));
    }

    /** Runs a task that may block for an answer of the servers, after this time, unless the registry is closed before. */
    @SuppressWarnings("FutureReturnValueIgnored") // it is over when it has run
    public void searchAfter(Duration pause, Runnable search) {
        timer.schedule(() -> begin(searches, search), Nanos.of(pause), TimeUnit.NANOSECONDS);
    }

    /** Waits until no call blocks on Curator's client any more, at most for this time. */
    public void awaitClient(Duration limit) {
        // an interrupt must not leave the close of a registry incomplete
        boolean interrupted = Thread.interrupted();
        try {
            client.awaitTermination(Nanos.of(limit), TimeUnit.NANOSECONDS);
        } catch (InterruptedException early) {
            interrupted = true;
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    public void shutDown() {
        timer.shutdownNow();
        LockSupport.unpark(watcher);
        relief.shutdown();
        client.shutdown();
        losses.shutdown();
        callbacks.shutdown();
        searches.shutdownNow();
        // not shut down: also after the end of the registry, each caller gets its answer. Its thread ends when it is
        // idle
        steps.setKeepAliveTime(LAST_IDLE_MILLIS, TimeUnit.MILLISECONDS);
    }

    private Executor guarded(Executor pool) {
        return task -> begin(pool, new Task(task));
    }

    private void beginLate() {
        for (int left = late.size(); left > 0; left--) {
            Runnable task = late.peek();
            if (task == null) {
                return;
            }
            task.run();
            late.remove(task);
        }
    }

    /**
     * Starts the task. If no thread can be started, tries again each second, also after the shutdown, because a caller
     * may wait for the outcome. When the thread that does so has ended, the task runs at once.
     */
    private void begin(Executor pool, Runnable task) {
        try {
            pool.execute(task);
        } catch (Throwable noThread) {
            Runnable attempt = () -> begin(pool, task);
            putOff(attempt, noThread);
            if (!watched && late.remove(attempt)) {
                task.run();
            }
        }
    }

    /**
     * Schedules a step. If no thread can be started for it, tries again each second. Throws after the last thread has
     * ended.
     */
    private void beginLater(Runnable scheduling) {
        try {
            scheduling.run();
        } catch (Throwable noThread) {
            Runnable attempt = () -> beginLater(scheduling);
            putOff(attempt, noThread);
            if (!watched && late.remove(attempt)) {
                throw noThread;
            }
        }
    }

    private void putOff(Runnable attempt, Throwable noThread) {
        late.add(attempt);
        LOG.warn(
                "No thread can be started for a task of a lock ({}); the next attempt follows in a second",
                noThread.toString());
    }

    private ThreadPoolExecutor pool(String role, int most) {
        ThreadPoolExecutor pool = new ThreadPoolExecutor(
                most, most, IDLE_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), named(role));
        pool.allowCoreThreadTimeOut(true);
        // also after the end of the registry each caller gets its answer
        pool.setRejectedExecutionHandler(
                (task, rejecting) -> named(role).newThread(task).start());
        return pool;
    }

    private UserThreads userThreads(String role) {
        return new UserThreads(UserThreads.BASE, UserThreads.MOST, named(role), named(role + "-growth"));
    }

    private ThreadFactory named(String role) {
        AtomicInteger number = new AtomicInteger();
        return task -> plain(task, prefix + role + "-" + number.incrementAndGet());
    }

    /**
     * Returns a daemon thread that inherits nothing from the thread that creates it: no inheritable thread locals, no
     * priority, and no context class loader, which would prevent a whole application from being collected.
     */
    @SuppressWarnings("ThreadPriorityCheck") // not to raise it, but not to inherit it
    public static Thread plain(Runnable task, String name) {
        Thread thread = new Thread(null, task, name, 0, false);
        thread.setDaemon(true);
        thread.setContextClassLoader(Threads.class.getClassLoader());
        thread.setPriority(Thread.NORM_PRIORITY);
        return thread;
    }

    /** Shows each task how it is scheduled, also if the pool then throws because it cannot start a thread. */
    private static final class StepPool extends ScheduledThreadPoolExecutor {

        StepPool(ThreadFactory threads) {
            super(1, threads);
        }

        @Override
        protected <V> RunnableScheduledFuture<V> decorateTask(Runnable step, RunnableScheduledFuture<V> scheduled) {
            ((Task) step).scheduled = scheduled;
            return scheduled;
        }
    }

    /** A task that runs once, although {@link #begin} may hand it over again and the pool may have kept it. */
    private static final class Task extends AtomicBoolean implements Runnable {

        private static final long serialVersionUID = 1;

        private final transient Runnable task;
        private transient volatile @Nullable Future<?> scheduled;

        Task(Runnable task) {
            this.task = task;
        }

        @Override
        public void run() {
            if (compareAndSet(false, true)) {
                try {
                    task.run();
                } catch (Throwable error) {
                    LOG.warn("A callback for a lock failed", error);
                }
            }
        }

        /** Without effect if the task has begun. */
        void cancel() {
            set(true);
            Future<?> waiting = scheduled;
            if (waiting != null) {
                waiting.cancel(false);
            }
        }
    }
}
