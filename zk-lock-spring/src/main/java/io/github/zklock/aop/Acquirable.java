package io.github.zklock.aop;

import io.github.zklock.ClusterLock;
import io.github.zklock.ClusterSemaphore;
import io.github.zklock.LockHandle;
import java.util.concurrent.CompletableFuture;

/** What a call acquires: a lock, several as one, or a permit. */
interface Acquirable {

    LockHandle acquire(WaitTime wait) throws InterruptedException;

    CompletableFuture<LockHandle> acquireAsync(WaitTime wait);

    default boolean isPermit() {
        return false;
    }

    static Acquirable of(ClusterLock lock) {
        return new Acquirable() {
            @Override
            public LockHandle acquire(WaitTime wait) throws InterruptedException {
                return wait.limit() == null ? lock.acquire() : lock.acquire(wait.limit());
            }

            @Override
            public CompletableFuture<LockHandle> acquireAsync(WaitTime wait) {
                return wait.limit() == null ? lock.acquireAsync() : lock.acquireAsync(wait.limit());
            }
        };
    }

    static Acquirable of(ClusterSemaphore semaphore) {
        return new Acquirable() {
            @Override
            public LockHandle acquire(WaitTime wait) throws InterruptedException {
                return wait.limit() == null ? semaphore.acquire() : semaphore.acquire(wait.limit());
            }

            @Override
            public CompletableFuture<LockHandle> acquireAsync(WaitTime wait) {
                return wait.limit() == null ? semaphore.acquireAsync() : semaphore.acquireAsync(wait.limit());
            }

            @Override
            public boolean isPermit() {
                return true;
            }
        };
    }
}
