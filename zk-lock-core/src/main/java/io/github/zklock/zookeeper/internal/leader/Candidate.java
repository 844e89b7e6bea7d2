package io.github.zklock.zookeeper.internal.leader;

import io.github.zklock.ClusterLock;
import io.github.zklock.FencingToken;
import io.github.zklock.LeaderTask;
import io.github.zklock.Leadership;
import io.github.zklock.LeadershipListener;
import io.github.zklock.LockContext;
import io.github.zklock.LockHandle;
import io.github.zklock.LockLostException;
import io.github.zklock.LockName;
import io.github.zklock.LockRegistryClosedException;
import io.github.zklock.Registration;
import io.github.zklock.zookeeper.internal.runtime.Nanos;
import io.github.zklock.zookeeper.internal.runtime.Threads;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A candidacy: one thread that acquires the lock, leads until the term ends, and begins again.
 *
 * <pre>
 * NEW -&gt; CANDIDATE -&gt; LEADER -&gt; CANDIDATE ... -&gt; CLOSED
 * </pre>
 *
 * <p>Invariant: the candidate's thread releases the lock of a term only when no task of the term runs any more.
 */
public final class Candidate implements Leadership {

    static final Duration PAUSE_AFTER_FAILURE = Duration.ofSeconds(5);

    private static final Logger LOG = LoggerFactory.getLogger(Candidate.class);
    private static final Duration LONGEST_CLOSE = Duration.ofSeconds(10);
    private static final int IDLE_SECONDS = 5;

    private final ClusterLock lock;
    private final String threadName;
    private final List<LeadershipListener> listeners = new CopyOnWriteArrayList<>();
    /** One thread, so that a listener receives its calls in order. */
    private final ThreadPoolExecutor notices;

    private final ReentrantLock guard = new ReentrantLock();
    private final Condition changed = guard.newCondition();

    // guarded by guard
    private final Set<Task> tasks = new LinkedHashSet<>();
    private @Nullable Thread thread;
    private boolean acquiring;
    private boolean closed;
    private boolean over;

    /** The present term; null between two terms. Written under the guard. */
    private volatile @Nullable Term term;

    /** @param lock the lock that the leader holds */
    public Candidate(ClusterLock lock) {
        this.lock = lock;
        this.threadName = "zk-lock-leader-" + lock.name();
        this.notices = new ThreadPoolExecutor(
                1,
                1,
                IDLE_SECONDS,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(),
                task -> Threads.plain(task, threadName + "-listener"));
        notices.allowCoreThreadTimeOut(true);
    }

    @Override
    public LockName name() {
        return lock.name();
    }

    @Override
    public void start() {
        guard.lock();
        try {
            if (closed) {
                throw new IllegalStateException(
                        "Leadership '" + name() + "' not started: it was closed. Get a new one from the registry");
            }
            if (thread == null) {
                Thread candidate = Threads.plain(this::campaign, threadName);
                candidate.start();
                thread = candidate;
            }
        } finally {
            guard.unlock();
        }
    }

    @Override
    public boolean isLeader() {
        Term now = term;
        return now != null && now.leads();
    }

    @Override
    public Optional<FencingToken> token() {
        Term now = term;
        return now != null && now.leads() ? Optional.of(now.token()) : Optional.empty();
    }

    @Override
    public Registration runWhileLeader(LeaderTask action) {
        Task task = new Task(Objects.requireNonNull(action, "task"));
        guard.lock();
        try {
            tasks.add(task);
            Term now = term;
            if (now != null && !now.isOver()) {
                now.begin(task);
            }
        } finally {
            guard.unlock();
        }
        return () -> {
            guard.lock();
            try {
                tasks.remove(task);
                task.interrupt();
            } finally {
                guard.unlock();
            }
        };
    }

    @Override
    public Registration addListener(LeadershipListener listener) {
        Objects.requireNonNull(listener, "listener");
        listeners.add(listener);
        return () -> listeners.remove(listener);
    }

    @Override
    public void stepDown(Duration pause) {
        if (pause.isNegative()) {
            throw new IllegalArgumentException("Leadership '" + name() + "': the pause " + pause
                    + " is negative; use zero to become a candidate again at once");
        }
        Term now = term;
        if (now != null) {
            now.end("it stepped down", pause);
        }
    }

