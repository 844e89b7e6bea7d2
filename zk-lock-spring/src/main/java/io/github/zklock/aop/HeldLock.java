package io.github.zklock.aop;

import io.github.zklock.LockHandle;
import io.github.zklock.LockLostException;
import io.github.zklock.LockState;
import io.github.zklock.annotation.OnLost;
import io.github.zklock.observation.CallObservation;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The lock of a call whose method may run, from its grant until it is given back: when the work has ended, but not before
 * its shortest time, and not before the transaction around the call has completed. Bound to no thread. If the session ends
 * on any line, the handle knows it, and {@link #end} tells.
 */
final class HeldLock implements TransactionTie.Hold {

    private static final Logger LOG = LoggerFactory.getLogger(HeldLock.class);

    private final LockedMethod method;
    private final LockRequest request;
    private final LockHandle handle;
    private final CallObservation observed;
    private final long acquiredAt = System.nanoTime();

    // both are written before the hold is handed over

    /** Ends the scope in which the thread re-enters the lock, if it outlives the method. */
    private Runnable scopeEnd = () -> {};

    private @Nullable Throwable failure;

    HeldLock(LockedMethod method, LockRequest request, LockHandle handle, CallObservation observed) {
        this.method = method;
        this.request = request;
        this.handle = request.lock().isPermit() ? new PermitHandle(handle) : handle;
        this.observed = observed;
        observed.acquired(handle);
        Duration maxHold = method.rules().maxHold();
        if (maxHold != null) {
            handle.loseAfter(maxHold);
        }
    }

    /** Closes a handle under which nothing was done. */
    static void giveBackUnused(LockHandle handle) {
        try {
            handle.close();
        } catch (LockLostException nothingWasDoneUnderIt) {
            // as good as given back
        }
    }

    LockHandle handle() {
        return handle;
    }

    LockRequest request() {
        return request;
    }

    void onLeave(Runnable end) {
        scopeEnd = end;
    }

    /**
     * Ends the hold after the work has. To be called once.
     *
     * @param failure that of the work, into which trouble with the lock is suppressed; null if it succeeded
     * @return what the call is to fail with although its work succeeded; null if nothing is to be told
     */
    @Nullable RuntimeException end(@Nullable Throwable failure, TransactionTie transactions) {
        this.failure = failure;
        RuntimeException trouble = release(transactions);
        if (trouble == null) {
            return null;
        }
        if (failure != null) {
            if (failure != trouble) {
                failure.addSuppressed(trouble);
            }
            return null;
        }
        if (request.onLost() == OnLost.NOTIFY && trouble instanceof LockLostException) {
            LOG.debug("{} succeeded although its lock was lost: {}", method.place(), trouble.getMessage());
            return null;
        }
        return trouble;
    }

    private @Nullable RuntimeException release(TransactionTie transactions) {
        RuntimeException refusal = null;
        try {
            if (handle.state() != LockState.LOST && transactions.takeOver(this)) {
                return null;
            }
        } catch (RuntimeException notTakenOver) {
            // a lock that nobody gives back would be worse
            refusal = notTakenOver;
        }
        leave();
        try {
            LockLostException lost = giveBack();
            if (lost != null) {
                transactions.lost(this, lost);
            }
            return lost == null ? refusal : lost;
        } catch (RuntimeException broken) {
            // a result that never completes would be worse
            return broken;
        }
    }

    @Override
    public LockHandle acquired() {
        return handle;
    }

    @Override
    public void leave() {
        scopeEnd.run();
    }

    @Override
    public @Nullable LockLostException giveBack() {
        RuntimeException trouble = null;
        try {
            Duration atLeast = method.rules().holdAtLeast();
            if (atLeast.isZero()) {
                handle.close();
            } else {
                method.surroundings()
                        .minimumHold()
                        .get()
                        .release(handle, atLeast.minusNanos(System.nanoTime() - acquiredAt));
            }
            return null;
        } catch (LockLostException lost) {
            trouble = lost;
            return lost;
        } catch (RuntimeException broken) {
            trouble = broken;
            throw broken;
        } finally {
            observed.ended(failure == null ? trouble : failure);
        }
    }
}
