package io.github.zklock.zookeeper.internal.job;

import io.github.zklock.ClusterJob;
import io.github.zklock.FencingToken;
import io.github.zklock.JobNotDueException;
import io.github.zklock.LockAccessDeniedException;
import io.github.zklock.LockContext;
import io.github.zklock.LockException;
import io.github.zklock.LockHandle;
import io.github.zklock.LockLostException;
import io.github.zklock.LockName;
import io.github.zklock.LockState;
import io.github.zklock.LockTimeoutException;
import io.github.zklock.LockUnavailableException;
import io.github.zklock.OncePer;
import io.github.zklock.internal.Words;
import io.github.zklock.zookeeper.internal.job.RunRecords.Seen;
import io.github.zklock.zookeeper.internal.runtime.CallerFuture;
import io.github.zklock.zookeeper.internal.runtime.EngineLog;
import io.github.zklock.zookeeper.internal.runtime.Nanos;
import io.github.zklock.zookeeper.internal.runtime.Steps;
import io.github.zklock.zookeeper.internal.session.RefusedRequestException;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * A job of a registry. Two jobs of one registry with the same name and window are interchangeable.
 *
 * <p>Invariant: its steps run on {@link Steps} or on the loop, and call no code of users. Only futures of users complete
 * on the executor for code of users.
 */
public final class Job implements ClusterJob {

    /** The requests for the lock of a job. */
    @FunctionalInterface
    public interface Requests {

        /**
         * Prepares a request for one run. Calls the code of users that a request needs, on the calling thread.
         *
         * @param limit of the time for that code; null for no limit
         * @return sends the request, with the longest wait or null; its answer arrives on {@link Steps} or on the loop
         * @throws IllegalStateException if that code fails
         */
        Function<@Nullable Duration, CompletableFuture<LockHandle>> prepare(@Nullable Duration limit);
    }

    /**
     * What the jobs of a registry share.
     *
     * @param connectionTimeout the longest wait for an answer of ZooKeeper, for a caller that does not wait
     * @param steps the executor for the steps of jobs
     * @param callbacks the executor for code of users
     * @param nanoTime the registry's monotonic clock
     * @param own returns whether a handle may belong to the registry
     */
    public record Shared(
            RunRecords records,
            Duration connectionTimeout,
            Steps steps,
            Executor callbacks,
            LongSupplier nanoTime,
            Predicate<LockHandle> own,
            RunsUnderWay underWay,
            FastTimers fastTimers) {

        public Shared(
                RunRecords records,
                Duration connectionTimeout,
                Steps steps,
                Executor callbacks,
                LongSupplier nanoTime,
                Predicate<LockHandle> own) {
            this(records, connectionTimeout, steps, callbacks, nanoTime, own, new RunsUnderWay(), new FastTimers());
        }
    }

    /** The runs of a registry that have begun and whose lock is not released yet. */
    static final class RunsUnderWay {

        private record Key(LockName name, FencingToken token) {
            static Key of(LockHandle handle) {
                return new Key(handle.name(), handle.fencingToken());
            }
        }

        private final ConcurrentMap<Key, Run> runs = new ConcurrentHashMap<>();

        @SuppressWarnings("FutureReturnValueIgnored") // the result of the stage is not used
        private void add(LockHandle handle, Run run) {
            Key key = Key.of(handle);
            runs.put(key, run);
            handle.released().whenComplete((none, failure) -> runs.remove(key));
        }

        private @Nullable Run get(LockHandle handle) {
            return runs.get(Key.of(handle));
        }

        private @Nullable Run remove(LockHandle handle) {
            return runs.remove(Key.of(handle));
        }

        int count() {
            return runs.size();
        }
    }

    /**
     * A run that has begun.
     *
     * @param before the record that its own one has replaced; null if there was none
     */
    private record Run(RunRecord record, @Nullable RunRecord before) {}

    private static final Logger LOG = EngineLog.of(Job.class);

    /** The shortest time from the grant of the lock until the record must be written. */
    private static final Duration LAST_ANSWER = Duration.ofSeconds(1);

