package io.github.zklock.cli;

import io.github.zklock.ClusterJob;
import io.github.zklock.ClusterLock;
import io.github.zklock.LockHandle;
import io.github.zklock.LockRegistry;
import io.github.zklock.OncePer;
import java.time.Duration;
import java.time.ZoneId;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What {@code zk-lock run} acquires. */
final class Claim {

    /** How a lock is held. */
    enum Mode {
        EXCLUSIVE,
        READ,
        WRITE
    }

    @Option(
            names = {"-l", "--lock"},
            required = true,
            paramLabel = "NAME",
            description = "The name of the lock, such as /reports/daily.")
    private String name = "";

    @Option(
            names = {"-w", "--wait"},
            paramLabel = "TIME",
            description = "Maximum time to wait for the lock; 0s = don't wait. Without it, the wait has no limit.")
    private @Nullable Duration maxWait;

    @Option(
            names = "--mode",
            paramLabel = "MODE",
            description = "exclusive (the default), or read or write for a read/write lock.")
    private Mode mode = Mode.EXCLUSIVE;

    @Option(
            names = "--permits",
            paramLabel = "N",
            description =
                    "Acquire one of N permits of a semaphore instead of a lock. If N differs, the smallest one counts.")
    private @Nullable Integer permits;

    @Option(
            names = "--once-per",
            paramLabel = "TIME",
            description = "Run the command only if no run began within this time on any machine, such as 1h.")
    private @Nullable Duration oncePer;

    @Option(
            names = "--tolerance",
            paramLabel = "TIME",
            description =
                    "With --once-per: a run may begin so much earlier, 0s for none. By default, a hundredth of TIME.")
    private @Nullable Duration tolerance;

    @Option(
            names = "--aligned-in",
            paramLabel = "ZONE",
            description = "With --once-per: align windows to full hours, midnight and Mondays of this time zone.")
    private @Nullable ZoneId zone;

    @Option(names = "--count-success", description = "With --once-per: a run that fails does not count.")
    private boolean countSuccess;

    String name() {
        return name;
    }

    /** Returns what is wrong with these options together; null if nothing is. */
    @Nullable String conflict() {
        if (permits != null && mode != Mode.EXCLUSIVE) {
            return "--permits and --mode exclude each other: a semaphore has no readers";
        }
        if (oncePer != null && (permits != null || mode != Mode.EXCLUSIVE)) {
            return "--once-per needs an exclusive lock, without --permits and --mode";
        }
        if (oncePer == null && (tolerance != null || zone != null || countSuccess)) {
            return "--tolerance, --aligned-in and --count-success need --once-per";
        }
        return null;
    }

    /** Returns a request for the lock. */
    Request of(LockRegistry locks) {
        if (oncePer != null) {
            return new JobRun(locks.job(name, window(oncePer)), maxWait);
        }
        if (permits != null) {
            var semaphore = locks.semaphore(name, permits);
            return new Hold(limit -> limit == null ? semaphore.acquireAsync() : semaphore.acquireAsync(limit), maxWait);
        }
        ClusterLock lock = switch (mode) {
            case EXCLUSIVE -> locks.lock(name);
            case READ -> locks.readWriteLock(name).readLock();
            case WRITE -> locks.readWriteLock(name).writeLock();
        };
        return new Hold(limit -> limit == null ? lock.acquireAsync() : lock.acquireAsync(limit), maxWait);
    }

    private OncePer window(Duration length) {
        OncePer window = OncePer.of(length);
        OncePer tolerant = tolerance == null ? window : window.tolerating(tolerance);
        OncePer aligned = zone == null ? tolerant : tolerant.alignedIn(zone);
        return countSuccess ? aligned.counting(OncePer.Counting.SUCCEEDED) : aligned;
    }

    /** A request for a lock, and what its end means for the lock. */
    interface Request {

        CompletableFuture<LockHandle> ask();

        /** Records the success of the command; completes when that is done. */
        default CompletionStage<Void> succeeded(LockHandle handle) {
            return CompletableFuture.completedFuture(null);
        }

        /** Releases the lock of a command that could not be started. */
        default void abandon(LockHandle handle) {
            handle.close();
        }
    }

    private record Hold(
            Function<@Nullable Duration, CompletableFuture<LockHandle>> lock,
            @Nullable Duration maxWait) implements Request {

        @Override
        public CompletableFuture<LockHandle> ask() {
            return lock.apply(maxWait);
        }
    }

    private record JobRun(ClusterJob job, @Nullable Duration maxWait) implements Request {

        @Override
        public CompletableFuture<LockHandle> ask() {
            return job.beginAsync(maxWait);
        }

        @Override
        public CompletionStage<Void> succeeded(LockHandle handle) {
            return job.oncePer().counting() == OncePer.Counting.SUCCEEDED
                    ? job.succeeded(handle)
                    : CompletableFuture.completedFuture(null);
        }

        @Override
        @SuppressWarnings("FutureReturnValueIgnored") // the registry waits for it when it closes, and logs a failure
        public void abandon(LockHandle handle) {
            job.abandon(handle);
        }
    }
}
