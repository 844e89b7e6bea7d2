package io.github.zklock.aop.internal.declaration;

import io.github.zklock.ClusterJob;
import io.github.zklock.ClusterLock;
import io.github.zklock.ClusterSemaphore;
import io.github.zklock.LockHandle;
import io.github.zklock.LockLostException;
import io.github.zklock.LockName;
import io.github.zklock.annotation.OnBusy;
import io.github.zklock.annotation.OnLost;
import io.github.zklock.aop.WaitTime;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The lock request of one call, with evaluated names and all settings resolved. */
public final class LockRequest {

    private final Acquirable lock;
    private final List<LockName> names;
    private final String described;
    private final @Nullable Duration waitTime;
    private final OnBusy onBusy;
    private final OnLost onLost;
    private final Duration holdAtLeast;
    private final @Nullable Duration maxHold;

    /**
     * Creates a request.
     *
     * @param names one name, or several names whose locks are acquired together
     * @param rules contains the limits of the hold; the request does not use the other rules
     */
    LockRequest(
            Acquirable lock, List<LockName> names, WaitTime waitTime, OnBusy onBusy, OnLost onLost, CallRules rules) {
        this.lock = lock;
        this.names = List.copyOf(names);
        this.described = names.size() == 1
                ? names.get(0).value()
                : names.stream().map(LockName::value).collect(Collectors.joining(","));
        this.waitTime = waitTime.limit();
        this.onBusy = onBusy;
        this.onLost = onLost;
        this.holdAtLeast = rules.holdAtLeast();
        this.maxHold = rules.maxHold();
    }

    public LockHandle acquire() throws InterruptedException {
        return lock.acquire(waitTime);
    }

    public CompletableFuture<LockHandle> acquireAsync() {
        return lock.acquireAsync(waitTime);
    }

    /** Records that the work under this handle has succeeded, if that matters. To be called before the release. */
    public void succeeded(LockHandle handle) {
        lock.succeeded(handle);
    }

    /** Closes a handle under which no work was done. */
    public void releaseUnused(LockHandle handle) {
        lock.releaseUnused(handle);
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

    /** Returns the shortest time from the grant to the release; zero if there is none. */
    public Duration holdAtLeast() {
        return holdAtLeast;
    }

    /** Returns the time after which the lock counts as lost; null if the annotation sets none. */
    public @Nullable Duration maxHold() {
        return maxHold;
    }

    /** Returns the names for messages and logs. */
    public String described() {
        return described;
    }

    /** The object that a call acquires: a lock, several locks together, or a permit. */
    interface Acquirable {

        /**
         * Acquires on the calling thread.
         *
         * @param wait null to wait without limit
         */
        LockHandle acquire(@Nullable Duration wait) throws InterruptedException;

        CompletableFuture<LockHandle> acquireAsync(@Nullable Duration wait);

        default boolean isPermit() {
            return false;
        }

        default void succeeded(LockHandle handle) {}

        default void releaseUnused(LockHandle handle) {
            try {
                handle.close();
            } catch (LockLostException nothingWasDoneUnderIt) {
                // no work was done under the lock, so the loss needs no report
            }
        }

        @SuppressWarnings("FutureReturnValueIgnored") // the job logs a failure
        static Acquirable of(ClusterJob job) {
            return new Acquirable() {
                @Override
                public LockHandle acquire(@Nullable Duration wait) throws InterruptedException {
                    return wait == null ? job.begin() : job.begin(wait);
                }

                @Override
                public CompletableFuture<LockHandle> acquireAsync(@Nullable Duration wait) {
                    return job.beginAsync(wait);
                }

                @Override
                public void succeeded(LockHandle handle) {
                    if (job.oncePer().countsSuccessOnly()) {
                        job.succeeded(handle);
                    }
                }

                @Override
                public void releaseUnused(LockHandle handle) {
                    job.abandon(handle);
                }
            };
        }

        static Acquirable of(ClusterLock lock) {
            return new Acquirable() {
                @Override
                public LockHandle acquire(@Nullable Duration wait) throws InterruptedException {
                    return wait == null ? lock.acquire() : lock.acquire(wait);
                }

                @Override
                public CompletableFuture<LockHandle> acquireAsync(@Nullable Duration wait) {
                    return wait == null ? lock.acquireAsync() : lock.acquireAsync(wait);
                }
            };
        }

        static Acquirable of(ClusterSemaphore semaphore) {
            return new Acquirable() {
                @Override
                public LockHandle acquire(@Nullable Duration wait) throws InterruptedException {
                    return wait == null ? semaphore.acquire() : semaphore.acquire(wait);
                }

                @Override
                public CompletableFuture<LockHandle> acquireAsync(@Nullable Duration wait) {
                    return wait == null ? semaphore.acquireAsync() : semaphore.acquireAsync(wait);
                }

                @Override
                public boolean isPermit() {
                    return true;
                }
            };
        }
    }
}
