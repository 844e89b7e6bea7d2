package io.github.zklock;

import io.github.zklock.internal.Words;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Several locks as one. It uses only the public methods of its locks, which may belong to different registries and
 * implementations.
 *
 * <p>Not guaranteed: a common order of locks that have the same name and different registries. They are acquired in the
 * order in which the caller named them.
 */
final class AllOf implements ClusterLock {

    private final List<ClusterLock> parts;

    private AllOf(List<ClusterLock> parts) {
        this.parts = parts;
    }

    /** Returns one lock that consists of these. A lock that itself consists of several is replaced by its parts. */
    static ClusterLock of(ClusterLock... locks) {
        List<ClusterLock> parts = new ArrayList<>();
        for (ClusterLock lock : Objects.requireNonNull(locks, "locks")) {
            Objects.requireNonNull(lock, "A lock passed to allOf is null");
            parts.addAll(lock instanceof AllOf several ? several.parts : List.of(lock));
        }
        List<ClusterLock> ordered = parts.stream()
                .distinct()
                .sorted(Comparator.comparing(part -> part.name().value()))
                .toList();
        if (ordered.isEmpty()) {
            throw new IllegalArgumentException("allOf was called without a lock; name one or more");
        }
        refuseBothOfAPair(ordered);
        return ordered.size() == 1 ? ordered.get(0) : new AllOf(ordered);
    }

    private static void refuseBothOfAPair(List<ClusterLock> parts) {
        Set<LockName> read = new HashSet<>();
        parts.stream().filter(part -> part.kind() == LockKind.READ).forEach(part -> read.add(part.name()));
        for (ClusterLock part : parts) {
            if (part.kind() == LockKind.WRITE && read.contains(part.name())) {
                throw new IllegalArgumentException("Lock '" + part.name()
                        + "' is requested to read and to write in one allOf, and would wait for itself; request its"
                        + " write lock only");
            }
        }
    }

    @Override
    public LockName name() {
        throw new UnsupportedOperationException(
                this + " have no common name; acquire them and use the parts() of the handle");
    }

    @Override
    public LockKind kind() {
        throw new UnsupportedOperationException(
                this + " have no common kind; acquire them and use the parts() of the handle");
    }

    @Override
    public LockHandle acquire() throws InterruptedException {
        return gather(Deadline.never());
    }

    @Override
    public LockHandle acquire(Duration maxWait) throws InterruptedException {
        return gather(deadline(maxWait));
    }

    @Override
    public Optional<LockHandle> tryAcquire() throws InterruptedException {
        return tryAcquire(Duration.ZERO);
    }

    @Override
    public Optional<LockHandle> tryAcquire(Duration maxWait) throws InterruptedException {
        try {
            AllHandle whole = gather(deadline(maxWait));
            try {
                return Optional.of(whole);
            } catch (Throwable error) {
                whole.close();
                throw error;
            }
        } catch (LockTimeoutException busy) {
            return Optional.empty();
        }
    }

    @Override
    public CompletableFuture<LockHandle> acquireAsync() {
        return AsyncGathering.begin(new Gathering(parts, Deadline.never()));
    }

    @Override
    public CompletableFuture<LockHandle> acquireAsync(Duration maxWait) {
        return AsyncGathering.begin(new Gathering(parts, deadline(maxWait)));
    }

    @Override
    public void lock() {
        own(gatherUninterruptibly(Deadline.never()));
    }

    @Override
    public void lockInterruptibly() throws InterruptedException {
        own(gather(Deadline.never()));
    }

    @Override
    public boolean tryLock() {
        try {
            own(gatherUninterruptibly(Deadline.after(Duration.ZERO)));
            return true;
        } catch (LockTimeoutException busy) {
            return false;
        }
    }

    @Override
    public boolean tryLock(long time, TimeUnit unit) throws InterruptedException {
        try {
            own(gather(Deadline.after(Duration.ofNanos(Math.max(0, unit.toNanos(time))))));
            return true;
        } catch (LockTimeoutException busy) {
            return false;
        }
    }

    @Override
    public void unlock() {
        AllHandle latest = null;
        for (LockHandle open : LockContext.wholes().toList()) {
            latest = open instanceof AllHandle handle && handle.isLockScopeOf(this) ? handle : latest;
        }
        if (latest == null) {
            throw new IllegalMonitorStateException(this + " are not held together by thread '"
                    + Words.nameOf(Thread.currentThread())
                    + "' through a method of Lock; to release a handle, call its close()");
        }
        latest.closeLockScope();
        latest.close();
    }

    @Override
    public Condition newCondition() {
        throw new UnsupportedOperationException(
                this + " do not support conditions, which would need a signal across the cluster");
    }

    /** Two locks of this class are equal if they consist of the same locks. */
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof AllOf several && several.parts.equals(parts);
    }

    @Override
    public int hashCode() {
        return parts.hashCode();
    }

    @Override
    public String toString() {
        return parts.stream().map(part -> part.name().value()).collect(Collectors.joining("', '", "Locks '", "'"));
    }

    /** Makes the calling thread the owner of the locks that the handle holds. */
    private void own(AllHandle handle) {
        try {
            handle.openLockScope(this);
        } catch (Throwable error) {
            handle.close();
            throw error;
        }
    }

    private AllHandle gather(Deadline deadline) throws InterruptedException {
        Gathering gathering = new Gathering(parts, deadline);
        try {
            while (!gathering.isComplete()) {
                gathering.takeNext();
            }
            return gathering.whole();
        } catch (Throwable failure) {
            gathering.undo(failure);
            throw failure;
        }
    }

    /** Acquires the locks. An interrupt does not end the wait; the flag is set again on return. */
    private AllHandle gatherUninterruptibly(Deadline deadline) {
        Gathering gathering = new Gathering(parts, deadline);
        try {
            while (!gathering.isComplete()) {
                gathering.took(answerOf(gathering.askForNext()));
            }
            return gathering.whole();
        } catch (Throwable failure) {
            gathering.undo(failure);
            throw failure;
        }
    }

    private static Object answerOf(CompletableFuture<?> asked) {
        try {
            return asked.join();
        } catch (CompletionException failed) {
            Throwable cause = AsyncGathering.causeOf(failed);
            if (cause instanceof RuntimeException refused) {
                // filled in on this thread, so that the stack trace is the caller's
                refused.fillInStackTrace();
                throw refused;
            }
            throw failed;
        } catch (Error error) {
            // otherwise, if the part is granted, its lock would have no owner
            asked.cancel(false);
            throw error;
        }
    }

    private Deadline deadline(Duration maxWait) {
        Objects.requireNonNull(maxWait, "maxWait");
        if (maxWait.isNegative()) {
            throw new IllegalArgumentException(this + ": the wait " + Words.of(maxWait)
                    + " is negative; use zero not to wait, or a method without a maximum wait");
        }
        return Deadline.after(maxWait);
    }
}