    private final LockName name;
    private final Requests lock;
    private final OncePer window;
    private final Shared shared;

    public Job(LockName name, Requests lock, OncePer window, Shared shared) {
        this.name = name;
        this.lock = lock;
        this.window = Objects.requireNonNull(window, "window");
        this.shared = shared;
    }

    @Override
    public LockName name() {
        return name;
    }

    @Override
    public OncePer oncePer() {
        return window;
    }

    @Override
    public LockHandle begin(Duration maxWait) throws InterruptedException {
        return await(begin(Objects.requireNonNull(maxWait, "maxWait"), Runnable::run));
    }

    @Override
    public LockHandle begin() throws InterruptedException {
        return await(begin(null, Runnable::run));
    }

    @Override
    public Optional<LockHandle> tryBegin() throws InterruptedException {
        try {
            return Optional.of(begin(Duration.ZERO));
        } catch (LockTimeoutException | JobNotDueException notNow) {
            return Optional.empty();
        }
    }

    @Override
    public CompletableFuture<LockHandle> beginAsync(@Nullable Duration maxWait) {
        return begin(maxWait, shared.callbacks());
    }

    /** @param answers completes the future: an executor for code of users, unless the future has no stages of users */
    private CompletableFuture<LockHandle> begin(@Nullable Duration maxWait, Executor answers) {
        if (maxWait != null && maxWait.isNegative()) {
            throw new IllegalArgumentException("Job '" + name() + "': the wait " + Words.of(maxWait)
                    + " is negative; use zero not to wait, or a method without a maximum wait");
        }
        return LockContext.current().stream()
                .filter(held -> held.name().equals(name()) && shared.own().test(held))
                .findFirst()
                .map(held -> CompletableFuture.<LockHandle>failedFuture(refusalUnder(held)))
                .orElseGet(() -> new Begin(maxWait, answers).start());
    }

    /** Returns why a thread cannot begin a run while it holds the job's lock. */
    private RuntimeException refusalUnder(LockHandle held) {
        Run run = shared.underWay().get(held);
        if (run == null) {
            return new IllegalStateException("Job '" + name()
                    + "' not begun: this thread holds its lock, and would wait for itself. Begin the job outside of the"
                    + " lock's scope");
        }
        Instant begun = run.record().begun();
        return new JobNotDueException(
                name(),
                "Job '" + name() + "' not begun: it is not due, because the run of this thread that began at " + begun
                        + " is still under way",
                begun);
    }

    LockHandle await(CompletableFuture<LockHandle> begun) throws InterruptedException {
        try {
            return begun.get();
        } catch (InterruptedException interrupted) {
            if (!begun.cancel(false) && !begun.isCompletedExceptionally()) {
                // the run began at the same moment: its work will not run
                abandon(begun.join());
            }
            throw interrupted;
        } catch (ExecutionException failed) {
            throw asUnchecked(failed.getCause());
        }
    }

    @Override
    @SuppressWarnings("FutureReturnValueIgnored") // the log is the result of the second stage
    public CompletionStage<Void> succeeded(LockHandle run) {
        Run begun = shared.underWay().remove(run);
        if (begun == null || run.state() == LockState.LOST) {
            return notUnderWay(run, "The success of job '" + name() + "' is not recorded");
        }
        CompletableFuture<Void> recorded = shared.records()
                .succeed(name(), begun.record())
                .thenAccept(record -> {
                    if (record == null) {
                        throw new CompletionException(new LockLostException(
                                name(),
                                "Job '" + name() + "' succeeded, but another run had begun before that was recorded"));
                    }
                });
        recorded.whenComplete((none, failure) -> {
            if (failure != null) {
                LOG.warn(
                        "The success of job '{}' could not be recorded: the job may run again within its window of {}",
                        name(),
                        Words.of(window.window()),
                        causeOf(failure));
            }
        });
        return forCaller(recorded);
    }

    /** Returns a stage that completes as this one does, on the executor for code of users. */
    private <T> CompletionStage<T> forCaller(CompletableFuture<T> step) {
        return step.whenCompleteAsync((value, failure) -> {}, shared.callbacks());
    }

