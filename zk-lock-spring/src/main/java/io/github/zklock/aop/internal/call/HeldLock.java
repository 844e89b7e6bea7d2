package io.github.zklock.aop.internal.call;

import io.github.zklock.LockContext;
import io.github.zklock.LockHandle;
import io.github.zklock.LockLostException;
import io.github.zklock.LockState;
import io.github.zklock.annotation.OnLost;
import io.github.zklock.aop.PermitHandle;
import io.github.zklock.aop.TransactionTie;
import io.github.zklock.aop.internal.declaration.LockRequest;
import io.github.zklock.observation.CallObservation;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The hold of a call, from the grant of the lock until its release. The lock is released when the work has ended, its
 * minimum hold time is over, and the transaction around the call has completed. If the session ends at any time, the
 * handle records the loss and {@link #end} reports it.
 *
 * <p>Only the hold of a synchronous call ({@link OnThread}) is bound to a thread. Its scope, log context and interrupt
 * are opened on the thread that acquired the lock. They are closed on that thread in reverse order.
 */
class HeldLock implements TransactionTie.Hold {

    private static final Logger LOG = LoggerFactory.getLogger(HeldLock.class);

    /** Not the call: a transaction can keep the hold for longer than the arguments are needed. */
    private final LockedMethod method;

    private final LockRequest request;
    private final LockHandle handle;
    private final CallObservation observed;
    private final long acquiredAt = System.nanoTime();

    // scope and failure are written before a transaction takes over the hold

    /** Null if the hold is not bound to a thread. */
    private LockContext.@Nullable Scope scope;

    private @Nullable Throwable failure;

    private HeldLock(LockedCall call, LockRequest request, LockHandle granted, CallObservation observed) {
        this.method = call.method();
        this.request = request;
        this.handle = request.isPermit() ? new PermitHandle(granted) : granted;
        this.observed = observed;
        observed.acquired(handle);
        Duration maxHold = request.maxHold();
        if (maxHold != null) {
            handle.loseAfter(maxHold);
        }
    }

    /** Starts a hold that is not bound to a thread. If that fails, the lock is released. */
    static HeldLock begin(LockedCall call, LockRequest request, LockHandle granted, CallObservation observed) {
        try {
            return new HeldLock(call, request, granted, observed);
        } catch (Throwable failed) {
            observed.ended(failed);
            request.releaseUnused(granted);
            throw failed;
        }
    }

    /** Starts a hold of the current thread. If that fails, the lock is released. */
    static OnThread onThread(
            LockedCall call,
            LockRequest request,
            LockHandle granted,
            CallObservation observed,
            TransactionTie transactions) {
        try {
            return new OnThread(call, request, granted, observed, transactions);
        } catch (Throwable failed) {
            observed.ended(failed);
            request.releaseUnused(granted);
            throw failed;
        }
    }

    LockHandle handle() {
        return handle;
    }

    /**
     * Ends the hold after the work has ended. To be called once.
     *
     * @param failure the failure of the work, to which a failure of the lock is added as suppressed; null if the work
     *     succeeded
     * @return the failure of a call whose work succeeded; null if there is nothing to report
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
            LOG.debug("{} succeeded although its lock was lost: {}", method.declaration.place(), trouble.getMessage());
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
            // release the lock all the same: without its release, it would stay held
            refusal = notTakenOver;
        } catch (Error fatal) {
            leave();
            giveBack();
            throw fatal;
        }
        leave();
        if (refusal == null) {
            committed();
        }
        try {
            LockLostException lost = giveBack();
            if (lost != null) {
                transactions.lost(this, lost);
            }
            return lost == null ? refusal : lost;
        } catch (RuntimeException broken) {
            // return the failure: if it were thrown, the result of the call would never complete
            return broken;
        }
    }

    /** Opens the scope in which the current thread re-enters the lock. */
    final void openScope() {
        scope = LockContext.open(handle);
    }

    @Override
    public LockHandle acquired() {
        return handle;
    }

    @Override
    public void leave() {
        if (scope != null) {
            scope.close();
        }
    }

    @Override
    public void committed() {
        if (failure != null) {
            return;
        }
        try {
            request.succeeded(handle);
        } catch (RuntimeException notRecorded) {
            // the lock was lost, which the release reports; a failure here must not prevent the release
            LOG.debug("The success of {} was not recorded", method.declaration.place(), notRecorded);
        }
    }

    @Override
    public @Nullable LockLostException giveBack() {
        RuntimeException trouble = null;
        try {
            Duration atLeast = request.holdAtLeast();
            if (atLeast.isZero()) {
                handle.close();
            } else {
                method.services.minimumHold().release(handle, atLeast.minusNanos(System.nanoTime() - acquiredAt));
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

    /**
     * The hold of the thread that acquired the lock. A transaction can keep the scope open after the method; everything
     * else is closed with the method.
     */
    static final class OnThread extends HeldLock {

        private final LockHandle shown;
        private final TransactionTie transactions;
        private final boolean inTransaction;
        private final @Nullable LossInterrupt interrupt;
        private final CallObservation.Scope observedScope;
        private final LogNames logNames;

        private OnThread(
                LockedCall call,
                LockRequest request,
                LockHandle granted,
                CallObservation observed,
                TransactionTie transactions) {
            super(call, request, granted, observed);
            LockHandle handle = handle();
            this.shown = call.declaration().wantsHandle() ? Enclosing.ofThread().shown(request, handle) : handle;
            this.transactions = transactions.forCall();
            this.inTransaction = this.transactions != transactions;
            this.interrupt = request.onLost() == OnLost.INTERRUPT ? LossInterrupt.on(handle) : null;
            this.observedScope = observed.open();
            this.logNames = new LogNames(request, handle);
            openScope();
        }

        /** Returns the handle that the method receives: in a nested call, the handle of the call around it. */
        LockHandle shown() {
            return shown;
        }

        /** Returns the tie to the transaction around the call; null if none runs. */
        @Nullable TransactionTie transactionsOfCall() {
            return inTransaction ? transactions : null;
        }

        /**
         * Ends the hold after the method has ended.
         *
         * @param failure the exception of the method, to which a loss is added as suppressed; null if the method
         *     returned
         * @throws LockLostException if the method returned and its lock was lost, unless the call uses {@link
         *     OnLost#NOTIFY}
         */
        void end(@Nullable Throwable failure) {
            if (interrupt != null) {
                interrupt.disarm();
            }
            logNames.close();
            observedScope.close();
            RuntimeException trouble = end(failure, transactions);
            if (trouble != null) {
                throw trouble;
            }
        }
    }
}
