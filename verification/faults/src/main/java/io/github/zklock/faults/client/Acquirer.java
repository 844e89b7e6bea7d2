package io.github.zklock.faults.client;

import io.github.zklock.ClusterLock;
import io.github.zklock.ClusterSemaphore;
import io.github.zklock.LockException;
import io.github.zklock.LockHandle;
import io.github.zklock.LockKind;
import io.github.zklock.LockRegistry;
import io.github.zklock.LockTimeoutException;
import io.github.zklock.faults.timeline.LockSpec;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/** The two ways in which a thread acquires a lock of our registry. */
enum Acquirer {

    /** Calls that block until the lock is granted or the deadline has passed. */
    BLOCKING {
        @Override
        Optional<LockHandle> acquire(LockRegistry registry, LockCall call) throws InterruptedException {
            LockSpec spec = call.spec();
            Duration maxWait = call.maxWait();
            if (spec.kind() == LockKind.PERMITS) {
                ClusterSemaphore semaphore = registry.semaphore(spec.lock(), spec.of());
                return switch (call.how()) {
                    case FOREVER ->
                        Optional.of(semaphore.permits(spec.permits()).acquire());
                    case ACQUIRE ->
                        Optional.of(semaphore.permits(spec.permits()).acquire(maxWait));
                    case TRY -> semaphore.permits(spec.permits()).tryAcquire(maxWait);
                };
            }
            ClusterLock lock = lock(registry, spec);
            return switch (call.how()) {
                case FOREVER -> Optional.of(lock.acquire());
                case ACQUIRE -> Optional.of(lock.acquire(maxWait));
                case TRY -> lock.tryAcquire(maxWait);
            };
        }
    },

    /** Futures. The thread waits without a limit of its own, so that the lock alone keeps the deadline. */
    ASYNC {
        @Override
        Optional<LockHandle> acquire(LockRegistry registry, LockCall call) throws InterruptedException {
            CompletableFuture<LockHandle> future = begin(registry, call);
            try {
                return Optional.of(future.get());
            } catch (InterruptedException e) {
                if (!future.cancel(false)) {
                    // granted meanwhile: no other code has this handle
                    CompletableFuture<Void> unused = future.thenAccept(LockHandle::close);
                }
                throw e;
            } catch (ExecutionException e) {
                if (call.how() == LockCall.How.TRY && e.getCause() instanceof LockTimeoutException) {
                    return Optional.empty();
                }
                if (e.getCause() instanceof LockException answer) {
                    throw answer;
                }
                throw new IllegalStateException("A future for a lock has failed", e);
            }
        }
    };

    /**
     * Acquires the lock that a call names, and waits as the call says.
     *
     * @return empty if the call only tried, and another client holds the lock
     * @throws InterruptedException if interrupted while waiting
     */
    abstract Optional<LockHandle> acquire(LockRegistry registry, LockCall call) throws InterruptedException;

    /** Begins to acquire the lock that a call names. */
    static CompletableFuture<LockHandle> begin(LockRegistry registry, LockCall call) {
        LockSpec spec = call.spec();
        boolean forever = call.how() == LockCall.How.FOREVER;
        if (spec.kind() == LockKind.PERMITS) {
            ClusterSemaphore semaphore = registry.semaphore(spec.lock(), spec.of());
            return forever
                    ? semaphore.permits(spec.permits()).acquireAsync()
                    : semaphore.permits(spec.permits()).acquireAsync(call.maxWait());
        }
        ClusterLock lock = lock(registry, spec);
        return forever ? lock.acquireAsync() : lock.acquireAsync(call.maxWait());
    }

    /** Returns the lock of a kind other than a semaphore. */
    static ClusterLock lock(LockRegistry registry, LockSpec spec) {
        return switch (spec.kind()) {
            case READ -> registry.readWriteLock(spec.lock()).readLock();
            case WRITE -> registry.readWriteLock(spec.lock()).writeLock();
            default -> registry.lock(spec.lock());
        };
    }
}
