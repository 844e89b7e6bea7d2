package io.github.zklock.zookeeper.internal.joint;

import io.github.zklock.Acquirable;
import io.github.zklock.ClusterLock;
import io.github.zklock.Handle;
import io.github.zklock.LockKind;
import io.github.zklock.LockName;
import io.github.zklock.LockTimeoutException;
import io.github.zklock.internal.Words;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Several locks as one. It uses only the public methods of its locks, which may belong to different registries and
 * implementations. Two of these are equal if they consist of the same locks.
 *
 * <p>Not guaranteed: a common order of locks that have the same name and different registries. They are acquired in the
 * order in which the caller named them.
 *
 * @param parts the locks in the order in which they are acquired
 */
public record AllOf(List<ClusterLock> parts) implements Acquirable<Handle> {

    /** Returns one lock that consists of these. */
    public static AllOf of(ClusterLock... locks) {
        List<ClusterLock> ordered = Stream.of(Objects.requireNonNull(locks, "locks"))
                .map(lock -> Objects.requireNonNull(lock, "A lock passed to allOf is null"))
                .distinct()
                .sorted(Comparator.comparing(part -> part.name().value()))
                .toList();
        if (ordered.isEmpty()) {
            throw new IllegalArgumentException("allOf was called without a lock; name one or more");
        }
        refuseBothOfAPair(ordered);
        return new AllOf(ordered);
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
    public Handle acquire() throws InterruptedException {
        return gather(Deadline.never());
    }

    @Override
    public Handle acquire(Duration maxWait) throws InterruptedException {
        return gather(deadline(maxWait));
    }

    @Override
    public Optional<Handle> tryAcquire() throws InterruptedException {
        return tryAcquire(Duration.ZERO);
    }

    @Override
    public Optional<Handle> tryAcquire(Duration maxWait) throws InterruptedException {
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
    public CompletableFuture<Handle> acquireAsync() {
        return AsyncGathering.begin(new Gathering(parts, Deadline.never()));
    }

    @Override
    public CompletableFuture<Handle> acquireAsync(Duration maxWait) {
        return AsyncGathering.begin(new Gathering(parts, deadline(maxWait)));
    }

    @Override
    public String toString() {
        return parts.stream().map(part -> part.name().value()).collect(Collectors.joining("', '", "Locks '", "'"));
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

    private Deadline deadline(Duration maxWait) {
        Objects.requireNonNull(maxWait, "maxWait");
        if (maxWait.isNegative()) {
            throw new IllegalArgumentException(this + ": the wait " + Words.of(maxWait)
                    + " is negative; use zero not to wait, or a method without a maximum wait");
        }
        return Deadline.after(maxWait);
    }
}
