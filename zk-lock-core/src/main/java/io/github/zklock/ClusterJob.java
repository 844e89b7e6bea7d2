package io.github.zklock;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * A job that runs at most once per window in the whole cluster, such as a scheduled task that every process starts at
 * the same time.
 *
 * <pre>{@code
 * ClusterJob closing = registry.job("/jobs/closing", OncePer.of(Duration.ofHours(1)));
 * boolean ran = closing.run(handle -> closeBooks(handle.fencingToken()));
 * }</pre>
 *
 * <p>A run holds the exclusive lock of the job's name, so runs never overlap while the lock is held. The begin of the
 * run is recorded in ZooKeeper. Until the {@linkplain OncePer window} of the last run is over, the job is not due: no
 * process begins another run, also after all processes were restarted. {@link #run} skips the action then. Runs begin at
 * least the window minus its {@linkplain OncePer#tolerance() tolerance} apart. If nothing runs a job for twice its
 * window, at least for seven days, the record may be removed.
 *
 * <p>A job object is a value, as a lock is. Use the same window for a name in all processes: each call applies the
 * window of its own process. Thread-safe.
 *
 * <p>Not guaranteed: that the work of a recorded run is done. If a process ends during a run, the run counts, and the
 * next one follows in the next window; use {@link OncePer.Counting#SUCCEEDED} for another attempt at once. Nor that the
 * work is done only once: a process that loses its lock may still work. Pass the {@link FencingToken} to the resources
 * that you write.
 */
public interface ClusterJob {

    /** Returns the canonical name. */
    LockName name();

    OncePer oncePer();

    /**
     * Begins a run, and waits for a run of another process at most {@code maxWait}. With zero it does not wait. Never
     * waits for the end of the window. Close the handle when the run ends.
     *
     * @return the handle of the run's lock
     * @throws IllegalArgumentException if {@code maxWait} is negative
     * @throws IllegalStateException if the calling thread has an open scope of the lock that is no run of the job: the
     *     thread would wait for itself
     * @throws JobNotDueException if another run counts in this window, or if the calling thread is in the scope of a run
     *     of the job
     * @throws LockTimeoutException if others held the lock until the deadline
     * @throws LockUnavailableException if ZooKeeper could not be reached at the deadline, or up to a second later if the
     *     lock was acquired just before the deadline; the run is not recorded
     * @throws InterruptedException if the thread is interrupted before the run has begun
     */
    LockHandle begin(Duration maxWait) throws InterruptedException;

    /**
     * Begins a run as {@link #begin(Duration)} does, and waits for a run of another process without a limit, through any
     * outage.
     */
    LockHandle begin() throws InterruptedException;

    /**
     * Begins a run if the job is due and its lock is free.
     *
     * @return the handle of the run's lock, or empty if another run counts in this window, or holds the lock, or if the
     *     calling thread is in the scope of a run of the job
     * @throws IllegalStateException as {@link #begin(Duration)}
     * @throws LockUnavailableException if ZooKeeper could not be reached within the connection timeout
     */
    Optional<LockHandle> tryBegin() throws InterruptedException;

    /**
     * Begins a run without blocking a thread. The future completes with the exceptions of {@link #begin(Duration)}, on an
     * executor of the registry. If you cancel it, the run is not recorded, and its lock is released.
     *
     * @param maxWait null to wait without a limit
     */
    CompletableFuture<LockHandle> beginAsync(@Nullable Duration maxWait);

    /**
     * Records that a run has succeeded, before its handle is closed. Needed only for {@link OncePer.Counting#SUCCEEDED};
     * {@link #run} does it. Does not wait: the record is written before a following close of the handle releases the
     * lock.
     *
     * @return a stage that completes when ZooKeeper has confirmed the record, and fails if the record was not written,
     *     for example because the lock was lost
     * @throws IllegalArgumentException if no run of this name began with this handle, or if its lock is released
     */
    CompletionStage<Void> succeeded(LockHandle run);

    /**
     * Undoes the begin of a run whose work has not started, for example because an executor rejected it, and releases
     * the lock. The job is then as due as it was before. Does not wait.
     *
     * @return a stage that completes when ZooKeeper has confirmed that the record is as before, and fails if it may not
     *     be, for example because the lock was lost
     * @throws IllegalArgumentException if no run of this name began with this handle, or if its lock is released
     */
    CompletionStage<Void> abandon(LockHandle run);

    /**
     * Returns the recorded last run; empty if there is none.
     *
     * @throws LockUnavailableException if ZooKeeper could not be reached within the connection timeout
     */
    Optional<LastRun> lastRun() throws InterruptedException;

    /**
     * Runs the action if the job is due and its lock is free, in a scope of the lock. If the action returns, the run has
     * succeeded.
     *
     * @return false if the action has not run, because another run counts in this window, or holds the lock, or because
     *     the calling thread is in the scope of a run of the job
     * @throws E if the action fails
     * @throws IllegalStateException as {@link #begin(Duration)}
     * @throws LockLostException if the action succeeded, but the lock was lost before the action ended
     * @throws LockUnavailableException if ZooKeeper could not be reached within the connection timeout; the action has
     *     not run
     */
    default <E extends Throwable> boolean run(LockRegistry.Action<?, E> action) throws E, InterruptedException {
        Optional<LockHandle> begun = tryBegin();
        if (begun.isEmpty()) {
            return false;
        }
        return LockContext.<Boolean, E>call(begun.get(), handle -> {
            action.call(handle);
            if (oncePer().counting() == OncePer.Counting.SUCCEEDED) {
                succeeded(handle);
            }
            return true;
        });
    }

    /**
     * The last run that was recorded.
     *
     * @param begun when the run began, by the servers' clock
     * @param succeeded when the last run that succeeded began; empty if none has been recorded
     * @param instance the name of the process
     * @param token the token of the run
     */
    record LastRun(Instant begun, Optional<Instant> succeeded, String instance, FencingToken token) {}
}