    @Override
    public void close() {
        guard.lock();
        try {
            closed = true;
            Term now = term;
            if (now != null) {
                now.end("it was closed", Duration.ZERO);
            }
            if (acquiring && thread != null) {
                thread.interrupt();
            }
            changed.signalAll();
            if (thread != null && !isTaskOfThis(Thread.currentThread())) {
                awaitOver();
            }
        } finally {
            guard.unlock();
        }
    }

    private boolean isTaskOfThis(Thread caller) {
        Term now = term;
        return now != null && now.running.stream().anyMatch(task -> task.thread == caller);
    }

    private boolean isRegistered(Task task) {
        guard.lock();
        try {
            return tasks.contains(task);
        } finally {
            guard.unlock();
        }
    }

    /** Waits until the candidate's thread has ended, at most {@link #LONGEST_CLOSE}. An interrupt ends the wait. */
    private void awaitOver() {
        long left = Nanos.of(LONGEST_CLOSE);
        try {
            while (!over && left > 0) {
                left = changed.awaitNanos(left);
            }
        } catch (InterruptedException early) {
            Thread.currentThread().interrupt();
        }
    }

    // the candidate's thread

    private void campaign() {
        try {
            Duration pause = Duration.ZERO;
            while (hasPaused(pause)) {
                pause = attempt();
            }
        } finally {
            guard.lock();
            try {
                closed = true;
                over = true;
                changed.signalAll();
            } finally {
                guard.unlock();
                // the notices that wait are still delivered
                notices.shutdown();
            }
        }
    }

    /** Waits for the lock and leads for one term. Returns the pause before the next attempt. */
    private Duration attempt() {
        try {
            LockHandle handle = acquired();
            return handle == null ? Duration.ZERO : lead(handle);
        } catch (LockRegistryClosedException ended) {
            guard.lock();
            try {
                closed = true;
            } finally {
                guard.unlock();
            }
            return Duration.ZERO;
        } catch (RuntimeException | Error failed) {
            LOG.warn(
                    "This process cannot be a candidate for the leadership '{}' at the moment; the next attempt follows in"
                            + " {}",
                    name(),
                    PAUSE_AFTER_FAILURE,
                    failed);
            return PAUSE_AFTER_FAILURE;
        }
    }

    /** Returns the handle of the lock; null if this leadership was closed during the wait. */
    private @Nullable LockHandle acquired() {
        if (!setAcquiring(true)) {
            return null;
        }
        try {
            return lock.acquire();
        } catch (InterruptedException stopped) {
            return null;
        } finally {
            setAcquiring(false);
            // an interrupt that came too late must not end the next wait
            Thread.interrupted();
        }
    }

    /** Records whether {@link #close} may interrupt the thread. Returns false if this leadership is closed. */
    private boolean setAcquiring(boolean begins) {
        guard.lock();
        try {
            acquiring = begins;
            return !closed;
        } finally {
            guard.unlock();
        }
    }

    /** Returns false if this leadership was closed. */
    private boolean hasPaused(Duration pause) {
        guard.lock();
        try {
            awaitChange(() -> closed, pause);
            return !closed;
        } finally {
            guard.unlock();
        }
    }

    /**
     * Waits until the condition is true, at most for this time. Interrupts of this thread have no meaning here. Called
     * under the guard.
     */
    private void awaitChange(BooleanSupplier condition, Duration limit) {
        long left = Nanos.of(limit);
        while (!condition.getAsBoolean() && left > 0) {
            try {
                left = changed.awaitNanos(left);
            } catch (InterruptedException meaningless) {
                // the exception has cleared the flag
            }
        }
    }

    /** Leads until the term ends. Returns the pause before the next candidacy. */
    private Duration lead(LockHandle handle) {
        Term now = new Term(handle);
        try {
            now.run();
            return now.pause;
        } finally {
            now.leave();
        }
    }

    private void notice(Consumer<LeadershipListener> call) {
        notices.execute(() -> {
            for (LeadershipListener listener : listeners) {
                try {
                    call.accept(listener);
                } catch (Throwable failed) {
                    LOG.warn("A listener of the leadership '{}' failed", name(), failed);
                }
            }
        });
    }

    /** A registered task, and its run in the present term. */
    private static final class Task {

        private final LeaderTask action;
        /** The thread of the run; null if the task does not run. Guarded by guard. */
        private @Nullable Thread thread;

