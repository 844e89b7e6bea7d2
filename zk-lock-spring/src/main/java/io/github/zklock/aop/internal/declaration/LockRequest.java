package io.github.zklock.aop.internal.declaration;

import io.github.zklock.Acquirable;
import io.github.zklock.ClusterJob;
import io.github.zklock.Handle;
import io.github.zklock.LockHandle;
import io.github.zklock.LockLostException;
import io.github.zklock.LockName;
import io.github.zklock.OncePer;
import io.github.zklock.annotation.OnBusy;
import io.github.zklock.annotation.OnLost;
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

    private final Source lock;
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
    LockRequest(Source lock, List<LockName> names, WaitTime waitTime, OnBusy onBusy, OnLost onLost, CallRules rules) {
        this.lock = lock;
        this.names = List.copyOf(names);
        this.described = names.size() == 1
                ? names.get(0).value()
                : names.stream().map(LockName::value).collect(Collectors.joining(","));
        this.waitTime = waitTime.limit();
        this.onBusy = onBusy;
        this.onLost = onLost;
        this.maxHold = rules.maxHold();
    }

    public Handle acquire() throws InterruptedException {
        return lock.acquire(waitTime);
    }

    public CompletableFuture<? extends Handle> acquireAsync() {
        return lock.acquireAsync(waitTime);
    }

    /** Starts the limit of the hold, if there is one. */
    public void limit(Handle handle) {
        if (maxHold != null) {
            handle.loseAfter(maxHold);
        }
    }

    /** Records that the work under this handle has succeeded, if that matters. To be called before the release. */
    public void succeeded(Handle handle) {
        lock.succeeded(handle);
    }

    /** Closes a handle under which no work was done. */
    public void releaseUnused(Handle handle) {
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

    /** What a call acquires, and how it ends the hold. */
    interface Source {

        /**
         * Acquires on the calling thread.
         *
         * @param wait null to wait without limit
         */
        Handle acquire(@Nullable Duration wait) throws InterruptedException;

        CompletableFuture<? extends Handle> acquireAsync(@Nullable Duration wait);

        default void succeeded(Handle handle) {}

        default void releaseUnused(Handle handle) {
            try {
                handle.close();
            } catch (LockLostException nothingWasDoneUnderIt) {
                // no work was done under the lock, so the loss needs no report
            }
        }

        static Source of(Acquirable<?> lock) {
            return new Source() {
                @Override
                public Handle acquire(@Nullable Duration wait) throws InterruptedException {
                    return wait == null ? lock.acquire() : lock.acquire(wait);
                }

                @Override
                public CompletableFuture<? extends Handle> acquireAsync(@Nullable Duration wait) {
                    return wait == null ? lock.acquireAsync() : lock.acquireAsync(wait);
                }
            };
        }

        @SuppressWarnings("FutureReturnValueIgnored") // the job logs a failure of the write
        static Source of(ClusterJob job) {
            return new Source() {
                @Override
                public Handle acquire(@Nullable Duration wait) throws InterruptedException {
                    return wait == null ? job.begin() : job.begin(wait);
                }

                @Override
                public CompletableFuture<? extends Handle> acquireAsync(@Nullable Duration wait) {
                    return job.beginAsync(wait);
                }

                @Override
                public void succeeded(Handle handle) {
                    if (job.oncePer().counting() != OncePer.Counting.SUCCEEDED) {
                        return;
                    }
                    try {
                        job.succeeded(run(handle));
                    } catch (RuntimeException notRecorded) {
                        // the lock was lost, which the release reports; a failure here must not prevent the release
                        LOG.debug("The success of job '{}' was not recorded", job.name(), notRecorded);
                    }
                }

                @Override
                public void releaseUnused(Handle handle) {
                    job.abandon(run(handle));
                }

                private static LockHandle run(Handle handle) {
                    return handle.parts().get(0);
                }
            };
        }
    }
}
