package io.github.zklock.aop.internal.declaration;

import io.github.zklock.ClusterLock;
import io.github.zklock.ClusterSemaphore;
import io.github.zklock.LockHandle;
import io.github.zklock.LockName;
import io.github.zklock.annotation.OnBusy;
import io.github.zklock.annotation.OnLost;
import io.github.zklock.aop.WaitTime;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;

/** The lock request of one call, with evaluated names and all settings resolved. */
public final class LockRequest {

    private final Acquirable lock;
    private final List<LockName> names;
    private final WaitTime waitTime;
    private final OnBusy onBusy;
    private final OnLost onLost;

    /** @param names one name, or several names whose locks are acquired together */
    LockRequest(Acquirable lock, List<LockName> names, WaitTime waitTime, OnBusy onBusy, OnLost onLost) {
        this.lock = lock;
        this.names = List.copyOf(names);
        this.waitTime = waitTime;
        this.onBusy = onBusy;
        this.onLost = onLost;
    }

    public LockHandle acquire() throws InterruptedException {
        return lock.acquire(waitTime);
    }

    public CompletableFuture<LockHandle> acquireAsync() {
        return lock.acquireAsync(waitTime);
    }

    /** Returns whether the request is for a permit of a semaphore. */
    public boolean isPermit() {
        return lock.isPermit();
    }

    public List<LockName> names() {
        return names;
    }

    public OnBusy onBusy() {
        return onBusy;
    }

    public OnLost onLost() {
        return onLost;
    }

    /** Returns the names for messages and logs. */
    public String described() {
        return names.size() == 1
                ? names.get(0).value()
                : names.stream().map(LockName::value).collect(Collectors.joining(","));
    }

    /** The object that a call acquires: a lock, several locks together, or a permit. */
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
}