    @Override
    public CompletionStage<Void> abandon(LockHandle run) {
        Run begun = shared.underWay().remove(run);
        if (begun == null) {
            if (run.state() == LockState.LOST) {
                LOG.warn(
                        "Job '{}' did not run, because its lock was lost before. Its record may show a run, and then the"
                                + " job is not due before the next window",
                        name());
            }
            return notUnderWay(run, "The begin of job '" + name() + "' is not undone");
        }
        return forCaller(undo(run, begun));
    }

    private CompletionStage<Void> notUnderWay(LockHandle run, String consequence) {
        if (run.state() == LockState.LOST) {
            // another run may have begun
            return CompletableFuture.failedFuture(
                    new LockLostException(name(), consequence + ": the lock of the run was lost"));
        }
        throw new IllegalArgumentException("No run of job '" + name()
                + "' is under way with this handle; call this method once, before the handle is closed");
    }

    @Override
    @SuppressWarnings("FutureReturnValueIgnored") // the answer is the result
    public Optional<LastRun> lastRun() throws InterruptedException {
        CompletableFuture<Seen> answer = new CompletableFuture<>();
        CompletableFuture<Seen> look = shared.records().look(name(), () -> !answer.isDone());
        look.whenComplete((seen, failure) -> {
            if (failure == null) {
                answer.complete(seen);
            } else {
                answer.completeExceptionally(failure);
            }
        });
        String consequence = "The last run of job '" + name() + "' is not known";
        try {
            RunRecord run = answer.get(Nanos.of(shared.connectionTimeout()), TimeUnit.NANOSECONDS)
                    .run();
            return run == null ? Optional.empty() : run.lastRun();
        } catch (ExecutionException failed) {
            throw asUnchecked(explained(failed.getCause(), consequence));
        } catch (TimeoutException late) {
            throw asUnchecked(explained(late, consequence));
        } finally {
            answer.cancel(false);
            look.cancel(false);
        }
    }

    /** Undoes a run that has begun and whose work did not run, and releases its lock. */
    private CompletableFuture<Void> undo(LockHandle handle, Run run) {
        CompletableFuture<?> undone;
        try {
            undone = shared.records().undo(name(), run.record(), run.before());
        } catch (RuntimeException | Error failed) {
            undone = CompletableFuture.failedFuture(failed);
        }
        return undone.handleAsync(
                (none, failure) -> {
                    release(handle);
                    if (failure != null) {
                        LOG.warn(
                                "Job '{}' did not run, but its record shows a run that began at {}: the job is"
                                        + " not due before the next window",
                                name(),
                                run.record().begun(),
                                causeOf(failure));
                        throw new CompletionException(
                                explained(failure, "The begin of job '" + name() + "' is not undone"));
                    }
                    return null;
                },
                shared.steps());
    }

    private static void release(LockHandle handle) {
        try {
            handle.close();
        } catch (LockLostException nothingWasDoneUnderIt) {
            // no work was done under the lock, so the loss needs no report
        }
    }

    /** @param consequence the begin of the message */
    private Throwable explained(@Nullable Throwable failure, String consequence) {
        Throwable cause = causeOf(failure);
        if (cause instanceof RefusedRequestException refused) {
            return refused.refusal().about(name()).toException(name());
        }
        if (cause instanceof SecurityException) {
            return new LockAccessDeniedException(name(), consequence + ": " + cause.getMessage(), cause);
        }
        if (cause instanceof TimeoutException) {
            return new LockUnavailableException(name(), consequence + ": ZooKeeper did not answer in time", null);
        }
        if (cause instanceof LockException || cause instanceof Error) {
            return cause;
        }
        return new LockUnavailableException(name(), consequence + ": " + cause.getMessage(), cause);
    }

    private static Throwable causeOf(@Nullable Throwable failure) {
        Throwable cause = failure;
        while (cause instanceof CompletionException && cause.getCause() != null) {
            cause = cause.getCause();
        }
        return cause == null ? new IllegalStateException("no cause") : cause;
    }

