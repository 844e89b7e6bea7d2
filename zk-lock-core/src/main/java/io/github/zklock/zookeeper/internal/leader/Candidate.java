package io.github.zklock.zookeeper.internal.leader;

import io.github.zklock.ClusterLock;
import io.github.zklock.FencingToken;
import io.github.zklock.Leadership;
import io.github.zklock.LockContext;
import io.github.zklock.LockHandle;
import io.github.zklock.LockLostException;
import io.github.zklock.LockName;
import io.github.zklock.LockRegistryClosedException;
import io.github.zklock.LockState;
import io.github.zklock.Registration;
import io.github.zklock.internal.Words;
import io.github.zklock.zookeeper.internal.runtime.EngineLog;
import io.github.zklock.zookeeper.internal.runtime.Nanos;
import io.github.zklock.zookeeper.internal.runtime.StackProbe;
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
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

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

    private static final Logger LOG = EngineLog.ofUserFailures(Candidate.class);
    private static final Duration LONGEST_CLOSE = Duration.ofSeconds(10);
    private static final Duration ROUND = Duration.ofSeconds(1);
    private static final int ROUNDS_BEFORE_WARNING = 10;
    private static final String LOSS = "its lock was lost";
    private static final int IDLE_SECONDS = 5;

    private final ClusterLock lock;
    private final String threadName;
    private final List<Leadership.Listener> listeners = new CopyOnWriteArrayList<>();
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
        guarded(() -> {
            if (closed) {
                throw new IllegalStateException(
                        "Leadership '" + name() + "' not started: it was closed. Get a new one from the registry");
            }
            if (thread == null) {
                Thread candidate = Threads.plain(this::campaign, threadName);
                candidate.start();
                thread = candidate;
            }
        });
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
    public Registration runWhileLeader(Leadership.Task action) {
        Task task = new Task(Objects.requireNonNull(action, "task"));
        guarded(() -> {
            tasks.add(task);
            Term now = term;
            if (now != null && !now.isOver()) {
                boolean began = false;
                try {
                    now.begin(task);
                    began = true;
                } finally {
                    if (!began) {
                        tasks.remove(task);
                    }
                }
            }
        });
        return () -> guarded(() -> {
            tasks.remove(task);
            task.interrupt();
        });
    }

    @Override
    public Registration addListener(Leadership.Listener listener) {
        Objects.requireNonNull(listener, "listener");
        listeners.add(listener);
        return () -> listeners.remove(listener);
    }

    @Override
    public void stepDown(Duration pause) {
        if (pause.isNegative()) {
            throw new IllegalArgumentException("Leadership '" + name() + "': the pause " + Words.of(pause)
                    + " is negative; use zero to become a candidate again at once");
        }
        Term now = term;
        if (now != null) {
            now.end("it stepped down", pause);
        }
    }

    @Override
    public void close() {
        guarded(() -> {
            closed = true;
            Term now = term;
            if (now != null) {
                now.end("it was closed", Duration.ZERO);
            }
            if (acquiring && thread != null) {
                thread.interrupt();
            }
            changed.signalAll();
            if (thread != null) {
                awaitOver();
            }
        });
    }

    private boolean isRegistered(Task task) {
        return guarded(() -> tasks.contains(task));
    }

    /**
     * Waits until all tasks but that of the calling thread have ended and, if no task calls, the candidate's thread as
     * well. Waits at most {@link #LONGEST_CLOSE}. An interrupt ends the wait.
     */
    private void awaitOver() {
        Term now = term;
        Set<Task> running = now == null ? Set.of() : now.running;
        Thread caller = Thread.currentThread();
        boolean isTask = running.stream().anyMatch(task -> task.thread == caller);
        long left = Nanos.of(LONGEST_CLOSE);
        try {
            while (!over && left > 0 && !(isTask && running.size() == 1)) {
                left = changed.awaitNanos(left);
            }
        } catch (InterruptedException early) {
            Thread.currentThread().interrupt();
        }
    }

    private void guarded(Runnable step) {
        guarded(() -> {
            step.run();
            return true;
        });
    }

    /**
     * Runs the step under the guard.
     *
     * @throws StackOverflowError if the stack has no room for the step: a guard that stays locked would block this
     *     candidacy for ever
     */
    private <T> T guarded(Supplier<T> step) {
        if (!StackProbe.hasRoom()) {
            throw new StackOverflowError("The stack has no room for a call of leadership '" + lock.name() + "'");
        }
        guard.lock();
        try {
            return step.get();
        } finally {
            guard.unlock();
        }
    }

    // the candidate's thread

    private void campaign() {
        Duration pause = Duration.ZERO;
        boolean open = true;
        while (open) {
            try {
                open = hasPaused(pause);
                pause = open ? attempt() : pause;
            } catch (Throwable passing) {
                // no call here, not even for a log: the next round tries again
                pause = PAUSE_AFTER_FAILURE;
            }
        }
        // no lambda, whose first use needs memory: close() would wait for its whole limit after an Error here
        guard.lock();
        try {
            over = true;
            changed.signalAll();
        } finally {
            guard.unlock();
        }
        // the notices that wait are still delivered
        notices.shutdown();
    }

    /** Waits for the lock and leads for one term. Returns the pause before the next attempt. */
    private Duration attempt() {
        Term next = new Term();
        try {
            acquire(next);
            next.run();
            return next.pause;
        } catch (LockRegistryClosedException ended) {
            LOG.info("This process is no candidate for the leadership '{}' any more: the registry is closed", name());
            guarded(() -> closed = true);
            return Duration.ZERO;
        } catch (RuntimeException | Error failed) {
            LOG.warn(
                    "This process cannot be a candidate for the leadership '{}' at the moment; the next attempt follows in"
                            + " {}",
                    name(),
                    PAUSE_AFTER_FAILURE,
                    failed);
            return PAUSE_AFTER_FAILURE;
        } finally {
            next.leave();
        }
    }

    /** Acquires the lock for the term, unless this leadership is closed. */
    private void acquire(Term next) {
        if (!setAcquiring(true)) {
            return;
        }
        try {
            next.handle = lock.acquire();
        } catch (InterruptedException stopped) {
            // close() was called
        } finally {
            setAcquiring(false);
            // an interrupt that came too late must not end the next wait
            Thread.interrupted();
        }
    }

    /** Records whether {@link #close} may interrupt the thread. Returns false if this leadership is closed. */
    private boolean setAcquiring(boolean begins) {
        return guarded(() -> {
            acquiring = begins;
            return !closed;
        });
    }

    /** Returns false if this leadership was closed. */
    private boolean hasPaused(Duration pause) {
        return guarded(() -> {
            awaitChange(() -> closed, pause);
            return !closed;
        });
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

    /** A registered task, and its run in the present term. */
    private static final class Task {

        private final Leadership.Task action;
        /** The thread of the run; null if the task does not run. Guarded by guard. */
        private @Nullable Thread thread;

        private Task(Leadership.Task action) {
            this.action = action;
        }

        private void interrupt() {
            if (thread != null) {
                thread.interrupt();
            }
        }

        private boolean isOver() {
            return thread == null || !thread.isAlive();
        }
    }

    /** One term, from the request for the lock until its release. */
    private final class Term {

        /** Written by the candidate's thread; null until the lock is held. */
        private volatile @Nullable LockHandle handle;

        /** The listeners that receive the term. Written by the candidate's thread. */
        private List<Leadership.Listener> audience = List.of();

        // guarded by guard
        private final Set<Task> running = new LinkedHashSet<>();
        private Duration pause = Duration.ZERO;
        /** Why the term has ended; null before. Written under the guard. */
        private volatile @Nullable String reason;

        private LockHandle handle() {
            return Objects.requireNonNull(handle, "no lock");
        }

        private FencingToken token() {
            return handle().fencingToken();
        }

        private boolean isOver() {
            return reason != null;
        }

        private boolean leads() {
            LockHandle held = handle;
            return !isOver() && held != null && held.isHeld();
        }

        /** Ends the term; the candidate's thread does the rest. Only the first call counts. Any thread. */
        private void end(String why, Duration pauseAfterwards) {
            guarded(() -> {
                if (!isOver()) {
                    reason = why;
                    pause = pauseAfterwards;
                    changed.signalAll();
                }
            });
        }

        /** Returns when the term has ended, for whatever reason. */
        private void run() {
            LockHandle held = handle;
            if (held == null) {
                return;
            }
            held.onLost(() -> end(LOSS, Duration.ZERO));
            LOG.info("This process is the leader of '{}', token {}", name(), token());
            if (!guarded(() -> tryBegin(held))) {
                return;
            }
            while (!hasEnded()) {
                // an Error may have lost the report of the loss
                if (held.state() == LockState.LOST) {
                    end(LOSS, Duration.ZERO);
                }
            }
        }

        /** Begins the term. Returns false if it is over already, or this leadership closed. Called under the guard. */
        private boolean tryBegin(LockHandle held) {
            if (closed || isOver() || held.state() == LockState.LOST) {
                return false;
            }
            audience = List.copyOf(listeners);
            term = this;
            notice(listener -> listener.started(name(), token()));
            tasks.forEach(this::begin);
            return true;
        }

        /** Waits for a second at most. */
        private boolean hasEnded() {
            return guarded(() -> {
                awaitChange(this::isOver, ROUND);
                return isOver();
            });
        }

        /** Starts the task on a thread of its own. Called under the guard. */
        private void begin(Task task) {
            Thread runner = Threads.plain(() -> run(task), threadName + "-task");
            runner.setContextClassLoader(task.action.getClass().getClassLoader());
            running.add(task);
            task.thread = runner;
            boolean began = false;
            try {
                runner.start();
                began = true;
            } finally {
                if (!began) {
                    task.thread = null;
                    running.remove(task);
                }
            }
        }

        private void run(Task task) {
            try (LockContext.Scope scope = LockContext.open(handle())) {
                task.action.run(token());
            } catch (Throwable failed) {
                failed(task, failed);
            } finally {
                // if an Error prevents this, haveTasksEnded() sees that the thread has ended
                guarded(() -> {
                    task.thread = null;
                    running.remove(task);
                    changed.signalAll();
                });
            }
        }

        private void failed(Task task, Throwable failed) {
            if (isOver() || !isRegistered(task)) {
                LOG.debug("A task of the leadership '{}' has ended", name(), failed);
                return;
            }
            end("a task of it failed", PAUSE_AFTER_FAILURE);
            LOG.error(
                    "A task of the leadership '{}' failed: this process steps down for {}",
                    name(),
                    PAUSE_AFTER_FAILURE,
                    failed);
        }

        /** Ends the tasks, and then the hold of the lock, whatever is thrown meanwhile. */
        private void leave() {
            LockHandle held = handle;
            int rounds = 0;
            boolean left = held == null;
            while (!left) {
                try {
                    // without effect, unless an Error has ended the term
                    end("an error has ended it", PAUSE_AFTER_FAILURE);
                    if (rounds == 0) {
                        interruptTasks();
                    }
                    if (rounds++ == ROUNDS_BEFORE_WARNING) {
                        reportTasks();
                    }
                    left = haveTasksEnded() && isReleased();
                } catch (Throwable passing) {
                    // no call here, not even for a log: the next round tries again
                }
            }
        }

        private void interruptTasks() {
            boolean began = term == this;
            guarded(() -> running.forEach(Task::interrupt));
            if (began) {
                String why = String.valueOf(reason);
                notice(listener -> listener.stopped(name(), token(), why));
                LOG.info("This process is not the leader of '{}' any more: {} (token {})", name(), why, token());
            }
        }

        /** Waits for a second at most. */
        private boolean haveTasksEnded() {
            return guarded(() -> {
                awaitChange(running::isEmpty, ROUND);
                running.removeIf(Task::isOver);
                if (running.isEmpty()) {
                    term = null;
                }
                return running.isEmpty();
            });
        }

        private boolean isReleased() {
            try {
                handle().close();
            } catch (LockLostException lost) {
                LOG.debug("The lock of the leadership was lost", lost);
            }
            return true;
        }

        private void reportTasks() {
            for (Thread runner : runners()) {
                LOG.warn(
                        "A term of the leadership '{}' has ended ({}), but its task still runs after {} s, at\n{}\n"
                                + "Until it ends, this process does not give up the lock. Let the task end when its"
                                + " thread is interrupted",
                        name(),
                        reason,
                        ROUNDS_BEFORE_WARNING,
                        Words.of(Stream.of(runner.getStackTrace())));
            }
        }

        private List<Thread> runners() {
            return guarded(() -> running.stream()
                    .map(task -> task.thread)
                    .filter(Objects::nonNull)
                    .toList());
        }

        /** Passes a call to the listeners of this term that are still registered. */
        private void notice(Consumer<Leadership.Listener> call) {
            List<Leadership.Listener> receivers = audience;
            try {
                notices.execute(() -> {
                    for (Leadership.Listener listener : receivers) {
                        if (listeners.contains(listener)) {
                            pass(call, listener);
                        }
                    }
                });
            } catch (Throwable noThread) {
                LOG.warn(
                        "The listeners of the leadership '{}' miss a call: no thread can be started", name(), noThread);
            }
        }

        private void pass(Consumer<Leadership.Listener> call, Leadership.Listener listener) {
            try {
                call.accept(listener);
            } catch (Throwable failed) {
                LOG.warn("A listener of the leadership '{}' failed", name(), failed);
            }
        }
    }
}
