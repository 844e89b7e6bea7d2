package io.github.zklock.aop.internal.declaration;

import io.github.zklock.ClusterJob;
import io.github.zklock.ClusterLock;
import io.github.zklock.ClusterSemaphore;
import io.github.zklock.LockHandle;
import io.github.zklock.LockLostException;
import io.github.zklock.LockName;
import io.github.zklock.OncePer;
import io.github.zklock.annotation.OnBusy;
import io.github.zklock.annotation.OnLost;
import io.github.zklock.aop.PermitHandle;
import io.github.zklock.aop.WaitTime;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The lock request of one call, with evaluated names and all settings resolved. */
public final class LockRequest {

    private static final Logger LOG = LoggerFactory.getLogger(LockRequest.class);

    private final Acquirable lock;
    private final boolean permit;
    private final List<LockName> names;
    private final String described;
    private final @Nullable Duration waitTime;
    private final OnBusy onBusy;
    private final OnLost onLost;
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
        this.permit = lock.isPermit();
        this.names = List.copyOf(names);
        this.described = names.size() == 1
                ? names.get(0).value()
                : names.stream().map(LockName::value).collect(Collectors.joining(","));
        this.waitTime = waitTime.limit();
        this.onBusy = onBusy;
        this.onLost = onLost;
        this.maxHold = rules.maxHold();
    }

    public LockHandle acquire() throws InterruptedException {
        return lock.acquire(waitTime);
    }

    public CompletableFuture<LockHandle> acquireAsync() {
        return lock.acquireAsync(waitTime);
    }

    /** Returns the handle of the call for a granted handle. */
    public LockHandle handleOf(LockHandle granted) {
        return permit ? new PermitHandle(granted) : granted;
    }

    /** Starts the limit of the hold, if there is one. */
    public void limit(LockHandle handle) {
        if (maxHold != null) {
            handle.loseAfter(maxHold);
        }
    }

    /** Records that the work under this handle has succeeded, if that matters. To be called before the release. */
    public void succeeded(LockHandle handle) {
        lock.succeeded(handle);
    }

    /** Closes a handle under which no work was done. */
    public void releaseUnused(LockHandle handle) {
        lock.releaseUnused(handle);
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

        @SuppressWarnings("FutureReturnValueIgnored") // the job logs a failure of the write
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
                    if (job.oncePer().counting() != OncePer.Counting.SUCCEEDED) {
                        return;
                    }
                    try {
                        job.succeeded(handle);
                    } catch (RuntimeException notRecorded) {
                        // the lock was lost, which the release reports; a failure here must not prevent the release
                        LOG.debug("The success of job '{}' was not recorded", handle.name(), notRecorded);
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