    private static RuntimeException asUnchecked(@Nullable Throwable failure) {
        Throwable cause = causeOf(failure);
        if (cause instanceof Error error) {
            throw error;
        }
        return cause instanceof RuntimeException unchecked ? unchecked : new IllegalStateException(cause);
    }

    @Override
    public String toString() {
        return "ClusterJob[" + name() + ", " + window + "]";
    }

    /**
     * One attempt to begin a run.
     *
     * <pre>
     * look -&gt; not due
     * look -&gt; lock -&gt; look -&gt; not due: release
     *                 look -&gt; record -&gt; begun
     *                         record -&gt; changed by another run: look
     * </pre>
     *
     * <p>The steps go on after the caller has left: a record that was written then is undone, and the lock is released.
     */
    private final class Begin {

        private final CallerFuture<LockHandle> result = new CallerFuture<>(this::leaveQueue);
        /** Null to wait without a limit. */
        private final @Nullable Duration maxWait;

        private final Executor answers;

        /** Later than the caller's deadline if the lock was granted just before. Written by one step after the other. */
        private long deadline;

        /** The look before the request for the lock. Written before {@link #result} is read. */
        private volatile @Nullable CompletableFuture<Seen> looked;

        /** The request for the lock. Written before {@link #result} is read; read after the outcome is decided. */
        private volatile @Nullable CompletableFuture<LockHandle> asked;

        Begin(@Nullable Duration maxWait, Executor answers) {
            this.maxWait = maxWait;
            this.answers = answers;
            Duration patience = patience();
            this.deadline = patience == null ? 0 : shared.nanoTime().getAsLong() + Nanos.of(patience);
        }

        /** Returns the longest time until the first answer; null for no limit. */
        private @Nullable Duration patience() {
            return maxWait == null || !maxWait.isZero() ? maxWait : shared.connectionTimeout();
        }

        CompletableFuture<LockHandle> start() {
            Function<@Nullable Duration, CompletableFuture<LockHandle>> request;
            try {
                request = lock.prepare(patience());
            } catch (IllegalStateException refused) {
                fail(refused);
                return result;
            }
            CompletableFuture<Seen> look = shared.records().look(name(), this::isWanted);
            looked = look;
            limit(look);
            then(look, this::failUnder, seen -> {
                if (isDue(seen)) {
                    acquire(request);
                } else {
                    notDueWhenCalled(seen);
                    fail(notDue(seen));
                }
            });
            return result;
        }

        private boolean isWanted() {
            return !result.isDecided();
        }

        /** Cancels the look and the request for the lock. Without effect on what is answered. */
        private void leaveQueue() {
            CompletableFuture<Seen> look = looked;
            if (look != null) {
                look.cancel(false);
            }
            CompletableFuture<LockHandle> open = asked;
            if (open != null) {
                open.cancel(false);
            }
        }

        private boolean isDue(Seen seen) {
            Instant counts = counting(seen);
            return counts == null
                    || window.isOver(counts, seen.now())
                    || (window.isOver(counts, seen.now().plus(window.tolerance()))
                            && !shared.fastTimers().contains(name(), counts));
        }

        /** A call soon after the begin of a run comes from a timer with the same period as that of the run. */
        private void notDueWhenCalled(Seen seen) {
            Instant counts = Objects.requireNonNull(counting(seen), "no run that counts");
            if (counts.plus(window.tolerance()).isBefore(seen.now())) {
                shared.fastTimers().add(name(), counts);
            }
        }

        /** Returns when the run that counts began; null if there is none. */
        private @Nullable Instant counting(Seen seen) {
            RunRecord run = seen.run();
            if (run == null) {
                return null;
            }
            return window.counting() == OncePer.Counting.SUCCEEDED ? run.succeeded() : run.begun();
        }

        private JobNotDueException notDue(Seen seen) {
            Instant counts = Objects.requireNonNull(counting(seen), "no run that counts");
            RunRecord run = Objects.requireNonNull(seen.run(), "no run");
            return new JobNotDueException(
                    name(),
                    "Job '" + name() + "' not begun: it is not due, because a run began at " + counts + " (instance "
                            + run.instance() + "), and the job runs " + window,
                    counts);
        }

