package io.github.zklock.faults.client;

import io.github.zklock.ClusterLock;
import io.github.zklock.ClusterSemaphore;
import io.github.zklock.LockException;
import io.github.zklock.LockHandle;
import io.github.zklock.LockRegistry;
import io.github.zklock.LockTimeoutException;
import io.github.zklock.faults.timeline.LockSpec;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/** By a future, for which the thread waits as long as it takes: to keep the deadline is for the lock. */
final class AsyncAcquirer implements Acquirer {

    @Override
    public Optional<LockHandle> acquire(LockRegistry registry, LockCall call) throws InterruptedException {
        CompletableFuture<LockHandle> future = begin(registry, call);
        try {
            return Optional.of(future.get());
        } catch (InterruptedException e) {
            giveUp(future);
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

    private static CompletableFuture<LockHandle> begin(LockRegistry registry, LockCall call) {
        LockSpec spec = call.spec();
        return switch (spec.kind()) {
            case PERMITS -> begin(registry.semaphore(spec.lock(), spec.of()), spec.permits(), call);
            case EXCLUSIVE, READ, WRITE -> begin(BlockingAcquirer.lock(registry, spec), call);
        };
    }

    private static CompletableFuture<LockHandle> begin(ClusterLock lock, LockCall call) {
        return switch (call.how()) {
            case FOREVER -> lock.acquireAsync();
            case ACQUIRE, TRY -> lock.acquireAsync(call.maxWait());
        };
    }

    private static CompletableFuture<LockHandle> begin(ClusterSemaphore semaphore, int permits, LockCall call) {
        return switch (call.how()) {
            case FOREVER -> semaphore.acquireAsync(permits);
            case ACQUIRE, TRY -> semaphore.acquireAsync(permits, call.maxWait());
        };
    }

    private static void giveUp(CompletableFuture<LockHandle> future) {
        if (!future.cancel(false)) {
            // it was granted meanwhile, of which nobody else knows
            CompletableFuture<Void> unused = future.thenAccept(LockHandle::close);
        }
    }
}