        private Task(LeaderTask action) {
            this.action = action;
        }

        private void interrupt() {
            if (thread != null) {
                thread.interrupt();
            }
        }
    }

    /** One term, from the grant of the lock until its release. */
    private final class Term {

        private final LockHandle handle;

        // guarded by guard
        private final Set<Task> running = new LinkedHashSet<>();
        private Duration pause = Duration.ZERO;
        /** Why the term has ended; null before. Written under the guard. */
        private volatile @Nullable String reason;

        private Term(LockHandle handle) {
            this.handle = handle;
        }

        private FencingToken token() {
            return handle.fencingToken();
        }

        private boolean isOver() {
            return reason != null;
        }

        private boolean leads() {
            return !isOver() && handle.isHeld();
        }

        /** Ends the term; the candidate's thread does the rest. Only the first call counts. Any thread. */
        private void end(String why, Duration pauseAfterwards) {
            guard.lock();
            try {
                if (!isOver()) {
                    reason = why;
                    pause = pauseAfterwards;
                    changed.signalAll();
                }
            } finally {
                guard.unlock();
            }
        }

        /** Returns when the term has ended, for whatever reason. */
        private void run() {
            handle.onLost(() -> end("its lock was lost", Duration.ZERO));
            guard.lock();
            try {
                if (closed) {
                    return;
                }
                term = this;
                LOG.info("This process is the leader of '{}', token {}", name(), token());
                notice(listener -> listener.started(name(), token()));
                tasks.forEach(this::begin);
                while (!isOver()) {
                    changed.awaitUninterruptibly();
                }
            } finally {
                guard.unlock();
            }
        }

        /** Starts the task on a thread of its own. Called under the guard. */
        private void begin(Task task) {
            Thread runner = Threads.plain(() -> run(task), threadName + "-task");
            runner.setContextClassLoader(task.action.getClass().getClassLoader());
            runner.start();
            task.thread = runner;
            running.add(task);
        }

        private void run(Task task) {
            try (LockContext.Scope scope = LockContext.open(handle)) {
                task.action.run(token());
            } catch (Throwable failed) {
                ended(task, failed);
            } finally {
                guard.lock();
                try {
                    task.thread = null;
                    running.remove(task);
                    changed.signalAll();
                } finally {
                    guard.unlock();
                }
            }
        }

        private void ended(Task task, Throwable failed) {
            if (isOver() || !isRegistered(task)) {
                LOG.debug("A task of the leadership '{}' has ended", name(), failed);
            } else {
                LOG.error(
                        "A task of the leadership '{}' failed: this process steps down for {}",
                        name(),
                        PAUSE_AFTER_FAILURE,
                        failed);
                end("a task of it failed", PAUSE_AFTER_FAILURE);
            }
        }

        /** Ends the tasks, and then the hold of the lock. */
        private void leave() {
            // without effect, unless an Error has ended the term
            end("an error has ended it", PAUSE_AFTER_FAILURE);
            guard.lock();
            try {
                if (term == this) {
                    String why = String.valueOf(reason);
                    LOG.info("This process is not the leader of '{}' any more: {} (token {})", name(), why, token());
                    notice(listener -> listener.stopped(name(), token(), why));
                }
                running.forEach(Task::interrupt);
                awaitChange(running::isEmpty, LONGEST_CLOSE);
                if (!running.isEmpty()) {
                    reportTasks();
                }
                while (!running.isEmpty()) {
                    changed.awaitUninterruptibly();
                }
                term = null;
            } finally {
                guard.unlock();
                release();
            }
        }

        private void release() {
            try {
                handle.close();
            } catch (LockLostException lost) {
                LOG.debug("The lock of the leadership was lost", lost);
            }
        }

        private void reportTasks() {
            for (Task task : running) {
                Thread runner = task.thread;
                if (runner != null) {
                    LOG.warn(
                            "A term of the leadership '{}' has ended ({}), but its task still runs after {}, at\n{}\n"
                                    + "Until it ends, this process does not give up the lock. Let the task end when its"
                                    + " thread is interrupted",
                            name(),
                            reason,
                            LONGEST_CLOSE,
                            Stream.of(runner.getStackTrace())
                                    .map(frame -> "    at " + frame)
                                    .collect(Collectors.joining("\n")));
                }
            }
        }
    }
}