        @SuppressWarnings("FutureReturnValueIgnored") // no step depends on the last stage
        private void acquire(Function<@Nullable Duration, CompletableFuture<LockHandle>> request) {
            boolean waits = maxWait == null || !maxWait.isZero();
            if (maxWait != null && nanosUntilDeadline() <= 0) {
                fail(new TimeoutException());
                return;
            }
            CompletableFuture<LockHandle> open =
                    request.apply(maxWait == null || !waits ? maxWait : Duration.ofNanos(nanosUntilDeadline()));
            asked = open;
            if (!isWanted()) {
                leaveQueue();
            }
            if (!waits) {
                // the lock has the connection timeout for its answer, of which the look has used a part
                CompletableFuture<?> caller = open.thenApply(handle -> null);
                limit(caller);
                then(caller, this::fail, none -> {});
            }
            then(open, this::failUnder, this::granted);
        }

        private void granted(LockHandle handle) {
            deadline = Math.max(deadline, shared.nanoTime().getAsLong() + Nanos.of(LAST_ANSWER));
            lookAgain(handle);
        }

        /** Looks again under the lock: another run may have begun and ended meanwhile. */
        private void lookAgain(LockHandle handle) {
            CompletableFuture<Seen> look = shared.records().look(name(), this::isWanted);
            limit(look);
            then(look, this::failUnder, seen -> {
                if (!isWanted()) {
                    release(handle);
                } else if (isDue(seen)) {
                    record(handle, seen.run());
                } else {
                    failUnder(notDue(seen));
                }
            });
        }

        private void record(LockHandle handle, @Nullable RunRecord before) {
            CompletableFuture<@Nullable RunRecord> written = shared.records()
                    .begin(
                            name(),
                            handle.fencingToken(),
                            window.window(),
                            before,
                            () -> isWanted() && !handle.state().isFinal());
            CompletableFuture<?> caller = written.thenApply(record -> null);
            limit(caller);
            then(caller, this::fail, none -> {});
            then(written, this::failUnder, record -> {
                if (record == null) {
                    lookAgain(handle);
                } else {
                    begun(handle, new Run(record, before));
                }
            });
        }

        private void begun(LockHandle handle, Run run) {
            if (handle.state().isFinal()) {
                fail(new LockLostException(
                        name(), "Job '" + name() + "' not begun: its lock was lost before the run was recorded"));
            }
            shared.underWay().add(handle, run);
            if (result.decide(handle)) {
                answers.execute(result::tell);
            } else {
                // not by the runs under way: the end of the lock has removed a run whose lock was lost
                shared.underWay().remove(handle);
                then(undo(handle, run), this::failUnder, none -> {});
            }
        }

        /** Ends the attempt, and releases the lock if it is granted. Without effect if the run has begun. */
        private void failUnder(Throwable failure) {
            fail(failure);
            CompletableFuture<LockHandle> open = asked;
            if (open == null || open.cancel(false) || open.isCompletedExceptionally()) {
                return;
            }
            if (result.decide(open.join())) {
                // an Error may have prevented this call after the decision
                answers.execute(result::tell);
            } else {
                release(open.join());
            }
        }

        private void fail(Throwable failure) {
            if (result.decideFailure(explained(failure, "Job '" + name() + "' not begun"))) {
                leaveQueue();
                answers.execute(result::tell);
            }
        }

        @SuppressWarnings("FutureReturnValueIgnored") // the result of the stage is not used
        private void limit(CompletableFuture<?> answer) {
            if (maxWait != null && !answer.isDone()) {
                Runnable cancel = shared.steps()
                        .after(
                                Math.max(0, nanosUntilDeadline()),
                                () -> answer.completeExceptionally(new TimeoutException()));
                answer.whenComplete((value, failure) -> cancel.run());
            }
        }

        private long nanosUntilDeadline() {
            return deadline - shared.nanoTime().getAsLong();
        }

        /** Runs the next step when the answer has arrived. */
        private <T> void then(CompletableFuture<T> answer, Consumer<Throwable> failed, Consumer<T> next) {
            Steps.then(answer, shared.steps(), next, failed);
        }
    }
}
